import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { KubeObject, OwnerReference } from '../../objects/index.ts';
import { createRowMaker, type StoredRow } from './make-row.ts';
import { keyOf, RowIndex } from './row-index.ts';
import { walkTree } from './walk-tree.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

function typeOf(apiVersion: string, kind: string): ResourceType {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group: group ?? '', version: version ?? '', kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

/** An index with the rows of these objects. */
function indexOf(objects: readonly KubeObject[]) {
  const rows = new Map<string, StoredRow>();
  const index = new RowIndex((group, kind, namespace, name) => rows.get(`${group}/${kind}/${namespace}/${name}`));
  for (const object of objects) {
    const make = createRowMaker({
      type: typeOf(object.apiVersion, object.kind),
      rules: {
        instanceOf: ({ metadata }) => metadata.labels?.['app'],
        healthOf: () => undefined,
        factsOf: () => ({ name: object.metadata.name ?? '' }),
      },
      log,
      shareText: (text) => text,
      findOwners: (uid) => index.ownersOfChildren(uid),
    });
    const row = make(object);
    rows.set(keyOf(row), row);
    index.add(row);
  }
  const row = (key: string): StoredRow => {
    const found = rows.get(key);
    if (found === undefined) throw new Error(`no row ${key}`);
    return found;
  };
  const tree = (key: string): string[] =>
    walkTree(index, [row(key)]).map((one) => [keyOf(one.row as StoredRow), ...one.parents.map(({ name }) => name)].join(' < '));
  return { index, row, tree };
}

function object(apiVersion: string, kind: string, name: string, more: Partial<KubeObject['metadata']> = {}, rest: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'space', uid: `uid-${kind}-${name}`, ...more }, ...rest };
}

function owner(apiVersion: string, kind: string, name: string, uid = `uid-${kind}-${name}`): OwnerReference {
  return { apiVersion, kind, name, uid };
}

