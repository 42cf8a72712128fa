import { describe, expect, it } from 'vitest';
import { defaultSourceLimits } from '../limits.ts';
import { createResultCache, type ResultOrigin } from './result-cache.ts';
import type { ResultStore } from './result-store.ts';

const MINUTE_MS = 60_000;

/** A cache over a disk of one's own, with what it says of where results came from. */
function openCache(limits: Partial<typeof defaultSourceLimits> = {}) {
  let nowMs = 0;
  const origins: ResultOrigin[] = [];
  const disk = new Map<string, string>();
  const store: ResultStore = {
    read: (key, place) => Promise.resolve(disk.get(`${place}/${key}`)),
    write: (key, place, text) => Promise.resolve(void disk.set(`${place}/${key}`, text)),
    touch: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
  const clock = { nowMs: () => nowMs };
  const report = (origin: ResultOrigin): void => void origins.push(origin);
  const cache = createResultCache({ limits: { ...defaultSourceLimits, ...limits }, clock, store, report });
  const json = '[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}]';
  return {
    disk,
    make: (key: string) => cache.set(key, { objects: JSON.parse(json), commands: ['render'], json, hold: 'always' }),
    pass: (ms: number) => void (nowMs += ms),
    /** Where it is found; undefined where it is not. */
    placeOf: async (key: string): Promise<ResultOrigin | undefined> => {
      origins.length = 0;
      const found = await cache.get(key, 'always');
      expect(found?.objects.map(({ metadata }) => metadata.name)).toEqual(origins.length === 0 ? undefined : ['a']);
      return origins[0];
    },
  };
}

describe('results in memory', () => {
  it('go when nobody has asked for them for a while, and are found on disk from then on', async () => {
    const { make, pass, placeOf } = openCache({ resultIdleMs: 30 * MINUTE_MS });
    await make('old');
    await make('used');
    pass(20 * MINUTE_MS);
    expect(await placeOf('used')).toBe('memory');
    pass(15 * MINUTE_MS);
    await make('new');
    expect([await placeOf('old'), await placeOf('used'), await placeOf('new')]).toEqual(['disk', 'memory', 'memory']);
    expect(await placeOf('old')).toBe('memory');
  });

  it('stay within their number and size; what was used longest ago goes first', async () => {
    const few = openCache({ resultsMax: 2 });
    for (const key of ['a', 'b']) await few.make(key);
    await few.placeOf('a');
    await few.make('c');
    few.disk.clear();
    expect([await few.placeOf('a'), await few.placeOf('b'), await few.placeOf('c')]).toEqual(['memory', undefined, 'memory']);
    const small = openCache({ resultsCharactersMax: 150 });
    for (const key of ['a', 'b', 'c']) await small.make(key);
    small.disk.clear();
    expect([await small.placeOf('a'), await small.placeOf('b'), await small.placeOf('c')]).toEqual([undefined, 'memory', 'memory']);
  });
});
