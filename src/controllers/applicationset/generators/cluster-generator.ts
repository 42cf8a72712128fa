import { ApiError, Code } from '../../../base/index.ts';
import { annotations as knownAnnotations } from '../../../engine/index.ts';
import { inClusterName, inClusterServer, normalizeServer } from '../../../model/index.ts';
import { matchesLabelSelector, readLabelSelector, type JsonValue } from '../../../objects/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import { GoList, GoMap, normalizeName, textMap, type GoAny } from '../../../template/index.ts';
import type { Generator, GeneratorContext, ParameterSet } from './generator.ts';
import { parametersOf, withValues } from './values.ts';

/** One set for each registered cluster that the selector means. */
export function createClusterGenerator({ settings }: Pick<GeneratorContext, 'settings'>): Generator<'clusters'> {
  return {
    async generate(request) {
      const { spec, goTemplate } = request;
      const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
      const isSelective = Object.keys(matchLabels).length > 0 || matchExpressions.length > 0;
      const selector = readLabelSelector((spec.selector ?? {}) as JsonValue);
      const secrets = [...settings.current.labelledSecrets.values()].filter(
        ({ type, labels }) => type === 'cluster' && matchesLabelSelector(selector, labels),
      );
      requireServers(secrets);
      // Of two that are registered under one name, one remains.
      const named = new Map(secrets.toSorted(byName).map((secret) => [dataOf(secret, 'name'), secret]));
      const sets = [...named.values()].map((secret) => describeCluster(secret, goTemplate));
      const knowsHome = secrets.some((secret) => normalizeServer(dataOf(secret, 'server')) === inClusterServer);
      if (!isSelective && !knowsHome) sets.push(describe(inClusterName, inClusterServer, ''));
      const complete = sets.map((set) => withValues(set, spec.values, request));
      return spec.flatList === true ? [new GoMap(new Map([['clusters', listOf(complete)]]))] : complete;
    },
    // Whoever looks after application sets is told when a cluster changes.
    requeueAfterMs: () => undefined,
  };
}

/**
 * A Secret that is written in two steps, or was emptied, says nothing for a moment. Taken for a cluster without a name, the applications of
 * the cluster that it was would be deleted.
 */
function requireServers(secrets: readonly LabelledSecret[]): void {
  const unfinished = secrets.find((secret) => dataOf(secret, 'server').trim() === '');
  if (unfinished === undefined) return;
  throw new ApiError(Code.FailedPrecondition, `the Secret ${unfinished.name} of a cluster names no server`);
}

function describeCluster(secret: LabelledSecret, goTemplate: boolean): ParameterSet {
  const plain = describe(dataOf(secret, 'name'), dataOf(secret, 'server'), dataOf(secret, 'project'));
  const { labels } = secret;
  // It repeats the whole Secret, credentials included.
  const { [knownAnnotations.lastApplied]: _applied, ...annotations } = secret.annotations;
  if (goTemplate) {
    const parts = Object.entries({ labels, annotations }).filter(([, values]) => Object.keys(values).length > 0);
    const metadata = new GoMap(new Map(parts.map(([key, values]): [string, GoAny] => [key, textMap(values)])));
    return parametersOf(plain.entries, [['metadata', metadata]]);
  }
  return parametersOf(
    plain.entries,
    Object.entries(labels).map(([key, value]): [string, GoAny] => [`metadata.labels.${key}`, value]),
    Object.entries(annotations).map(([key, value]): [string, GoAny] => [`metadata.annotations.${key}`, value]),
  );
}

function describe(name: string, server: string, project: string): ParameterSet {
  return new GoMap(
    new Map([
      ['name', name],
      ['nameNormalized', normalizeName(name)],
      ['server', server],
      ['project', project],
    ]),
  );
}

function listOf(sets: readonly ParameterSet[]): GoList {
  return new GoList([...sets], 'map[string]interface {}', sets.length === 0);
}

function dataOf({ data }: LabelledSecret, key: string): string {
  return data.get(key)?.reveal() ?? '';
}

function byName(one: LabelledSecret, other: LabelledSecret): number {
  return one.name < other.name ? -1 : 1;
}
