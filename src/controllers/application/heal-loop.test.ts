import { describe, expect, it } from 'vitest';
import { compareObject, defaultCompareRules, type ManagedResource } from '../../engine/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { Application, Operation } from '../../model/index.ts';
import { findHealLoop, readHeals, rememberHeal, withHeals, type HealRecord } from './heal-loop.ts';

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

  const after = (operation: Operation): Application => ({ status: { operationState: { operation } } }) as unknown as Application;

  it('is remembered by the operation, so that another process goes on counting', () => {
    const kept = readHeals(after(withHeals({ sync: {} }, healed(5))));
    expect(findHealLoop(kept, fought, { nowMs: 10 * minute, limit: 5 })).toMatchObject({ path: '/data/a', count: 5 });
    expect(readHeals(after({ sync: {} })).size).toBe(0);
  });

  it('is remembered within bounds, and by nothing that is not such a record', () => {
    const many = Array.from({ length: 500 }, (_, index): [string, number[]] => [`${'x'.repeat(100)}${index}`, [0]]);
    const { info = [] } = withHeals({}, new Map<string, number[]>([...many, ['fought', [0, 1_000]]]));
    expect(info[0]?.value.length).toBeLessThanOrEqual(8_000);
    expect(readHeals(after({ info })).get('fought')).toEqual([0, 1_000]);
    for (const value of ['', '[]', '{"a":1}', '{"__proto__":[1]}', 'no'])
      expect([...readHeals(after({ info: [{ name: 'fairway.dev/healed-fields', value }] })).values()].flat().length).toBeLessThanOrEqual(1);
  });
});
