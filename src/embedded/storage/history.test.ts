import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import { SeededRandom } from '../../../test/support/seeded-random.ts';
import type { KubeObject, Status } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
});
afterAll(() => test.stop());

const NAMES = ['a', 'b', 'c', 'd'];
const ref = (name: string) => ({ namespace: 'default', name });

/** The state after each version: names and values. */
type Snapshot = ReadonlyMap<string, string>;

it('shows every retained version as it was, after any number of compactions and a restart', async () => {
  const random = new SeededRandom(7);

  const snapshots = new Map<number, Snapshot>([[Number(test.api.resourceVersion), new Map()]]);
  let compacted = 0;
  for (let step = 0; step < 160; step += 1) {
    await change(NAMES[random.below(NAMES.length)] ?? '', String(step), random.chance(0.25));
    snapshots.set(Number(test.api.resourceVersion), await snapshot());
    if (step % 40 === 39) {
      compacted = Number(test.api.resourceVersion) - 1 - random.below(20);
      await test.api.compact(compacted);
      if (step === 79) await test.reopen();
      await checkRetained(snapshots, compacted);
    }
  }
  await expect(snapshot(String(compacted - 1))).rejects.toMatchObject({ reason: 'Expired' });
  expect(test.api.checkIntegrity()).toEqual([]);
});

async function change(name: string, value: string, isDeletion: boolean): Promise<void> {
  const exists = (await snapshot()).has(name);
  if (isDeletion && exists) await test.api.delete(types.configMaps, ref(name));
  else if (exists)
    await test.api.update(
      types.configMaps,
      configMap(name, { data: { value }, metadata: { labels: { even: String(Number(value) % 2) } } }),
    );
  else
    await test.api.create(
      types.configMaps,
      configMap(name, { data: { value }, metadata: { labels: { even: String(Number(value) % 2) } } }),
    );
}

async function snapshot(resourceVersion?: string): Promise<Snapshot> {
  const { items } = await test.api.list(
    types.configMaps,
    resourceVersion === undefined ? {} : { resourceVersion, resourceVersionMatch: 'Exact' },
  );
  return new Map(items.map((item) => [item.metadata.name ?? '', valueOf(item)]));
}

function valueOf(object: KubeObject | Status): string {
  return (object as unknown as { data: { value: string } }).data.value;
}

/** Each version that is left is as it was then, and the events from it, with and without a selector, lead to what is there now. */
async function checkRetained(snapshots: ReadonlyMap<number, Snapshot>, compacted: number): Promise<void> {
  const now = await test.api.list(types.configMaps);
  for (const [version, expected] of snapshots) {
    if (version < compacted) continue;
    expect(await snapshot(String(version)), `version ${version}`).toEqual(expected);
    for (const labelSelector of ['', 'even=0']) {
      const start = await test.api.list(types.configMaps, {
        resourceVersion: String(version),
        resourceVersionMatch: 'Exact',
        labelSelector,
      });
      const seen = new Map(start.items.map((item) => [item.metadata.name, valueOf(item)]));
      for await (const { type, object } of test.api.watch(types.configMaps, {
        resourceVersion: String(version),
        labelSelector,
        timeoutSeconds: 0,
      })) {
        const { name } = (object as KubeObject).metadata;
        expect(seen.has(name), `${type} ${String(name)} after ${version}`).toBe(type !== 'ADDED');
        if (type === 'DELETED') seen.delete(name);
        else seen.set(name, valueOf(object));
      }
      const wanted = now.items.filter((item) => labelSelector === '' || item.metadata.labels?.['even'] === '0');
      expect(seen, `events after ${version}`).toEqual(new Map(wanted.map((item) => [item.metadata.name, valueOf(item)])));
    }
  }
}
