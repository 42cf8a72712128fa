import type { AppProject } from '../../../contract/gen/types.ts';

/** Where the page of a project is. */
export function projectPath(name: string | undefined): string {
  return `/settings/projects/${encodeURIComponent(name ?? '')}`;
}

/** Whether all words of a search are found somewhere in what the list is about. */
export function matchesSearch({ metadata, spec }: AppProject, search: string): boolean {
  const text = [
    metadata.name,
    spec.description,
    ...(spec.sourceRepos ?? []),
    ...(spec.destinations ?? []).flatMap(({ server, name, namespace }) => [server, name, namespace]),
    ...(spec.roles ?? []).map(({ name }) => name),
    ...Object.entries(metadata.labels ?? {}).map(([name, value]) => `${name}=${value}`),
  ]
    .join('\n')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A few patterns in one line: the first, and how many more. */
export function summarize(texts: readonly string[], any: string, none: string): string {
  const allowed = texts.filter((text) => !text.startsWith('!'));
  const denied = texts.length - allowed.length;
  const without = denied === 0 ? '' : ` but ${denied}`;
  if (allowed.length === 0) return none;
  if (allowed.includes('*')) return `${any}${without}`;
  return `${allowed[0]}${allowed.length > 1 ? ` and ${allowed.length - 1} more` : ''}${without}`;
}

/** A destination as `cluster / namespace`, or a star where it is any. */
export function destinationText({ server, name, namespace }: { server?: string; name?: string; namespace?: string }): string {
  const cluster = name || server || '*';
  if (cluster === '*' && namespace === '*') return '*';
  return `${cluster === '*' ? 'any cluster' : cluster.replace(/^https:\/\/kubernetes\.default\.svc$/, 'in-cluster')} / ${namespace === '*' ? 'any namespace' : namespace || 'no namespace'}`;
}
