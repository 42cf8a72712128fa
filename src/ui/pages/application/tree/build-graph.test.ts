import { describe, expect, it } from 'vitest';
import type { Application, ApplicationTree } from '../../../../contract/gen/types.ts';
import { buildNetworkGraph, buildOwnerGraph, type GraphFilter } from './build-graph.ts';
import { listResources } from './resource-node.ts';

const NO_FILTER: GraphFilter = { text: '', kinds: [], healths: [], syncs: [] };

function ref(kind: string, name: string, more: object = {}) {
  return { kind, name, namespace: 'shop', version: 'v1', ...more };
}

const tree = {
  nodes: [
    ref('Pod', 'web-1-a', {
      parentRefs: [ref('ReplicaSet', 'web-1')],
      networkingInfo: { labels: { app: 'web' } },
      health: { status: 'Degraded' },
    }),
    ref('ReplicaSet', 'web-1', { parentRefs: [ref('Deployment', 'web')] }),
    ref('Deployment', 'web'),
    ref('Service', 'web', { networkingInfo: { targetLabels: { app: 'web' } } }),
    ref('Pod', 'other', { networkingInfo: { labels: { app: 'other' } } }),
  ],
  orphanedNodes: [ref('ConfigMap', 'stray')],
} as ApplicationTree;

const application = {
  metadata: { name: 'shop' },
  spec: { project: 'default', destination: {} },
  status: {
    resources: [
      { ...ref('Deployment', 'web'), status: 'OutOfSync' },
      { ...ref('Service', 'web'), status: 'Synced' },
      { ...ref('Secret', 'missing'), status: 'OutOfSync' },
      { ...ref('Job', 'migrate'), status: 'Synced', hook: true },
    ],
  },
} as unknown as Application;

const resources = listResources(application.status?.resources ?? [], tree);
const id = (kind: string, name: string): string => `/${kind}/shop/${name}`;

describe('resources', () => {
  it('are what lives, what should, and what lives beside it; hooks only while they live', () => {
    expect(resources.map(({ kind, name, sync, health, isOrphan }) => [kind, name, sync, health, isOrphan])).toEqual([
      ['Pod', 'web-1-a', undefined, 'Degraded', false],
      ['ReplicaSet', 'web-1', undefined, undefined, false],
      ['Deployment', 'web', 'OutOfSync', undefined, false],
      ['Service', 'web', 'Synced', undefined, false],
      ['Pod', 'other', undefined, undefined, false],
      ['Secret', 'missing', 'OutOfSync', 'Missing', false],
      ['ConfigMap', 'stray', undefined, undefined, true],
    ]);
  });
});

describe('the owner graph', () => {
  it('leads from the application to everything', () => {
    const { boxes, edges } = buildOwnerGraph(resources, NO_FILTER, new Set());
    expect(boxes).toHaveLength(8);
    expect(boxes[0]).toMatchObject({ id: '', below: 7 });
    expect(edges).toContainEqual({ from: id('ReplicaSet', 'web-1'), to: id('Pod', 'web-1-a') });
    expect(edges).toContainEqual({ from: '', to: id('Secret', 'missing') });
  });

  it('hides what is below a collapsed box, and says how much that is', () => {
    const { boxes } = buildOwnerGraph(resources, NO_FILTER, new Set([id('Deployment', 'web')]));
    expect(boxes.find((box) => box.id === id('Deployment', 'web'))).toMatchObject({ below: 2, isCollapsed: true });
    expect(boxes.some((box) => box.resource?.kind === 'ReplicaSet')).toBe(false);
  });

  it('shows what matches with everything above it', () => {
    const { boxes } = buildOwnerGraph(resources, { ...NO_FILTER, healths: ['Degraded'] }, new Set());
    expect(boxes.map((box) => box.resource?.kind)).toEqual([undefined, 'Deployment', 'ReplicaSet', 'Pod']);
  });

  it('ends, also where resources own one another in a circle', () => {
    const circle = {
      nodes: [ref('A', 'a', { parentRefs: [ref('B', 'b')] }), ref('B', 'b', { parentRefs: [ref('A', 'a')] })],
    } as ApplicationTree;
    const shown = listResources([], circle);
    expect(buildOwnerGraph(shown, { ...NO_FILTER, text: 'a' }, new Set()).boxes).toHaveLength(1);
  });
});

it('the network graph leads from services to the pods that they select', () => {
  const { edges } = buildNetworkGraph(resources, NO_FILTER);
  expect(edges).toEqual([{ from: id('Service', 'web'), to: id('Pod', 'web-1-a') }]);
});
