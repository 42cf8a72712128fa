import { addQuantities, objectAt, parseQuantity, QuantityError, quantityToInteger, textAt } from '../../objects/index.ts';
import type { JsonObject, KubeObject, Quantity } from '../../objects/index.ts';
import { annotationOf, annotations } from '../annotations.ts';
import { groupOf } from '../resource-key.ts';
import { objectsAt, summarizePod } from './pod-status.ts';

export interface InfoEntry {
  readonly name: string;
  readonly value: string;
}

const REVISION_ANNOTATIONS = ['deployment.kubernetes.io/revision', 'rollout.argoproj.io/revision'];
const ZERO: Quantity = { digits: 0n, exponent: 0, format: 'DecimalSI' };

/** The texts that are shown with a resource. */
export function infoOf(object: KubeObject, customLabels: readonly string[]): readonly InfoEntry[] {
  const items = [...revisionInfo(object), ...labelInfo(object, customLabels)];
  const json = object as unknown as JsonObject;
  const kind = `${groupOf(object)}/${object.kind}`;
  if (kind === '/Pod') items.push(...podInfo(json));
  const managedBy = annotationOf(object, annotations.managedByUrl);
  if (kind === 'argoproj.io/Application' && managedBy !== '') items.push({ name: 'managed-by-url', value: managedBy });
  return items;
}

function revisionInfo(object: KubeObject): readonly InfoEntry[] {
  const annotated = REVISION_ANNOTATIONS.map((name) => annotationOf(object, name)).find((value) => value !== '');
  const own = object['revision'];
  const revision = annotated ?? (typeof own === 'number' && Number.isInteger(own) ? String(own) : undefined);
  return revision === undefined ? [] : [{ name: 'Revision', value: `Rev:${revision}` }];
}

function labelInfo({ metadata }: KubeObject, customLabels: readonly string[]): readonly InfoEntry[] {
  const labels = metadata.labels ?? {};
  return customLabels.flatMap((name) => (Object.hasOwn(labels, name) ? [{ name, value: labels[name] ?? '' }] : []));
}

function podInfo(pod: JsonObject): readonly InfoEntry[] {
  const { reason, ready, total, restarts } = summarizePod(pod);
  const items: InfoEntry[] = [];
  if (reason !== '') items.push({ name: 'Status Reason', value: reason });
  const node = textAt(pod, 'spec', 'nodeName');
  if (node !== '') items.push({ name: 'Node', value: node });
  items.push({ name: 'Containers', value: `${ready}/${total}` });
  if (restarts > 0) items.push({ name: 'Restart Count', value: String(restarts) });
  const phase = textAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return items;
  for (const resource of ['cpu', 'memory']) items.push(...requestInfo(pod, resource));
  return items;
}

/** What the containers of a pod ask for together, in thousandths. */
function requestInfo(pod: JsonObject, resource: string): readonly InfoEntry[] {
  const milli = podRequestMilli(pod, resource);
  return milli === 0n ? [] : [{ name: resource, value: String(milli) }];
}

/** The sum over the containers and sidecars, or what one init container needs where that is more; with the pod's overhead. */
export function podRequestMilli(pod: JsonObject, resource: string): bigint {
  const initContainers = objectsAt(pod, 'spec', 'initContainers');
  const sidecars = initContainers.filter((container) => container['restartPolicy'] === 'Always');
  const requests = [...objectsAt(pod, 'spec', 'containers'), ...sidecars].map((container) => requestOf(container, resource));
  const overhead = readQuantity(textOrNumber(objectAt(pod, 'spec', 'overhead')[resource]));
  const together = toMilli(requests.reduce(addQuantities, ZERO));
  const largest = initContainers.map((container) => toMilli(requestOf(container, resource))).reduce((a, b) => (a > b ? a : b), 0n);
  return (together > largest ? together : largest) + toMilli(overhead);
}

function requestOf(container: JsonObject, resource: string): Quantity {
  return readQuantity(textOrNumber(objectAt(container, 'resources', 'requests')[resource]));
}

function textOrNumber(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function readQuantity(value: string | number | undefined): Quantity {
  if (value === undefined) return ZERO;
  try {
    return parseQuantity(value);
  } catch (error) {
    // What an API has stored is a quantity; anything else asks for nothing.
    if (error instanceof QuantityError) return ZERO;
    throw error;
  }
}

function toMilli({ digits, exponent, format }: Quantity): bigint {
  return quantityToInteger({ digits, exponent: exponent + 3, format });
}

/** The images of a pod's containers, each once. */
export function imagesOf(object: KubeObject): readonly string[] {
  if (object.kind !== 'Pod' || groupOf(object) !== '') return [];
  const pod = object as unknown as JsonObject;
  const containers = [...objectsAt(pod, 'spec', 'initContainers'), ...objectsAt(pod, 'spec', 'containers')];
  return [...new Set(containers.map((container) => textAt(container, 'image')))].filter((image) => image !== '');
}
