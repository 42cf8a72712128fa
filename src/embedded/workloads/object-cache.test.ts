import { describe, expect, it } from 'vitest';
import { ObjectCache } from './object-cache.ts';

const pod = (resourceVersion: string, uid = 'u', owner?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    namespace: 'a',
    uid,
    resourceVersion,
    ...(owner !== undefined && { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: owner, uid: owner, controller: true }] }),
  },
});

describe('the cache of objects', () => {
  it('keeps what is newer, whoever tells it', () => {
    const told: (string | undefined)[] = [];
    const cache = new ObjectCache((now) => told.push(now?.metadata.resourceVersion));
    for (const version of ['5', '3', '5', '10']) cache.put('Pod', pod(version));
    expect(told).toEqual(['5', '10']);
    expect(cache.get('Pod', 'a', 'p')?.metadata.resourceVersion).toBe('10');
  });

  it('does not bring back what was removed, but takes another of the same name', () => {
    const cache = new ObjectCache(() => undefined);
    cache.put('Pod', pod('5'));
    const view = cache.get('Pod', 'a', 'p');
    if (view !== undefined) cache.bury(view);
    cache.put('Pod', pod('4'));
    expect(cache.get('Pod', 'a', 'p')).toBeUndefined();
    cache.put('Pod', pod('7', 'other'));
    cache.remove('Pod', 'a', 'p', pod('6'));
    expect(cache.get('Pod', 'a', 'p')?.uid).toBe('other');
  });

  it('knows what an owner controls and what nobody does', () => {
    const cache = new ObjectCache(() => undefined);
    cache.put('Pod', pod('1'));
    expect(cache.orphans('Pod', 'a')).toHaveLength(1);
    cache.put('Pod', pod('2', 'u', 'owner'));
    expect(cache.orphans('Pod', 'a')).toEqual([]);
    expect(cache.dependents('Pod', 'owner')).toHaveLength(1);
    cache.remove('Pod', 'a', 'p');
    expect(cache.dependents('Pod', 'owner')).toEqual([]);
    expect(cache.all('Pod')).toEqual([]);
  });
});
