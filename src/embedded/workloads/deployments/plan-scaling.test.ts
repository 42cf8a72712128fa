import { describe, expect, it } from 'vitest';
import { viewOf } from '../view.ts';
import type { View } from '../view.ts';
import { readRollout } from './deployment-facts.ts';
import { initialReplicas, isScalingEvent, planProportions, planRecreateStep, planRollingStep } from './plan-scaling.ts';
import type { Scaling } from './plan-scaling.ts';

interface Size {
  readonly image: string;
  readonly wanted: number;
  readonly available?: number;
  readonly noted?: readonly [desired: number, max: number];
}

const template = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image }] } });

function rollout(spec: object, sizes: readonly Size[]) {
  const make = (kind: 'Deployment' | 'ReplicaSet', name: string, more: object): View =>
    viewOf(kind, {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name, uid: name, ...('metadata' in more ? (more.metadata as object) : {}) },
      ...omitMetadata(more),
    });
  const sets = sizes.map(({ image, wanted, available = wanted, noted }, index) =>
    make('ReplicaSet', image, {
      metadata: {
        creationTimestamp: `2026-01-01T00:00:0${index}Z`,
        ...(noted && {
          annotations: {
            'deployment.kubernetes.io/desired-replicas': String(noted[0]),
            'deployment.kubernetes.io/max-replicas': String(noted[1]),
          },
        }),
      },
      spec: { replicas: wanted, template: template(image) },
      status: { replicas: wanted, availableReplicas: available },
    }),
  );
  return readRollout(make('Deployment', 'web', { spec: { template: template('new'), ...spec } }), sets);
}

function omitMetadata(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'metadata'));
}

const shown = (scalings: readonly Scaling[]): Record<string, number> =>
  Object.fromEntries(scalings.map(({ replicaSet, replicas }) => [replicaSet.name, replicas]));
const limits = (maxSurge: number | string, maxUnavailable: number | string, replicas = 4) => ({
  replicas,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

describe('a step of a rolling update', () => {
  const cases: readonly [string, object, readonly Size[], Record<string, number>][] = [
    [
      'grows into the surge',
      limits(1, 0),
      [
        { image: 'old', wanted: 4 },
        { image: 'new', wanted: 0 },
      ],
      { new: 1 },
    ],
    [
      'waits for the new pod',
      limits(1, 0),
      [
        { image: 'old', wanted: 4 },
        { image: 'new', wanted: 1, available: 0 },
      ],
      {},
    ],
    [
      'removes an old pod for a new one',
      limits(1, 0),
      [
        { image: 'old', wanted: 4 },
        { image: 'new', wanted: 1 },
      ],
      { old: 3 },
    ],
    [
      'makes room where it may not grow',
      limits(0, 1),
      [
        { image: 'old', wanted: 4 },
        { image: 'new', wanted: 0 },
      ],
      { old: 3 },
    ],
    [
      'removes useless old pods first',
      limits(1, 1),
      [
        { image: 'older', wanted: 2, available: 0 },
        { image: 'old', wanted: 2 },
        { image: 'new', wanted: 1, available: 0 },
      ],
      { older: 1 },
    ],
    [
      'takes shares rounded up and down',
      limits('25%', '25%', 10),
      [
        { image: 'old', wanted: 10 },
        { image: 'new', wanted: 0 },
      ],
      { new: 3 },
    ],
    ['gives back what is too much', limits(1, 0, 2), [{ image: 'new', wanted: 5 }], { new: 2 }],
    [
      'rests at the end',
      limits(1, 0),
      [
        { image: 'old', wanted: 0 },
        { image: 'new', wanted: 4 },
      ],
      {},
    ],
  ];
  it.each(cases)('%s', (_name, spec, sizes, expected) => {
    const state = rollout(spec, sizes);
    if (state.current === undefined) throw new Error('there is no new ReplicaSet');
    expect(shown(planRollingStep(state, state.current))).toEqual(expected);
  });

  it('never leaves the limits, whatever becomes ready when', () => {
    let sizes: Size[] = [
      { image: 'old', wanted: 10 },
      { image: 'new', wanted: 0, available: 0 },
    ];
    for (let step = 0; step < 60; step += 1) {
      const state = rollout(limits(3, 2, 10), sizes);
      if (state.current === undefined) throw new Error('there is no new ReplicaSet');
      const targets = shown(planRollingStep(state, state.current));
      sizes = sizes.map((size) => {
        const wanted = targets[size.image] ?? size.wanted;
        return {
          ...size,
          wanted,
          available: Math.min(
            wanted,
            (size.available ?? size.wanted) + (size.image === 'new' && Object.keys(targets).length === 0 ? 1 : 0),
          ),
        };
      });
      expect(sizes.reduce((total, { wanted }) => total + wanted, 0)).toBeLessThanOrEqual(13);
      expect(sizes.reduce((total, { wanted, available = wanted }) => total + available, 0)).toBeGreaterThanOrEqual(8);
    }
    expect(sizes).toEqual([
      { image: 'old', wanted: 0, available: 0 },
      { image: 'new', wanted: 10, available: 10 },
    ]);
  });
});

describe('other steps', () => {
  it('begin with as many pods as there is room for', () => {
    expect(initialReplicas(rollout(limits('25%', '25%', 3), []), undefined)).toBe(3);
    expect(initialReplicas(rollout(limits(1, 1), [{ image: 'old', wanted: 4 }]), undefined)).toBe(1);
    expect(initialReplicas(rollout({ replicas: 3, strategy: { type: 'Recreate' } }, []), undefined)).toBe(3);
  });

  it('recreate only when nothing old is left', () => {
    const spec = { replicas: 2, strategy: { type: 'Recreate' } };
    const before = rollout(spec, [
      { image: 'old', wanted: 2 },
      { image: 'new', wanted: 0 },
    ]);
    expect(shown(planRecreateStep(before, before.current, true))).toEqual({ old: 0 });
    const during = rollout(spec, [
      { image: 'old', wanted: 0 },
      { image: 'new', wanted: 0 },
    ]);
    expect(shown(planRecreateStep(during, during.current, true))).toEqual({});
    expect(shown(planRecreateStep(during, during.current, false))).toEqual({ new: 2 });
  });

  it('scale in proportion during a rollout', () => {
    const state = rollout(limits(3, 2, 15), [
      { image: 'old', wanted: 8, noted: [10, 13] },
      { image: 'new', wanted: 5, available: 0, noted: [10, 13] },
    ]);
    expect(isScalingEvent(state)).toBe(true);
    expect(shown(planProportions(state))).toEqual({ old: 11, new: 7 });
    expect(isScalingEvent(rollout(limits(3, 2, 10), [{ image: 'new', wanted: 10, noted: [10, 13] }]))).toBe(false);
  });
});
