import type { DiscoveredResource, HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import type { GeneratedCluster } from '../cache/generated-cluster.ts';

const WRITERS = 24;
/** Owners before what they own, whose references need their real ids. */
const ORDER = ['deployments', 'replicasets', 'pods', 'services', 'configmaps', 'secrets'];
const coreType = (plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const namespaceType = coreType('namespaces', 'Namespace', false);
const serviceAccountType = coreType('serviceaccounts', 'ServiceAccount', true);

/** Makes a real cluster, in which nothing moves by itself, have the objects that the generated one has. */
export async function writeCluster(api: HttpKubeApi, generated: GeneratedCluster): Promise<void> {
  const namespaces = new Map<string, Promise<void>>();
  const uids = new Map<string, string>();
  const { resources } = await generated.api.discover();
  for (const plural of ORDER) {
    const type = resources.find((resource) => resource.plural === plural);
    if (type === undefined) throw new Error(`the generated cluster has no ${plural}`);
    await forEachAtOnce(listAll(generated, type), async (object) => {
      const { namespace = '', name = '' } = object.metadata;
      if (!namespaces.has(namespace)) namespaces.set(namespace, createNamespace(api, namespace));
      await namespaces.get(namespace);
      const created = await api.create(type, withRealOwner(object, uids));
      const key = `${object.kind} ${name}`;
      if (created.metadata.uid !== undefined && (plural === 'deployments' || plural === 'replicasets')) uids.set(key, created.metadata.uid);
      if (object['status'] === undefined) return;
      const body = { status: object['status'] } as JsonObject;
      await api.patch(type, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
    });
  }
}

async function createNamespace(api: HttpKubeApi, name: string): Promise<void> {
  await api.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  // Pods are refused without it, and there is no controller that would make it.
  await api.create(serviceAccountType, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } });
}

async function* listAll({ api }: GeneratedCluster, type: DiscoveredResource): AsyncGenerator<KubeObject> {
  for (let from: string | undefined = '0'; from !== undefined;) {
    const { items, metadata } = await api.list(type, { limit: 500, continue: from });
    yield* items;
    from = metadata.continue;
  }
}

/** As somebody would write it who lets the server fill in what is the server's. */
function withRealOwner(object: KubeObject, uids: ReadonlyMap<string, string>): KubeObject {
  const { status: _status, metadata, ...rest } = object;
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, generation: _generation, ownerReferences, ...kept } = metadata;
  const owners = ownerReferences?.map((owner) => ({ ...owner, uid: uids.get(`${owner.kind} ${owner.name}`) ?? owner.uid }));
  const { clusterIP: _address, ...spec } = (rest['spec'] ?? {}) as JsonObject;
  return { ...rest, ...(rest['spec'] !== undefined && { spec }), metadata: { ...kept, ...(owners && { ownerReferences: owners }) } };
}

async function forEachAtOnce<Item>(items: AsyncGenerator<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = await items.next(); next.done !== true; next = await items.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: WRITERS }, worker));
}
