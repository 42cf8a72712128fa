import { listWithClients } from '../list-clients.ts';
import { readProcessorSeconds } from '../resources.ts';
import type { Stage } from '../stage.ts';
import { round, type Figure, type Figures, type Workload } from '../workload.ts';

const DURATION_MS = 8_000;
const CASES = (['REST', 'gRPC'] as const).flatMap((transport) =>
  [1, 20].map((clients) => ({ transport, clients, label: `${transport}, ${clients} ${clients === 1 ? 'client' : 'clients'}` })),
);

export const list: Workload = {
  name: 'list',
  title: ({ applications }) => `the list of all ${applications} applications`,
  flavour: 'plain',
  sizes: [1_000],
  figures: CASES.flatMap(({ label }): Figure[] => [
    { name: `${label}: p50, ms`, goal: 10 },
    { name: `${label}: p99, ms`, goal: 10 },
    { name: `${label}: MB/s`, better: 'more' },
    { name: `${label}: processor ms of the tool` },
  ]),
  prepare: ({ settle }) => settle(),
  measure,
};

/** A process of its own asks, which does nothing else. */
async function measure({ contender, token, scale }: Stage): Promise<Figures> {
  const figures: Record<string, number> = {};
  for (const { transport, clients, label } of CASES) {
    const order = { transport, clients, url: contender.url, token, durationMs: DURATION_MS, applications: scale.applications };
    const before = readProcessorSeconds(contender.pids);
    const { p50Ms, p99Ms, megabytesPerSecond, calls } = await listWithClients(order);
    const spentMs = (readProcessorSeconds(contender.pids) - before) * 1_000;
    figures[`${label}: p50, ms`] = round(p50Ms);
    figures[`${label}: p99, ms`] = round(p99Ms);
    figures[`${label}: MB/s`] = round(megabytesPerSecond);
    figures[`${label}: processor ms of the tool`] = round(spentMs / calls);
  }
  return figures;
}
