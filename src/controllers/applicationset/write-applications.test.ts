import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { writeApplications } from './write-applications.ts';

const set = readApplicationSet({
  apiVersion: '',
  kind: '',
  metadata: { name: 'set', namespace: 'argocd' },
  spec: { generators: [], template: { spec: { project: 'default' } } },
});

/** Each application takes longer to compare than anybody may be kept waiting, and there is nothing to write to it. */
function slowWork() {
  let nowMs = 0;
  const context = { applications: { get: () => undefined }, timers: { nowMs: () => nowMs } } as unknown as ApplicationSetContext;
  const plan = () => {
    nowMs += 100;
    return { kind: 'keep' } as const;
  };
  return { context, writes: Array.from({ length: 100 }, (_unused, at) => ({ name: `app-${at}`, plan })), elapsedMs: () => nowMs };
}

it('JQ-01: others have their turn while the applications of a set are compared', async () => {
  const { context, writes, elapsedMs } = slowWork();
  let [turns, isOver] = [0, false];
  const other = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const { failures } = await writeApplications(context, set, writes, new AbortController().signal);
  isOver = true;
  await other;
  expect([failures.size, elapsedMs()]).toEqual([0, 10_000]);
  expect(turns).toBeGreaterThan(writes.length / 2);
});

it('The applications of a set are not compared where nobody waits for it any more', async () => {
  const { context, writes, elapsedMs } = slowWork();
  const stopping = new AbortController();
  const written = writeApplications(context, set, writes, stopping.signal);
  stopping.abort(new Error('enough'));
  await expect(written).rejects.toThrow('enough');
  expect(elapsedMs()).toBeLessThan(5_000);
});
