import { describe, expect, it } from 'vitest';
import { compareObject, defaultCompareRules, type ManagedResource } from '../../engine/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { findHealLoop, rememberHeal, type HealRecord } from './heal-loop.ts';

const map = (data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'x' },
  data,
});

function resource(wanted: Record<string, string>, there: Record<string, string>): ManagedResource {
  const [desired, live] = [map(wanted), map(there)];
  const comparison = compareObject({ desired, live, rules: defaultCompareRules });
  return {
    group: '',
    kind: 'ConfigMap',
    version: 'v1',
    namespace: 'x',
    name: 'a',
    desired,
    live,
    comparison,
  } as unknown as ManagedResource;
}

const fought = [resource({ a: '1' }, { a: '2' })];
const minute = 60_000;

function healed(times: number): HealRecord {
  let record: HealRecord = new Map();
  for (let count = 0; count < times; count++) record = rememberHeal(record, fought, count * minute);
  return record;
}

describe('Healing', () => {
  it('goes on until the same field was healed too often', () => {
    const options = { nowMs: 10 * minute, limit: 5 };
    expect(findHealLoop(healed(4), fought, options)).toBeUndefined();
    expect(findHealLoop(healed(5), fought, options)).toMatchObject({ path: '/data/a', count: 5, untilMs: 60 * minute });
    expect(findHealLoop(healed(5), [resource({ b: '1' }, { b: '2' })], options)).toBeUndefined();
    expect(findHealLoop(healed(50), fought, { ...options, limit: 0 })).toBeUndefined();
  });

  it('goes on when the fight is long ago', () => {
    expect(findHealLoop(healed(5), fought, { nowMs: 61 * minute, limit: 5 })).toBeUndefined();
    expect(rememberHeal(healed(5), [], 200 * minute).size).toBe(0);
  });
});
