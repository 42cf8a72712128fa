import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { configMapNames } from '../home-objects.ts';
import { BadValue } from '../parsing/bad-value.ts';
import { parseYaml } from '../parsing/parse-yaml.ts';

/** Keys of argocd-cm that hold a configuration in which a secret should be named with `$`, and can stand in plain. */
const mayHoldSecrets = /^(?:oidc\.config|dex\.config|extension\.config(?:\..*)?)$/;
const secretName = /secret|password|passwd|token|credential|private_?key|access_?key|bindpw|service_?account|authorization/i;
/** Fields with such a name whose values are no secrets. */
const harmlessName = /^(?:insecureSkip|skip|enable|.*(?:URL|Url|Endpoint|Path|File|Expiration|Threshold|Claim|Claims|Secrets?Name)$)/;

/** A ConfigMap without the settings that hold a secret in plain; `warn` is told which. */
export function withoutPlainSecrets(object: KubeObject, warn: (message: string) => void): KubeObject {
  const data = object['data'];
  if (object.metadata.name !== configMapNames.general || !isJsonObject(data)) return object;
  const kept = Object.entries(data).filter(([key, text]) => {
    if (!mayHoldSecrets.test(key) || typeof text !== 'string' || !holdsPlainSecret(text)) return true;
    warn(`${key} in ${configMapNames.general} holds a secret in plain and is left out; name it with $ instead, or export with --secrets`);
    return false;
  });
  // The annotation repeats the data as it was last applied.
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations }, data: Object.fromEntries(kept) as JsonObject };
}

function holdsPlainSecret(text: string): boolean {
  try {
    return hasSecret(
      parseYaml(text, () => undefined),
      false,
    );
  } catch (error) {
    // What cannot be read cannot be known to be harmless.
    if (error instanceof BadValue) return true;
    throw error;
  }
}

function hasSecret(value: JsonValue, isNamedSecret: boolean): boolean {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some((item) => hasSecret(item, isNamedSecret));
  if (isJsonObject(value)) {
    // Headers of an extension come as a name and a value beside it.
    const isNamed = typeof value['name'] === 'string' && secretName.test(value['name']);
    return Object.entries(value).some(([name, child]) =>
      hasSecret(child, (isNamed && name === 'value') || (secretName.test(name) && !harmlessName.test(name))),
    );
  }
  return isNamedSecret && typeof value === 'string' && value !== '' && !value.startsWith('$');
}
