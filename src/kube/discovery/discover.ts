import { abortable } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { CallOptions, Discovery } from '../kube-api.ts';
import { AGGREGATED_ACCEPT, isAggregated, readAggregated } from './aggregated.ts';
import { discoverByGroup } from './legacy.ts';

const KEEP_MS = 10 * 60_000;
/** A failure may pass soon. */
const KEEP_WITH_FAILURES_MS = 10_000;

export interface DiscovererOptions {
  readonly get: (path: string, accept: string) => Promise<JsonObject>;
  readonly clock: Clock;
}

export type Discoverer = (options?: CallOptions & { readonly fresh?: boolean }) => Promise<Discovery>;

/** What a cluster serves, asked for once and remembered for a while; `fresh` asks again. Callers at the same time share one answer. */
export function createDiscoverer({ get, clock }: DiscovererOptions): Discoverer {
  let kept: { readonly discovery: Discovery; readonly untilMs: number } | undefined;
  let running: Promise<Discovery> | undefined;

  async function discover(): Promise<Discovery> {
    const [core, groups] = await Promise.all([get('/api', AGGREGATED_ACCEPT), get('/apis', AGGREGATED_ACCEPT)]);
    const discovery =
      isAggregated(core) && isAggregated(groups)
        ? join(readAggregated(core), readAggregated(groups))
        : await discoverOldForm({ core, groups }, (path) => get(path, 'application/json'));
    const keepMs = discovery.failures.length === 0 ? KEEP_MS : KEEP_WITH_FAILURES_MS;
    kept = { discovery, untilMs: clock.nowMs() + keepMs };
    return discovery;
  }

  return async ({ fresh = false, signal } = {}) => {
    if (!fresh && kept && clock.nowMs() < kept.untilMs) return kept.discovery;
    // What is under way may have begun before the change that a caller wants to see.
    if (fresh || !running) {
      const own = discover().finally(() => {
        if (running === own) running = undefined;
      });
      running = own;
    }
    return await abortable(running, signal);
  };
}

function join(one: Discovery, other: Discovery): Discovery {
  return { resources: [...one.resources, ...other.resources], failures: [...one.failures, ...other.failures] };
}

/** A gateway may answer one of the two roots in the new form and the other in the old. */
async function discoverOldForm(
  roots: { core: JsonObject; groups: JsonObject },
  get: (path: string) => Promise<JsonObject>,
): Promise<Discovery> {
  const core = isAggregated(roots.core) ? await get('/api') : roots.core;
  const groups = isAggregated(roots.groups) ? await get('/apis') : roots.groups;
  return await discoverByGroup({ core, groups }, get);
}
