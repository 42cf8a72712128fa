import { ApiError, Code } from '../../../base/index.ts';
import { isJsonObject, isStatusError, type KubeObject } from '../../../objects/index.ts';
import type { GeneratorSpec } from '../generators/generator.ts';
import type { ProviderContext } from './provider-context.ts';

export const secretType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
export const configMapType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

const typeLabel = 'argocd.argoproj.io/secret-type';
const credentialsType = 'scm-creds';

type GitlabBlock = NonNullable<GeneratorSpec<'scmProvider'>['gitlab']>;
export type SecretRef = NonNullable<GitlabBlock['tokenRef']>;
export type ConfigMapKeyRef = NonNullable<GitlabBlock['caRef']>;

export interface ReferenceScope {
  /** Of the application set, which may use only what is there. */
  readonly namespace: string;
  /** Whether Secrets must be labelled for it. */
  readonly strictTokens: boolean;
  readonly signal: AbortSignal;
}

/** The text that a reference to a Secret means; empty where there is no reference. */
export async function readSecretRef(
  { home }: ProviderContext,
  reference: SecretRef | null | undefined,
  { namespace, strictTokens, signal }: ReferenceScope,
): Promise<string> {
  if (reference === undefined || reference === null) return '';
  const { secretName, key } = reference;
  const place = `${namespace}/${secretName}`;
  let secret: KubeObject;
  try {
    secret = await home.get(secretType, { namespace, name: secretName }, { signal });
  } catch (error) {
    if (!isStatusError(error)) throw error;
    throw new ApiError(Code.NotFound, `error fetching secret ${place}: ${error.message}`, { cause: error });
  }
  if (strictTokens && secret.metadata.labels?.[typeLabel] !== credentialsType) {
    const rule = `secret must have label "${typeLabel}"="${credentialsType}"`;
    throw new ApiError(Code.PermissionDenied, `secret ${place} is not a valid SCM creds secret: ${rule}`);
  }
  const content = dataOf(secret, key);
  if (content === undefined) throw new ApiError(Code.NotFound, `key "${key}" in secret ${place} not found`);
  // A line end at the end is how files are written, and no part of a token.
  return Buffer.from(content, 'base64').toString().trim();
}

/** The certificates that a reference to a ConfigMap means. */
export async function readCertificates(
  { home }: ProviderContext,
  reference: ConfigMapKeyRef | null | undefined,
  { namespace, signal }: ReferenceScope,
): Promise<readonly string[]> {
  if (reference === undefined || reference === null) return [];
  const { configMapName, key } = reference;
  const configMap = await home.get(configMapType, { namespace, name: configMapName }, { signal });
  const content = dataOf(configMap, key);
  if (content === undefined) throw new ApiError(Code.NotFound, `key ${key} not found in ConfigMap ${configMapName}`);
  return [content];
}

export function dataOf(object: KubeObject, key: string): string | undefined {
  const { data } = object;
  const value = isJsonObject(data) && Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
