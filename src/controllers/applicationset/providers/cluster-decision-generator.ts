import { ApiError, Code } from '../../../base/index.ts';
import { inClusterServer, normalizeServer } from '../../../model/index.ts';
import {
  formatLabelSelector,
  isJsonArray,
  isJsonObject,
  readLabelSelector,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '../../../objects/index.ts';
import { fromJson, textMap, type GoAny } from '../../../template/index.ts';
import { withPrefix } from '../generators/describe-error.ts';
import { formatText } from '../generators/flatten.ts';
import type { Generator, GeneratorSpec, ParameterSet } from '../generators/generator.ts';
import { parametersOf } from '../generators/values.ts';
import type { ProviderContext } from './provider-context.ts';
import { configMapType, dataOf } from './read-references.ts';

type DecisionSpec = GeneratorSpec<'clusterDecisionResource'>;

/** Yields the clusters that the status of some other resource names. */
export function createClusterDecisionGenerator(context: ProviderContext): Generator<'clusterDecisionResource'> {
  const { home, namespace, settings } = context;
  return {
    requeueAfterMs: ({ requeueAfterSeconds }) =>
      requeueAfterSeconds === undefined ? settings.current.parameters.appsetRequeueAfterMs : requeueAfterSeconds * 1_000,
    async generate({ spec, goTemplate, signal }) {
      const configMap = await withPrefix('error reading configMapRef: ', () =>
        home.get(configMapType, { namespace, name: spec.configMapRef }, { signal }),
      );
      const type = readType(configMap);
      const selection = readSelection(spec);
      const { items } = await withPrefix('failed to get dynamic resources: ', () => home.list(type, { namespace, ...selection, signal }));
      if (items.length === 0) throw new ApiError(Code.NotFound, 'no clusterDecisionResources found');
      const matchKey = dataOf(configMap, 'matchKey') ?? '';
      if (matchKey === '') return [];
      const decisions = items.flatMap((item) => readDecisions(item, dataOf(configMap, 'statusListKey') || 'clusters'));
      const servers = serversByName(context);
      const findUnfinished = createUnfinishedSearch(context, servers);
      return decisions.flatMap((decision) => toParameters(decision, { spec, goTemplate, matchKey, servers, findUnfinished }));
    },
  };
}

/** The resource's plural stands under `kind`. */
function readType(configMap: KubeObject) {
  const plural = dataOf(configMap, 'kind') ?? '';
  const [, group = '', version = ''] = /^([^/]+)\/(.*)$/.exec(dataOf(configMap, 'apiVersion') ?? '') ?? [];
  if (plural === '' || group === '')
    throw new ApiError(Code.InvalidArgument, 'there is a problem with the apiVersion, kind or resourceName provided');
  return { group, version, plural, kind: plural, namespaced: true };
}

function readSelection({ name = '', labelSelector }: DecisionSpec): { labelSelector: string } | { fieldSelector: string } {
  const isSelected = labelSelector?.matchLabels !== undefined || labelSelector?.matchExpressions !== undefined;
  if (isSelected === (name !== ''))
    throw new ApiError(Code.InvalidArgument, 'there is a problem with the definition of the ClusterDecisionResource generator');
  return name === ''
    ? { labelSelector: formatLabelSelector(readLabelSelector(labelSelector as JsonObject | undefined)) }
    : { fieldSelector: `metadata.name=${name}` };
}

function readDecisions({ metadata, status }: KubeObject, listKey: string): readonly JsonObject[] {
  if (!isJsonObject(status) || Object.keys(status).length === 0) return [];
  const decisions = Object.hasOwn(status, listKey) ? status[listKey] : [];
  // What cannot be read must not be taken for none.
  if (!isJsonArray(decisions) || !decisions.every((decision: JsonValue) => isJsonObject(decision)))
    throw new ApiError(Code.FailedPrecondition, `status.${listKey} of ${metadata.name ?? ''} is not a list of objects`);
  return decisions as readonly JsonObject[];
}

interface DecisionContext {
  readonly spec: DecisionSpec;
  readonly goTemplate: boolean;
  readonly matchKey: string;
  readonly servers: ReadonlyMap<string, string>;
  readonly findUnfinished: (name: string) => string | undefined;
}

/** None for a decision about a cluster that is not registered. Throws where one is, with a Secret that cannot be used now. */
function toParameters(decision: JsonObject, context: DecisionContext): ParameterSet[] {
  const { spec, goTemplate, matchKey, servers, findUnfinished } = context;
  const match = Object.hasOwn(decision, matchKey) ? decision[matchKey] : undefined;
  const name = match === undefined || match === null ? '' : formatText(fromJson(match));
  const server = servers.get(name);
  if (name === '') return [];
  if (server === undefined) {
    const unfinished = findUnfinished(name);
    if (unfinished === undefined) return [];
    const reason = `the Secret ${unfinished} of a cluster cannot be used`;
    throw new ApiError(Code.FailedPrecondition, `cannot tell whether ${name} is registered: ${reason}`);
  }
  const told = Object.entries(decision).map(([key, value]): [string, GoAny] => [key, formatText(fromJson(value))]);
  const { values = {} } = spec;
  const own: [string, GoAny][] = goTemplate
    ? Object.keys(values).length === 0
      ? []
      : [['values', textMap(values)]]
    : Object.entries(values).map(([key, value]) => [`values.${key}`, value]);
  return [parametersOf([['name', name] satisfies [string, GoAny], ['server', server] satisfies [string, GoAny]], told, own)];
}

/** Finds the Secret that may be that of a cluster, and is broken or half written: no reason to delete what was made for the cluster. */
function createUnfinishedSearch({ settings }: ProviderContext, servers: ReadonlyMap<string, string>): (name: string) => string | undefined {
  const known = new Set([inClusterServer, ...servers.values()]);
  const unfinished = [...settings.current.labelledSecrets.values()].flatMap(({ type, name: secretName, data }) => {
    const server = normalizeServer(data.get('server')?.reveal().trim() ?? '');
    return type === 'cluster' && !known.has(server) ? [{ secretName, server, name: data.get('name')?.reveal() ?? '' }] : [];
  });
  return (name) => unfinished.find((one) => one.server === '' || one.name === name)?.secretName;
}

function serversByName({ clusters }: ProviderContext): ReadonlyMap<string, string> {
  const servers = new Map<string, string>();
  // Of two with one name the first counts.
  for (const { name, server } of clusters.list()) if (!servers.has(name)) servers.set(name, server);
  return servers;
}
