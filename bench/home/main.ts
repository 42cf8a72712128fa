/** What the home API costs: the embedded one, in the process and over HTTP, beside etcd and kube-apiserver. */
import { loadavg } from 'node:os';
import { startContenders } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { measureLargeHome } from './large-home.ts';
import { measureMemory } from './memory.ts';
import { prepareApi, types } from './sample-objects.ts';
import { measureVerbs } from './verbs.ts';
import { measureWatches } from './watch-latency.ts';

console.log(
  `Load average ${loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')}`,
);
// A measurement, not a test: what could not be measured is said, and the rest goes on.
for (const measure of [measureSideBySide, measureMemory, measureLargeHome])
  await measure().catch((error: unknown) => console.error(`${measure.name}:`, error));

async function measureSideBySide(): Promise<void> {
  let contenders: readonly Contender[] = [];
  try {
    contenders = await startContenders();
    const definition = await contenders[0]!.api.get(types.definitions, { name: 'applications.argoproj.io' });
    for (const { api } of contenders) await prepareApi(api, definition);
    await measureVerbs(contenders);
    await measureWatches(contenders);
  } finally {
    for (const contender of contenders.toReversed()) await contender.stop();
  }
}
