import { normalizeServer } from '../../model/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import { Sealed, type LabelledSecret } from '../../settings/index.ts';
import { lastAppliedAnnotation, managedByAnnotation, refreshAnnotation, secretTypeLabel, type Registration } from './registration.ts';

/** What a Secret registers, or why it registers nothing. Reasons never quote the Secret's content. */
export function readRegistration(secret: LabelledSecret): Registration | { readonly unusable: string } {
  const text = (key: string): string => secret.data.get(key)?.reveal() ?? '';
  const server = normalizeServer(text('server').trim());
  if (server === '') return { unusable: 'it names no server' };
  const config = secret.data.get('config') ?? new Sealed('');
  if (!isConfig(config.reveal())) return { unusable: 'its config is not a JSON object' };
  return {
    server,
    name: text('name'),
    secretName: secret.name,
    resourceVersion: secret.resourceVersion,
    config,
    namespaces: readNamespaces(text('namespaces')),
    clusterResources: text('clusterResources') === 'true',
    project: text('project'),
    shard: readShard(text('shard')),
    labels: without(secret.labels, [secretTypeLabel]),
    annotations: without(secret.annotations, [lastAppliedAnnotation, managedByAnnotation]),
    refreshRequestedAt: secret.annotations[refreshAnnotation],
  };
}

export function readNamespaces(text: string): readonly string[] {
  return text
    .split(',')
    .map((namespace) => namespace.trim())
    .filter((namespace) => namespace !== '');
}

function isConfig(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    // The parser quotes what it cannot read, and that may be a password.
    return false;
  }
}

function readShard(text: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function without(entries: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
}
