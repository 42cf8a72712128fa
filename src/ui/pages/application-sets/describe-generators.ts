import type { ApplicationSetGenerator, ApplicationSetNestedGenerator, LabelSelector } from '../../../contract/gen/types.ts';

type Generator = ApplicationSetGenerator | ApplicationSetNestedGenerator;

/** Where the applications of a set come from, in words, such as `folders apps/* of shop.git × all clusters`. */
export function describeGenerators(generators: readonly Generator[]): string {
  return generators.length === 0 ? 'nothing' : generators.map(describeGenerator).join(' + ');
}

function describeGenerator(generator: Generator): string {
  const parts = PARTS.flatMap((describe) => describe(generator) ?? []);
  const what = parts.length === 0 ? 'something that is not known here' : parts.join(' + ');
  const condition = describeSelector(generator.selector);
  return condition === '' ? what : `${what}, where ${condition}`;
}

const PARTS: readonly ((generator: Generator) => string | undefined)[] = [
  ({ list }) => list && (list.elementsYaml ? 'a list' : `a list of ${list.elements?.length ?? 0}`),
  ({ clusters }) => {
    if (clusters === undefined) return undefined;
    const condition = describeSelector(clusters.selector);
    return condition === '' ? 'all clusters' : `clusters with ${condition}`;
  },
  ({ git }) => {
    if (git === undefined) return undefined;
    const [kind, entries] = git.directories?.length ? ['folders', git.directories] : ['files', git.files ?? []];
    const paths = entries.filter(({ exclude }) => exclude !== true).map(({ path }) => path);
    return `${kind} ${paths.join(', ')} of ${shortRepository(git.repoURL)}`;
  },
  ({ scmProvider }) => scmProvider && `repositories of ${describePlace(scmProvider)}`,
  ({ clusterDecisionResource: decision }) => decision && `cluster decisions of ${decision.configMapRef}`,
  ({ pullRequest }) => pullRequest && `pull requests of ${describePlace(pullRequest)}`,
  ({ plugin }) => plugin && `plugin ${plugin.configMapRef.name}`,
  ({ matrix }) => (matrix === undefined ? undefined : childrenOf(matrix).map(describeGenerator).join(' × ')),
  ({ merge }) => {
    if (merge === undefined) return undefined;
    const { mergeKeys } = merge as { readonly mergeKeys?: readonly string[] };
    return `${childrenOf(merge).map(describeGenerator).join(' merged with ')} by ${(mergeKeys ?? []).join(', ')}`;
  },
];

/** A nested matrix or merge has no schema: it may be anything. */
function childrenOf(combination: unknown): readonly Generator[] {
  const children = (combination as { readonly generators?: unknown } | null)?.generators;
  return Array.isArray(children) ? children.filter((child): child is Generator => typeof child === 'object' && child !== null) : [];
}

function describeSelector(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector?.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `${key} ${operator}${values.length > 0 ? ` (${values.join(', ')})` : ''}`,
  );
  return [...labels, ...expressions].join(', ');
}

function shortRepository(address: string): string {
  const parts = address.split(/[/:]/).filter((part) => part !== '');
  return parts.slice(-2).join('/') || 'a repository';
}

/** Every provider has its own words for who owns what; in this order they read as an address. */
const PLACE_WORDS = ['organization', 'group', 'owner', 'teamProject', 'project', 'repo'] as const;

function describePlace(generator: object): string {
  for (const [provider, block] of Object.entries(generator) as [string, unknown][]) {
    if (typeof block !== 'object' || block === null || Array.isArray(block)) continue;
    const words = PLACE_WORDS.flatMap((word) => {
      const value = (block as Readonly<Record<string, unknown>>)[word];
      return typeof value === 'string' && value !== '' ? [value] : [];
    });
    if (words.length > 0) return `${words.join('/')} (${provider})`;
  }
  return 'a provider';
}
