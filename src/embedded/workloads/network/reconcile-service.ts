import { jsonEquals, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { listAt, objectAt, textAt } from '../../json-path.ts';
import { workloadSimulation } from '../simulation.ts';
import { hasLabels, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { newSlice, planEndpoints } from './plan-endpoints.ts';
import type { EndpointsPlan } from './plan-endpoints.ts';

/** Gives a Service its endpoints and, where it asks for one, the address of a load balancer. */
export async function reconcileService(world: World, service: View): Promise<WorkResult> {
  if (isLeaving(service)) return 'done';
  const selector = objectAt(service.spec, 'selector');
  if (Object.keys(selector).length > 0 && service.spec['type'] !== 'ExternalName') {
    const pods = world.cache.inNamespace('Pod', service.namespace).filter((pod) => hasLabels(selector, pod));
    const plan = planEndpoints(service, pods);
    await writeEndpoints(world, service, plan);
    await writeSlices(world, service, plan);
  }
  return await giveAddress(world, service, service.spec['type'] === 'LoadBalancer');
}

/** An Ingress is reached at an address of its own. */
export async function reconcileIngress(world: World, ingress: View): Promise<WorkResult> {
  return isLeaving(ingress) ? 'done' : await giveAddress(world, ingress, true);
}

async function writeEndpoints(world: World, service: View, { endpoints: { labels, subsets } }: EndpointsPlan): Promise<void> {
  const { name, namespace } = service;
  const known = world.cache.get('Endpoints', namespace, name);
  if (known === undefined) {
    await createObject(world, 'Endpoints', { metadata: { name, namespace, labels }, ...(subsets.length > 0 && { subsets }) });
    return;
  }
  if (jsonEquals(listAt(known.json, 'subsets'), subsets) && jsonEquals({ ...known.metadata.labels }, labels)) return;
  const { subsets: _subsets, ...rest } = known.json;
  const metadata = { ...objectAt(rest, 'metadata'), labels };
  await updateObject(world, known, { ...rest, metadata, ...(subsets.length > 0 && { subsets }) });
}

async function writeSlices(world: World, service: View, { slice }: EndpointsPlan): Promise<void> {
  const [known, ...surplus] = world.cache.dependents('EndpointSlice', service.uid);
  for (const other of surplus) await deleteObject(world, other);
  if (known === undefined) {
    await createObject(world, 'EndpointSlice', newSlice(service, slice));
    return;
  }
  const { labels, endpoints, ports } = slice;
  const isSame =
    jsonEquals(listAt(known.json, 'endpoints'), endpoints) &&
    jsonEquals(listAt(known.json, 'ports'), ports) &&
    jsonEquals({ ...known.metadata.labels }, labels);
  if (isSame) return;
  await updateObject(world, known, { ...known.json, metadata: { ...objectAt(known.json, 'metadata'), labels }, endpoints, ports });
}

async function giveAddress(world: World, view: View, isWanted: boolean): Promise<WorkResult> {
  const { behavior, delayMs } = workloadSimulation(view);
  const has = textAt(listAt(view.status, 'loadBalancer', 'ingress')[0], 'ip');
  const nowMs = world.clock.nowMs();
  const dueMs = (parseTime(String(view.metadata.creationTimestamp)) ?? nowMs) + delayMs;
  const isDue = isWanted && behavior === 'normal';
  if (isDue && has === '' && nowMs < dueMs) return { requeueAfterMs: dueMs - nowMs };
  if (!isDue && behavior !== 'normal' && has === '') return 'done';
  if (isWanted === (has !== '')) return 'done';
  const ip = isWanted ? world.balancerAddresses.take(view.uid) : '';
  const entry: JsonObject = { ip, ...(view.kind === 'Service' && { ipMode: 'VIP' }) };
  await updateStatus(world, view, { ...view.status, loadBalancer: isWanted ? { ingress: [entry] } : {} }, 'fairway-simulation');
  return 'done';
}
