import type { Contender } from './contenders.ts';
import { runClients } from './run-clients.ts';
import type { Slot } from './run-clients.ts';
import { createApplications, createConfigMap, NAMESPACE, types } from './sample-objects.ts';
import { createVerbCases, ROUNDS } from './verb-cases.ts';
import type { VerbCase } from './verb-cases.ts';
import { median } from '../support/interleave.ts';

/** Enough for both sides to have compiled what they run. */
const WARM_UP_CALLS = 1_500;

/** Creates, gets, lists and patches, by one client and by many. The contenders take turns within each case. */
export async function measureVerbs(contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) await warmUp(contender);
  const rows: object[] = [];
  for (const item of createVerbCases()) {
    const slots = new Map<Contender, Slot[]>(contenders.map((contender) => [contender, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      // Whoever comes second may find the machine in another state, so the order changes.
      for (const contender of round % 2 === 0 ? contenders : contenders.toReversed())
        slots.get(contender)?.push(await runClients({ ...item, pids: contender.pids }, (index) => item.run(contender.api, index, round)));
    rows.push(...describeCase(item, slots));
  }
  console.log('Verbs (medians of interleaved turns; processor time is that of the process that asks and of those that answer)');
  console.table(rows);
}

async function warmUp({ api, pids }: Contender): Promise<void> {
  const namespace = `${NAMESPACE}-warm`;
  const applications = createApplications(WARM_UP_CALLS, namespace);
  const name = (index: number): string => `warm-${index}`;
  const run = (call: (index: number) => Promise<unknown>) => runClients({ calls: WARM_UP_CALLS, clients: 8, pids }, call);
  await run((index) => api.create(types.configMaps, createConfigMap(name(index), namespace)));
  await run((index) => api.get(types.configMaps, { namespace, name: name(index) }));
  await run((index) => api.patch(types.configMaps, { namespace, name: name(index) }, { type: 'merge', body: { data: { revision: '1' } } }));
  await run((index) => {
    const application = applications[index];
    return application === undefined ? Promise.resolve() : api.create(types.applications, application);
  });
  for (const type of [types.configMaps, types.applications]) {
    await api.list(type, { namespace });
    await api.deleteCollection(type, { namespace });
  }
}

function describeCase(item: VerbCase, slots: ReadonlyMap<Contender, readonly Slot[]>): readonly object[] {
  const contenders = [...slots.keys()];
  const peer = slots.get(contenders.at(-1)!) ?? [];
  return [...slots].map(([contender, own], place) => {
    const ratio = median(own.map((slot, turn) => perSecond(slot) / perSecond(peer[turn]!)));
    const processorRatio = median(own.map((slot, turn) => processorMicros(peer[turn]!) / processorMicros(slot)));
    return {
      objects: item.objects,
      verb: item.verb,
      clients: item.clients,
      API: contender.name,
      'calls/s': round(median(own.map(perSecond))),
      'processor µs/call': round(median(own.map(processorMicros))),
      'times faster': round(ratio),
      // A turn that is over before the system's clock of processor time has moved says nothing.
      'times less processor': Number.isFinite(processorRatio) ? round(processorRatio) : '',
      goal: place > 0 || item.goal === undefined ? '' : markOf(item.goal, ratio, processorRatio),
    };
  });
}

/** By the clock, which others on the machine have their part in; what processor time says is told where it says more. */
function markOf(goal: number, ratio: number, processorRatio: number): string {
  if (ratio >= goal) return `reached (≥ ${goal})`;
  return processorRatio >= goal ? `below goal (${goal}), reached by processor time` : `below goal (${goal})`;
}

function perSecond({ calls, wallMs }: Slot): number {
  return (calls * 1_000) / wallMs;
}

function processorMicros({ calls, processorMs }: Slot): number {
  return (processorMs * 1_000) / calls;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