describe('what belongs to what', () => {
  it('is followed down and up by the owners that objects name', () => {
    const { index, row, tree } = indexOf([
      object('apps/v1', 'Deployment', 'web', { labels: { app: 'shop' } }),
      object('apps/v1', 'ReplicaSet', 'web-1', { ownerReferences: [owner('apps/v1', 'Deployment', 'web')] }),
      object('v1', 'Pod', 'web-1-a', { ownerReferences: [owner('apps/v1', 'ReplicaSet', 'web-1')] }),
      object('v1', 'Pod', 'web-1-b', { ownerReferences: [owner('apps/v1', 'ReplicaSet', 'web-1')] }),
    ]);
    expect(tree('apps/Deployment/space/web')).toEqual([
      'apps/Deployment/space/web',
      'apps/ReplicaSet/space/web-1 < web',
      '/Pod/space/web-1-a < web-1',
      '/Pod/space/web-1-b < web-1',
    ]);
    expect([...index.instancesAbove(row('/Pod/space/web-1-b'))]).toEqual(['shop']);
    expect(row('/Pod/space/web-1-a').owners).toBe(row('/Pod/space/web-1-b').owners);
  });

  it('knows owners of no namespace, and children in any', () => {
    const { tree } = indexOf([
      object('example.org/v1', 'Tenant', 'one', { namespace: '' }),
      object('v1', 'ConfigMap', 'a', { namespace: 'first', ownerReferences: [owner('example.org/v1', 'Tenant', 'one')] }),
      object('v1', 'ConfigMap', 'b', { namespace: 'second', ownerReferences: [owner('example.org/v1', 'Tenant', 'one')] }),
    ]);
    expect(tree('example.org/Tenant//one')).toHaveLength(3);
  });

  it('finds an owner without a uid by its name', () => {
    const { tree } = indexOf([
      object('v1', 'Service', 'web'),
      object('v1', 'Endpoints', 'web'),
      object('example.org/v1', 'Part', 'part', { ownerReferences: [owner('v1', 'Service', 'web', '')] }),
    ]);
    expect(tree('/Service/space/web')).toEqual(['/Service/space/web', '/Endpoints/space/web < web', 'example.org/Part/space/part < web']);
  });

  it.each([
    ['a claim of a stateful set', 'data-db-0', true],
    ['a claim of its second template', 'log-db-12', true],
    ['a claim of another set', 'data-other-0', false],
    ['a claim whose name only starts alike', 'data-db-x', false],
  ])('ties %s as its name says', (_title, name, isChild) => {
    const spec = { volumeClaimTemplates: [{ metadata: { name: 'data' } }, { metadata: { name: 'log' } }] };
    const { index, row, tree } = indexOf([
      object('apps/v1', 'StatefulSet', 'db', { labels: { app: 'store' } }, { spec }),
      object('v1', 'PersistentVolumeClaim', name),
    ]);
    expect(tree('apps/StatefulSet/space/db')).toHaveLength(isChild ? 2 : 1);
    expect([...index.instancesAbove(row(`/PersistentVolumeClaim/space/${name}`))]).toEqual(isChild ? ['store'] : []);
  });

  it('ties the token of a service account to it', () => {
    const annotations = { 'kubernetes.io/service-account.name': 'bot', 'kubernetes.io/service-account.uid': 'uid-ServiceAccount-bot' };
    const { tree } = indexOf([
      object('v1', 'ServiceAccount', 'bot'),
      object('v1', 'Secret', 'bot-token', { annotations }, { type: 'kubernetes.io/service-account-token' }),
      object('v1', 'Secret', 'plain', { annotations }, { type: 'Opaque' }),
    ]);
    expect(tree('/ServiceAccount/space/bot')).toEqual(['/ServiceAccount/space/bot', '/Secret/space/bot-token < bot']);
  });

  it('ties an operator to its group', () => {
    const annotations = { 'olm.operatorGroup': 'group' };
    const { tree } = indexOf([
      object('operators.coreos.com/v1', 'OperatorGroup', 'group'),
      object('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'operator.v1', { annotations }),
    ]);
    expect(tree('operators.coreos.com/OperatorGroup/space/group')).toHaveLength(2);
  });

  it('shows an object that is served in two groups once, and ends where owners own each other', () => {
    const { index, row, tree } = indexOf([
      object('networking.k8s.io/v1', 'Ingress', 'web', { uid: 'same' }),
      object('extensions/v1beta1', 'Ingress', 'web', { uid: 'same' }),
      object('v1', 'ConfigMap', 'a', { ownerReferences: [owner('v1', 'ConfigMap', 'b')] }),
      object('v1', 'ConfigMap', 'b', { ownerReferences: [owner('v1', 'ConfigMap', 'a')] }),
      object('v1', 'ConfigMap', 'child', { ownerReferences: [owner('networking.k8s.io/v1', 'Ingress', 'web', 'same')] }),
    ]);
    expect(tree('/ConfigMap/space/a')).toHaveLength(2);
    expect([...index.instancesAbove(row('/ConfigMap/space/a'))]).toEqual([]);
    expect(index.parentsOf(row('/ConfigMap/space/child')).map(keyOf)).toEqual(['extensions/Ingress/space/web']);
  });
});

describe('what an application manages', () => {
  const marked = { labels: { app: 'shop' } };

  it('is what says so and has no owner; whatever has one copied it', () => {
    const { index, row } = indexOf([
      object('v1', 'ConfigMap', 'own', marked),
      object('v1', 'Pod', 'copied', { ...marked, ownerReferences: [owner('apps/v1', 'ReplicaSet', 'x')] }),
      object('v1', 'ConfigMap', 'free'),
    ]);
    expect([...index.managed('shop').keys()]).toEqual(['/ConfigMap/space/own']);
    expect(row('/ConfigMap/space/own').body).toBeDefined();
    expect(row('/Pod/space/copied')).toMatchObject({ instance: '', body: undefined });
    expect([...index.topLevel('space')].map(({ name }) => name)).toEqual(['own', 'free']);
  });

  it('leaves nothing behind when all rows have gone', () => {
    const { index, row } = indexOf([
      object('v1', 'ConfigMap', 'own', marked),
      object('v1', 'ConfigMap', 'child', { ownerReferences: [owner('v1', 'ConfigMap', 'own')] }),
    ]);
    const [own, child] = [row('/ConfigMap/space/own'), row('/ConfigMap/space/child')];
    index.remove(own);
    index.remove(child);
    expect(index.managed('shop').size).toBe(0);
    expect([...index.topLevel('space')]).toEqual([]);
    expect([...index.childrenOf(own)]).toEqual([]);
    expect(index.parentsOf(child)).toEqual([]);
  });

  it('keeps the time of its making and what the tree shows', () => {
    const { row } = indexOf([
      object('v1', 'ConfigMap', 'a', { creationTimestamp: '2026-01-02T03:04:05Z' }),
      object('v1', 'ConfigMap', 'b'),
    ]);
    expect(row('/ConfigMap/space/a')).toMatchObject({ createdAt: '2026-01-02T03:04:05Z', facts: { name: 'a' } });
    expect(row('/ConfigMap/space/b').createdAt).toBe('');
  });

  it('costs only the answer of a rule that throws', () => {
    const lines: string[] = [];
    const make = createRowMaker({
      type: typeOf('v1', 'ConfigMap'),
      rules: {
        instanceOf: () => 'shop',
        healthOf: () => {
          throw new Error('broken rule');
        },
        factsOf: () => undefined,
      },
      log: createLogger({ level: 'error', format: 'text', write: (line) => void lines.push(line) }),
      shareText: (text) => text,
      findOwners: () => undefined,
    });
    expect(make(object('v1', 'ConfigMap', 'a'))).toMatchObject({ instance: 'shop', health: undefined });
    make(object('v1', 'ConfigMap', 'b'));
    expect(lines).toHaveLength(1);
  });
});
