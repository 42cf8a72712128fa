import type { DiscoveredResource, HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import type { ControlPlane } from '../../test/support/cluster/control-plane.ts';
import type { GeneratedCluster } from '../cache/generated-cluster.ts';

/** As many as etcd takes in one transaction, and a few less. */
const OBJECTS_AT_ONCE = 100;
/** Owners before what they own, whose references need their real ids; and where each is kept. */
const FOLDERS: Readonly<Record<string, string>> = {
  deployments: 'deployments',
  replicasets: 'replicasets',
  pods: 'pods',
  services: 'services/specs',
  configmaps: 'configmaps',
  secrets: 'secrets',
};
const coreType = (plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const namespaceType = coreType('namespaces', 'Namespace', false);
const serviceAccountType = coreType('serviceaccounts', 'ServiceAccount', true);

/**
 * Makes a real cluster, in which nothing moves by itself, have the objects that the generated one has. Those of the first sets are written
 * as anybody would; the others are put straight into etcd, with all that the API server added to the first of their kind.
 */
export async function writeCluster(
  { storageUrl }: ControlPlane,
  api: HttpKubeApi,
  generated: GeneratedCluster,
  setsByApi: number,
): Promise<void> {
  const uids = new Map<string, string>();
  const { resources } = await generated.api.discover();
  const deployments = typeOf(resources, 'deployments');
  const namespaces = new Set<string>();
  for await (const { metadata } of listAll(generated, deployments)) namespaces.add(metadata.namespace ?? '');
  for (const name of namespaces) await createNamespace(api, name);
  for (const [plural, folder] of Object.entries(FOLDERS)) {
    const type = typeOf(resources, plural);
    let sample: KubeObject | undefined;
    let waiting: KubeObject[] = [];
    for await (const object of listAll(generated, type)) {
      if (setOf(object) < setsByApi) {
        const created = await createByApi(api, type, withRealOwner(object, uids), object['status']);
        uids.set(`${object.kind} ${object.metadata.name}`, created.metadata.uid ?? '');
        sample ??= created;
        continue;
      }
      waiting.push(likeSample(object, sample));
      if (waiting.length === OBJECTS_AT_ONCE) {
        await store(storageUrl, folder, waiting);
        waiting = [];
      }
    }
    if (waiting.length > 0) await store(storageUrl, folder, waiting);
  }
}

function typeOf(resources: readonly DiscoveredResource[], plural: string): DiscoveredResource {
  const type = resources.find((resource) => resource.plural === plural);
  if (type === undefined) throw new Error(`the generated cluster has no ${plural}`);
  return type;
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

function setOf({ metadata }: KubeObject): number {
  return Number((metadata.labels?.['app'] ?? '').replace('web-', ''));
}

async function createByApi(api: HttpKubeApi, type: ResourceType, object: KubeObject, status: unknown): Promise<KubeObject> {
  const { namespace = '', name = '' } = object.metadata;
  const created = await api.create(type, object, { keepManagedFields: true });
  if (status === undefined) return created;
  const body = { status } as JsonObject;
  return api.patch(type, { namespace, name }, { type: 'merge', body }, { subresource: 'status', keepManagedFields: true });
}

/** As somebody would write it who lets the server fill in what is the server's. */
function withRealOwner(object: KubeObject, uids: ReadonlyMap<string, string>): KubeObject {
  const { status: _status, metadata, ...rest } = object;
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, generation: _generation, ownerReferences, ...kept } = metadata;
  const owners = ownerReferences?.map((owner) => ({ ...owner, uid: uids.get(`${owner.kind} ${owner.name}`) ?? owner.uid }));
  const { clusterIP: _address, ...spec } = (rest['spec'] ?? {}) as JsonObject;
  return { ...rest, ...(rest['spec'] !== undefined && { spec }), metadata: { ...kept, ...(owners && { ownerReferences: owners }) } };
}

/** What the server made of the sample, for another set. */
function likeSample(object: KubeObject, sample: KubeObject | undefined): KubeObject {
  if (sample === undefined) throw new Error('the first sets are written through the API');
  const first = sample.metadata.labels?.['app'] ?? '';
  const { metadata: own, ...body } = JSON.parse(JSON.stringify(sample).replaceAll(first, `web-${setOf(object)}`)) as KubeObject;
  const { resourceVersion: _version, ...metadata } = object.metadata;
  const { managedFields = [] } = own;
  return { ...body, ...(object['data'] !== undefined && { data: object['data'] }), metadata: { ...metadata, managedFields } };
}

async function store(storageUrl: string, folder: string, objects: readonly KubeObject[]): Promise<void> {
  const success = objects.map((object) => ({
    requestPut: {
      key: base64(`/registry/${folder}/${object.metadata.namespace}/${object.metadata.name}`),
      value: base64(JSON.stringify(object)),
    },
  }));
  const answer = await fetch(`${storageUrl}/v3/kv/txn`, { method: 'POST', body: JSON.stringify({ success }) });
  if (!answer.ok) throw new Error(`etcd refused the objects: ${answer.status} ${await answer.text()}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
