import type { KindTrouble, LiveCache } from '../../clusters/index.ts';

/** The troubles of a cluster with kinds that something has resources of; one with a whole group concerns every kind of it. */
export function findTroubles(
  cache: LiveCache,
  resources: readonly { readonly group?: string; readonly kind?: string }[],
): readonly KindTrouble[] {
  const troubles = cache.troubles();
  if (troubles.length === 0) return troubles;
  const [groups, kinds] = [new Set<string>(), new Set<string>()];
  for (const { group = '', kind = '' } of resources) {
    groups.add(group);
    kinds.add(`${group}/${kind}`);
  }
  return troubles.filter(({ type }) => (type.kind === '' ? groups.has(type.group) : kinds.has(`${type.group}/${type.kind}`)));
}

/** What a trouble is with, for people. */
export function describeKind({ type }: KindTrouble): string {
  return type.kind === '' ? `kinds of group "${type.group}"` : `${type.kind} of group "${type.group}"`;
}
