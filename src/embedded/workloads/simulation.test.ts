import { describe, expect, it } from 'vitest';
import { ObjectCache } from './object-cache.ts';
import { parseDelay, simulationOf } from './simulation.ts';

const owned = (kind: string, uid: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: uid, uid, controller: true }],
});
const said = (behavior: string, more: Record<string, string> = {}) => ({
  annotations: { 'simulate.fairway.dev/behavior': behavior, ...more },
});

describe('a delay', () => {
  it.each([
    ['5s', 5_000],
    ['1m30s', 90_000],
    ['250ms', 250],
    ['0.5s', 500],
    ['', 0],
    ['5', 0],
    ['soon', 0],
    ['-5s', 0],
  ])('%j is %i ms', (text, expected) => {
    expect(parseDelay(text)).toBe(expected);
  });
});

describe('how a pod shall behave', () => {
  const revision = (value: string) => ({ 'deployment.kubernetes.io/revision': value });
  const behaviorOf = (pod: object, replicaSet: object, deployment: object): string => {
    const cache = new ObjectCache(() => undefined);
    const make = (kind: string, name: string, metadata: object) => ({
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace: 'a', uid: name, resourceVersion: '1', ...metadata },
    });
    cache.put('Deployment', make('Deployment', 'd', deployment));
    cache.put('ReplicaSet', make('ReplicaSet', 'r', { ...owned('Deployment', 'd'), ...replicaSet }));
    cache.put('Pod', make('Pod', 'p', { ...owned('ReplicaSet', 'r'), ...pod }));
    const view = cache.get('Pod', 'a', 'p');
    return view === undefined ? '' : simulationOf(cache, view).behavior;
  };

  it('is what it says itself, or else what its Deployment says of the present revision', () => {
    const [old, now] = [{ annotations: revision('1') }, { annotations: revision('2') }];
    expect(behaviorOf(said('hang'), now, said('fail', revision('2')))).toBe('hang');
    expect(behaviorOf({}, now, said('fail', revision('2')))).toBe('fail');
    expect(behaviorOf({}, old, said('fail', revision('2')))).toBe('normal');
    expect(behaviorOf({}, said('fail', revision('2')), now)).toBe('normal');
    expect(behaviorOf(said('dance'), now, now)).toBe('normal');
  });
});
