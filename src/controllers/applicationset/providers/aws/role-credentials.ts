import { readFile } from 'node:fs/promises';
import { ApiError, Code } from '../../../../base/index.ts';
import type { JsonValue } from '../../../../objects/index.ts';
import { requireText, textAt, valueAt } from '../answer-fields.ts';
import { openProvider, type ProviderRun } from '../open-provider.ts';
import { awsAddress } from './aws-api.ts';
import { signAwsRequest, type AwsCredentials } from './sign-request.ts';

const stsService = { name: 'sts', variable: 'STS' };
const sessionName = 'argocd-applicationset';

export interface Role {
  readonly arn: string;
  /** Of the session; a name of ours where it is empty. */
  readonly session?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Trades credentials for those of a role. */
export function assumeRole(run: ProviderRun, region: string, role: Role, credentials: AwsCredentials): Promise<AwsCredentials> {
  return askSts(run, region, { Action: 'AssumeRole', ...describeRole(role) }, credentials);
}

/** Trades a token that somebody else vouches with, such as Kubernetes for its pods, for the credentials of a role. */
export async function assumeRoleWithToken(run: ProviderRun, region: string, role: Role, file: string): Promise<AwsCredentials> {
  const WebIdentityToken = await readToken(file);
  return askSts(run, region, { Action: 'AssumeRoleWithWebIdentity', ...describeRole(role), WebIdentityToken });
}

function describeRole({ arn, session, externalId }: Role): Record<string, string> {
  return { RoleArn: arn, RoleSessionName: session || sessionName, ...(externalId && { ExternalId: externalId }) };
}

async function askSts(
  run: ProviderRun,
  region: string,
  parameters: Readonly<Record<string, string>>,
  credentials?: AwsCredentials,
): Promise<AwsCredentials> {
  const { environment, clock } = run.context;
  const url = awsAddress(environment, stsService, region);
  const secrets = [credentials?.secretAccessKey ?? '', parameters['WebIdentityToken'] ?? ''];
  const client = await openProvider(run, { secrets });
  const body = new URLSearchParams({ Version: '2011-06-15', ...parameters }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' };
  const request = { url: new URL(url), method: 'POST', headers, body };
  const sign = () =>
    credentials === undefined ? {} : signAwsRequest(request, { credentials, region, service: 'sts', nowMs: clock.nowMs() });
  const { json } = await client.ask({ method: 'POST', url, headers, body, sign });
  const action = parameters['Action'] ?? '';
  return readCredentials(valueAt(json, `${action}Response`, `${action}Result`, 'Credentials'), 'SessionToken');
}

/** As services of AWS hand credentials out; they differ in how they call the token of the session. */
export function readCredentials(value: JsonValue | undefined, tokenName: string): AwsCredentials {
  return {
    accessKeyId: requireText(value, 'AccessKeyId'),
    secretAccessKey: requireText(value, 'SecretAccessKey'),
    sessionToken: textAt(value, tokenName) ?? '',
  };
}

export async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new ApiError(Code.FailedPrecondition, 'the file with the token for AWS cannot be read', { cause: error });
  }
}
