import { ApiError } from '../../base/index.ts';
import { readFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { refuse } from './check-credentials.ts';

const TEXT_LENGTH_MAX = 1 << 20;
/** Far more than a kubeconfig has; a parser takes its time over what nests without end. */
const OPEN_BRACKETS_MAX = 100;
/** A kubeconfig has hardly any use for aliases; a few may be there, a bomb may not. */
const ALIASES_MAX = 20;

/** One kubeconfig file, or several merged. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** What stands under one name, and the folder that its paths start from. */
export interface KubeconfigEntry {
  readonly fields: Fields;
  readonly folder: string;
}

/** Reads YAML or JSON. `name` is for messages; `folder` is where relative paths start. */
export async function parseKubeconfig(text: string, { name, folder }: { name: string; folder: string }): Promise<Kubeconfig> {
  if (text.length > TEXT_LENGTH_MAX) refuse(`${name} is too large for a kubeconfig`);
  const fields = readFields(await parseText(text, name), name);
  const kind = fields.text('kind') ?? 'Config';
  if (kind !== 'Config') refuse(`${name} is a ${kind}, not a kubeconfig`);
  const entries = (list: string, part: string): ReadonlyMap<string, KubeconfigEntry> => {
    const found = new Map<string, KubeconfigEntry>();
    for (const item of fields.objects(list)) {
      const key = item.text('name');
      if (key !== undefined && !found.has(key)) found.set(key, { fields: item.object(part), folder });
    }
    return found;
  };
  return {
    currentContext: fields.text('current-context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
  };
}

/** Of what several files say under one name, the first counts. */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const merge = (part: 'clusters' | 'users' | 'contexts'): ReadonlyMap<string, KubeconfigEntry> =>
    new Map([...files].reverse().flatMap((file) => [...file[part]]));
  return {
    currentContext: files.find((file) => file.currentContext !== undefined)?.currentContext,
    clusters: merge('clusters'),
    users: merge('users'),
    contexts: merge('contexts'),
  };
}

async function parseText(text: string, name: string): Promise<unknown> {
  try {
    if (text.trimStart().startsWith('{')) return JSON.parse(text) as unknown;
    if (openBrackets(text) > OPEN_BRACKETS_MAX) return refuse(`${name} nests too deeply`);
    // Loaded when needed: most starts read no YAML.
    const { parse } = await import('yaml');
    return parse(text, { maxAliasCount: ALIASES_MAX, prettyErrors: false, uniqueKeys: false, logLevel: 'error' }) as unknown;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The parsers' own messages quote the text, which may hold a secret.
    return refuse(`${name} is neither YAML nor JSON that can be read`);
  }
}

/** How many are open at once at most. Those in texts count too, which does no harm: there are never so many. */
function openBrackets(text: string): number {
  let open = 0;
  let most = 0;
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    open += mark === '[' || mark === '{' ? 1 : -1;
    most = Math.max(most, open);
  }
  return most;
}
