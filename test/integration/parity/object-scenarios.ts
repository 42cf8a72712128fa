import { kinds } from '../../support/kinds.ts';
import { MANAGER, takeEvents } from './session.ts';
import type { Session } from './session.ts';

const { configMap, deployment, namespace, secret } = kinds;
export type Scenario = readonly [title: string, run: (session: Session) => Promise<void>];

const config = (name: string, data: Record<string, string>, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

const web = (spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    paused: true,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'example/web:1' }] } },
    ...spec,
  },
});

/** What every API must do alike with objects. */
export const objectScenarios: readonly Scenario[] = [
  [
    'creates, reads and refuses what exists or does not fit',
    async ({ api, namespace: ns, note, create }) => {
      await note('create', create(configMap, config('a', { x: 'y' }, { labels: { app: 'demo' } })));
      await note('create again', create(configMap, config('a', {})));
      await note('get', api.get(configMap, { namespace: ns, name: 'a' }, { keepManagedFields: true }));
      await note('get what is not there', api.get(configMap, { namespace: ns, name: 'b' }));
      await note('a bad name', create(configMap, config('Bad_Name', {})));
      await note('a bad label', create(configMap, config('c', {}, { labels: { 'a b': 'c' } })));
      await note('a number for a text', create(configMap, config('c', { x: 1 as unknown as string })));
      await note('a version', create(configMap, config('c', {}, { resourceVersion: '5' })));
      await note('another kind', create(configMap, { ...config('c', {}), kind: 'Secret' }));
      await note('an unknown field, strictly', create(configMap, { ...config('c', {}), dota: {} }, { fieldValidation: 'Strict' }));
      await note('dry run', create(configMap, config('dry', {}), { dryRun: true }));
      await note('get after a dry run', api.get(configMap, { namespace: ns, name: 'dry' }));
      await note('no namespace', create(configMap, config('c', {}, { namespace: 'no-such-namespace' })));
      await note(
        'a Secret with text',
        create(secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }),
      );
      await note('a Deployment', create(deployment, web()));
      await note('a Deployment without a selector', create(deployment, web({ selector: {} })));
    },
  ],
  [
    'updates with optimistic concurrency',
    async ({ api, namespace: ns, note, create }) => {
      const first = await create(configMap, config('a', { x: '1' }));
      const options = { fieldManager: MANAGER, keepManagedFields: true };
      await note('update', api.update(configMap, { ...first, data: { x: '2' } }, options));
      await note('update from the past', api.update(configMap, { ...first, data: { x: '3' } }, options));
      await note('update of nothing', api.update(configMap, { ...config('none', {}), metadata: { name: 'none', namespace: ns } }, options));
      await note(
        'update with another uid',
        api.update(configMap, { ...first, metadata: { name: 'a', namespace: ns, uid: '00000000-0000-0000-0000-000000000000' } }, options),
      );
      await note(
        'update without a version',
        api.update(configMap, { ...config('a', { x: '4' }), metadata: { name: 'a', namespace: ns } }, options),
      );
    },
  ],
  [
    'patches in four ways',
    async ({ note, create, patch }) => {
      await create(deployment, web());
      await note(
        'merge',
        patch(deployment, 'web', { type: 'merge', body: { metadata: { labels: { a: 'b' } }, spec: { minReadySeconds: 3 } } }),
      );
      await note('merge away', patch(deployment, 'web', { type: 'merge', body: { metadata: { labels: { a: null } } } }));
      const container = { name: 'main', env: [{ name: 'A', value: 'b' }] };
      await note(
        'strategic',
        patch(deployment, 'web', { type: 'strategic', body: { spec: { template: { spec: { containers: [container] } } } } }),
      );
      await note(
        'json',
        patch(deployment, 'web', {
          type: 'json',
          operations: [
            { op: 'test', path: '/spec/minReadySeconds', value: 3 },
            { op: 'replace', path: '/spec/minReadySeconds', value: 4 },
          ],
        }),
      );
      await note(
        'json that fails',
        patch(deployment, 'web', { type: 'json', operations: [{ op: 'test', path: '/spec/minReadySeconds', value: 9 }] }),
      );
      await note('json to nowhere', patch(deployment, 'web', { type: 'json', operations: [{ op: 'remove', path: '/spec/nothing' }] }));
      await note('of a wrong type', patch(deployment, 'web', { type: 'merge', body: { spec: { minReadySeconds: 'x' } } }));
      await note('not allowed', patch(deployment, 'web', { type: 'merge', body: { spec: { replicas: -1 } } }));
      await note('immutable', patch(deployment, 'web', { type: 'merge', body: { spec: { selector: { matchLabels: { app: 'other' } } } } }));
      await note('of nothing', patch(deployment, 'none', { type: 'merge', body: {} }));
      await note(
        'status through the main endpoint',
        patch(deployment, 'web', { type: 'merge', body: { status: { observedGeneration: 77 } } }),
      );
    },
  ],
  [
    'applies with owners of fields',
    async ({ note, create, patch }) => {
      const body = (data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });
      const apply = (data: Record<string, string>, fieldManager: string, force = false) =>
        patch(configMap, 'a', { type: 'apply', body: body(data), force }, { fieldManager });
      await note('first', apply({ x: '1', y: '1' }, 'one'));
      await note('again', apply({ x: '1', y: '1' }, 'one'));
      await note('conflict', apply({ x: '2' }, 'two'));
      await note('shared', apply({ x: '1' }, 'two'));
      await note('forced', apply({ x: '3' }, 'two', true));
      await note('given up', apply({ y: '1' }, 'one'));
      await note('removed', apply({}, 'two'));
      await note('without a manager', patch(configMap, 'a', { type: 'apply', body: body({}) }, { fieldManager: '' }));
      await note('another name', patch(configMap, 'b', { type: 'apply', body: body({}) }, { fieldManager: 'one' }));
      await create(deployment, web());
      const containers = [
        { name: 'main', image: 'example/web:2' },
        { name: 'side', image: 'example/side:1', ports: [{ containerPort: 80 }] },
      ];
      const applied = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers } } },
      };
      await note('a list by keys, in conflict', patch(deployment, 'web', { type: 'apply', body: applied }, { fieldManager: 'three' }));
      await note('a list by keys', patch(deployment, 'web', { type: 'apply', body: applied, force: true }, { fieldManager: 'three' }));
    },
  ],
  [
    'selects and pages',
    async ({ api, namespace: ns, note, create }) => {
      for (const [name, tier] of [
        ['a', 'front'],
        ['b', 'back'],
        ['c', 'front'],
        ['d', 'none'],
      ] as const)
        await create(configMap, config(name, {}, { labels: { suite: 'select', ...(tier !== 'none' && { tier }) } }));
      const names = async (selection: object) =>
        (await api.list(configMap, { namespace: ns, ...selection })).items.map(({ metadata }) => metadata.name ?? '');
      for (const labelSelector of [
        'tier=front',
        'tier!=front,suite',
        'tier in (front,back)',
        'tier notin (front),suite',
        '!tier,suite=select',
        'tier==',
      ])
        await note(labelSelector, names({ labelSelector }));
      await note('by name', names({ fieldSelector: 'metadata.name=b' }));
      await note('not by name', names({ labelSelector: 'suite', fieldSelector: 'metadata.name!=b' }));
      await note('a bad label selector', names({ labelSelector: 'a in' }));
      await note('an unknown field', names({ fieldSelector: 'data.x=y' }));
      const first = await api.list(configMap, { namespace: ns, labelSelector: 'suite', limit: 3 });
      await note('first page', Promise.resolve({ count: first.items.length, more: first.metadata.continue !== undefined }));
      await note('second page', names({ labelSelector: 'suite', limit: 3, continue: first.metadata.continue }));
      await note('a bad version', names({ resourceVersion: 'x' }));
    },
  ],
  [
    'watches from a version',
    async ({ api, namespace: ns, note, create, patch }) => {
      const { metadata } = await api.list(configMap, { namespace: ns });
      await create(configMap, config('w', { x: '1' }, { labels: { seen: 'yes' } }));
      await patch(configMap, 'w', { type: 'merge', body: { data: { x: '2' } } });
      await patch(configMap, 'w', { type: 'merge', body: { metadata: { labels: { seen: 'no' } } } });
      await api.delete(configMap, { namespace: ns, name: 'w' });
      const watch = (selection: object) =>
        api.watch(configMap, { namespace: ns, resourceVersion: metadata.resourceVersion, timeoutSeconds: 10, ...selection });
      // A namespace of a cluster gets a ConfigMap of its own.
      await note('all', takeEvents(watch({ fieldSelector: 'metadata.name=w' }), 4));
      await note('by label', takeEvents(watch({ labelSelector: 'seen=yes' }), 3));
      await note('from a bad version', takeEvents(watch({ resourceVersion: 'x' }), 1));
    },
  ],
  [
    'deletes with finalizers, preconditions and dependents',
    async ({ api, namespace: ns, note, create, patch, gone }) => {
      const { metadata } = await create(configMap, config('held', {}, { finalizers: ['example.com/hold'] }));
      const ref = { namespace: ns, name: 'held' };
      await note('with another uid', api.delete(configMap, ref, { preconditions: { uid: 'other' } }));
      await note('held', api.delete(configMap, ref, { preconditions: { uid: metadata.uid ?? '' } }));
      await note('still there', api.get(configMap, ref));
      await note(
        'a new finalizer',
        patch(configMap, 'held', { type: 'merge', body: { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } } }),
      );
      await note('let go', patch(configMap, 'held', { type: 'merge', body: { metadata: { finalizers: null } } }));
      await note('gone', api.get(configMap, ref));
      await note('delete of nothing', api.delete(configMap, ref));
      const owned = async (owner: string) => {
        const { metadata: meta } = await create(configMap, config(owner, {}));
        const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: meta.uid ?? '', blockOwnerDeletion: true };
        await create(configMap, config(`${owner}-child`, {}, { ownerReferences: [reference] }));
      };
      await owned('background');
      await note('background', api.delete(configMap, { namespace: ns, name: 'background' }, { propagation: 'Background' }));
      await gone(configMap, 'background-child');
      await owned('foreground');
      await note('foreground', api.delete(configMap, { namespace: ns, name: 'foreground' }, { propagation: 'Foreground' }));
      await gone(configMap, 'foreground');
      await note('the dependent went first', api.get(configMap, { namespace: ns, name: 'foreground-child' }));
      await owned('orphan');
      await note('orphan', api.delete(configMap, { namespace: ns, name: 'orphan' }, { propagation: 'Orphan' }));
      await gone(configMap, 'orphan');
      const child = await api.get(configMap, { namespace: ns, name: 'orphan-child' });
      await note('the orphan', Promise.resolve(child.metadata.ownerReferences ?? 'no owners'));
      await note('all of a label', api.deleteCollection(configMap, { namespace: ns, fieldSelector: 'metadata.name=orphan-child' }));
      await note('none is left', api.get(configMap, { namespace: ns, name: 'orphan-child' }));
    },
  ],
  [
    'lets a namespace go with its content',
    async ({ api, note, create, unique, gone }) => {
      await note('create', create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } }));
      await create(configMap, config('inside', {}, { namespace: unique }));
      await note('a bad name', create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } }));
      const deleted = await api.delete(namespace, { name: unique });
      await note('delete', Promise.resolve({ status: (deleted as { status?: unknown }).status ?? null, kind: deleted.kind }));
      await gone(namespace, unique);
      await note('inside', api.get(configMap, { namespace: unique, name: 'inside' }));
      await note('a namespace that stays', api.delete(namespace, { name: 'kube-system' }));
    },
  ],
];
