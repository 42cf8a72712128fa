import { ApiError, Code } from '../../../base/index.ts';
import type { CredentialField, FieldValues } from './credential-fields.ts';

/** What opens something: shown to nobody, and kept by an update that does not name it. */
const SECRETS: readonly string[] = [
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertKey',
  'githubAppPrivateKey',
  'gcpServiceAccountKey',
  'azureServicePrincipalClientSecret',
];
/** What decides where secrets go, and who could read them on the way. */
const WAYS: readonly string[] = [
  'repo',
  'url',
  'type',
  'enableOCI',
  'proxy',
  'noProxy',
  'forceHttpBasicAuth',
  'githubAppEnterpriseBaseUrl',
  'azureActiveDirectoryEndpoint',
];
/** Checks that can be left out. To do them again gives nothing away. */
const LEFT_OUT: readonly string[] = ['insecure', 'insecureIgnoreHostKey', 'insecureOCIForceHttp'];

/**
 * An update of some fields: the others stay as they are stored. Whoever may change a repository does not therefore get its secrets: who
 * changes where they are sent has to give them again.
 */
export function mergeUpdate(
  fields: readonly CredentialField[],
  { stored, wanted, names }: { readonly stored: FieldValues; readonly wanted: FieldValues; readonly names: readonly string[] },
): FieldValues {
  const named = fields.filter(({ field }) => names.includes(field));
  const unknown = names.find((name) => !named.some(({ field }) => field === name));
  if (unknown !== undefined)
    throw new ApiError(Code.InvalidArgument, `there is no field ${JSON.stringify(unknown.slice(0, 100))} to update`);
  const merged = { ...stored, ...Object.fromEntries(named.map(({ field }) => [field, wanted[field]])) };
  const changed = named.map(({ field }) => field).find((field) => opensAnotherWay(field, stored[field], merged[field]));
  const kept = SECRETS.find((field) => !isEmpty(stored[field]) && !names.includes(field));
  if (changed !== undefined && kept !== undefined) {
    throw new ApiError(Code.InvalidArgument, `${changed} decides where the stored ${kept} is sent: to change it, give the ${kept} again`);
  }
  return merged;
}

function opensAnotherWay(field: string, before: FieldValues[string], after: FieldValues[string]): boolean {
  if (LEFT_OUT.includes(field)) return after === true && before !== true;
  return WAYS.includes(field) && String(before ?? '') !== String(after ?? '');
}

function isEmpty(value: FieldValues[string]): boolean {
  return value === undefined || value === '';
}
