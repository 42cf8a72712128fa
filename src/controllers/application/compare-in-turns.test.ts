import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { defaultCompareRules, defaultTrackingRules } from '../../engine/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { compareInTurns } from './compare-in-turns.ts';

const desired = Array.from({ length: 100 }, (_unused, at): KubeObject => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${at}`, namespace: 'default' } };
});

/** Each object takes longer than anybody may be kept waiting. */
function slowComparison() {
  let nowMs = 0;
  const input = {
    application: { namespace: 'argocd', name: 'web' },
    instanceName: 'web',
    desired,
    live: new Map<string, KubeObject>(),
    tracking: defaultTrackingRules,
    rules: defaultCompareRules,
    compare: () => {
      nowMs += 100;
      return { modified: true, normalizedLive: undefined, predictedLive: undefined };
    },
  };
  return { input, timers: { nowMs: () => nowMs }, elapsedMs: () => nowMs };
}

it('JQ-01: others have their turn while the objects of an application are compared', async () => {
  const { input, timers } = slowComparison();
  let [turns, isOver] = [0, false];
  const other = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const { resources } = await compareInTurns(input, { timers, signal: new AbortController().signal });
  isOver = true;
  await other;
  expect(resources).toHaveLength(desired.length);
  expect(turns).toBeGreaterThan(desired.length / 2);
});

it('A comparison ends where nobody waits for it any more', async () => {
  const { input, timers, elapsedMs } = slowComparison();
  const stopping = new AbortController();
  const compared = compareInTurns(input, { timers, signal: stopping.signal });
  stopping.abort(new Error('enough'));
  await expect(compared).rejects.toThrow('enough');
  expect(elapsedMs()).toBeLessThan(1_000);
});
