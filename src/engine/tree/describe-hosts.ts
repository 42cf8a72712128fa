import type { HostInfo } from '../../contract/index.ts';
import { isJsonObject, objectAt, parseQuantity, QuantityError, quantityToInteger, textAt } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { compareTexts, groupOf } from '../resource-key.ts';

/** What is remembered of a node for the hosts of a tree; amounts are thousandths. */
export interface HostFacts {
  readonly systemInfo: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly capacity: Readonly<Record<string, number>>;
}

type HostResourceInfo = NonNullable<HostInfo['resourcesInfo']>[number];

const RESOURCES = ['cpu', 'memory', 'storage'];

export function hostFactsOf(object: KubeObject): HostFacts | undefined {
  if (object.kind !== 'Node' || groupOf(object) !== '') return undefined;
  const node = object as unknown as JsonObject;
  const capacity = objectAt(node, 'status', 'capacity');
  const amounts = RESOURCES.flatMap((name) => {
    const milli = readMilli(capacity[name]);
    return milli === undefined ? [] : [[name, milli] as const];
  });
  return {
    systemInfo: objectAt(node, 'status', 'nodeInfo'),
    labels: object.metadata.labels ?? {},
    capacity: Object.fromEntries(amounts),
  };
}

function readMilli(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    const { digits, exponent, format } = parseQuantity(value);
    return Number(quantityToInteger({ digits, exponent: exponent + 3, format }));
  } catch (error) {
    // What an API has stored is a quantity; anything else is no capacity.
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/** An object as a cache remembers it, as far as hosts go. */
export interface HostSource {
  readonly type: { readonly group: string; readonly kind: string };
  readonly uid: string;
  readonly name: string;
  /** What `factsOf` said of it. */
  readonly facts: unknown;
}

export interface HostsInput {
  /** The objects of the application; those that are pods count. */
  readonly rows: Iterable<HostSource>;
  readonly findNode: (name: string) => HostSource | undefined;
  /** All the pods of a node. */
  readonly podsOn: (node: string) => Iterable<HostSource>;
  /** The labels of nodes that may be shown. */
  readonly allowedLabels: readonly string[];
}

/** The nodes that the pods of an application run on, how much they have, and who asks for how much of it. */
export function describeHosts({ rows, findNode, podsOn, allowedLabels }: HostsInput): HostInfo[] {
  const own = new Set<string>();
  const names = new Set<string>();
  for (const row of rows) {
    if (row.type.kind !== 'Pod' || row.type.group !== '') continue;
    const node = infoOf(row, 'Node');
    if (node === '') continue;
    own.add(row.uid);
    names.add(node);
  }
  return [...names].sort(compareTexts).flatMap((name) => {
    const host = hostOf(findNode(name));
    if (host === undefined) return [];
    const labels = allowedLabels.flatMap((label) =>
      Object.hasOwn(host.labels, label) ? [[label, host.labels[label] ?? ''] as const] : [],
    );
    return [
      {
        name,
        resourcesInfo: describeResources(host, [...podsOn(name)], own),
        systemInfo: host.systemInfo as unknown as NonNullable<HostInfo['systemInfo']>,
        ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
      },
    ];
  });
}

function describeResources({ capacity }: HostFacts, pods: readonly HostSource[], own: ReadonlySet<string>): HostResourceInfo[] {
  return Object.entries(capacity)
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([resourceName, amount]) => {
      let [requestedByApp, requestedByNeighbors] = [0, 0];
      for (const pod of pods) {
        const request = Number(infoOf(pod, resourceName)) || 0;
        if (own.has(pod.uid)) requestedByApp += request;
        else requestedByNeighbors += request;
      }
      return { resourceName, requestedByApp, requestedByNeighbors, capacity: amount };
    });
}

function hostOf(row: HostSource | undefined): HostFacts | undefined {
  const facts = row?.facts;
  const host = isJsonObject(facts) ? facts['host'] : undefined;
  return isJsonObject(host) ? (host as unknown as HostFacts) : undefined;
}

/** The value of an entry that is shown with an object. */
function infoOf({ facts }: HostSource, name: string): string {
  const items = isJsonObject(facts) ? facts['info'] : undefined;
  for (const item of Array.isArray(items) ? (items as readonly unknown[]) : [])
    if (isJsonObject(item) && item['name'] === name) return textAt(item, 'value');
  return '';
}
