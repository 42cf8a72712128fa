/** A cluster that exists only while it is asked: objects of ordinary shape and size, made from text as a real answer would be. */
import type { DiscoveredResource, KubeApi, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';

const NAMESPACES = 200;
const PODS_PER_SET = 3;

export interface GeneratedCluster {
  readonly api: KubeApi;
  /** Objects of all kinds. */
  readonly objects: number;
  /** Tells everybody who watches pods that one has changed; the object is made from text. */
  changePod(index: number, version: number): void;
  readonly pods: number;
  /** The managed objects of a set, as text. */
  textsOf(set: number): readonly string[];
}

const type = (group: string, version: string, plural: string, kind: string): DiscoveredResource => ({
  group,
  version,
  plural,
  kind,
  namespaced: true,
  singular: kind.toLowerCase(),
  shortNames: [],
  categories: [],
  verbs: ['list', 'watch'],
  subresources: [],
  preferred: true,
});

/** `sets` deployments, each with a replica set, three pods, a service, a config map and a secret that the cluster made itself. */
export function generateCluster(sets: number): GeneratedCluster {
  const makers: readonly { readonly type: DiscoveredResource; readonly count: number; readonly make: (index: number) => string }[] = [
    { type: type('apps', 'v1', 'deployments', 'Deployment'), count: sets, make: (index) => workload(index, 'Deployment') },
    { type: type('apps', 'v1', 'replicasets', 'ReplicaSet'), count: sets, make: (index) => workload(index, 'ReplicaSet') },
    { type: type('', 'v1', 'pods', 'Pod'), count: sets * PODS_PER_SET, make: (index) => pod(index, 1) },
    { type: type('', 'v1', 'services', 'Service'), count: sets, make: service },
    { type: type('', 'v1', 'configmaps', 'ConfigMap'), count: sets, make: configMap },
    { type: type('', 'v1', 'secrets', 'Secret'), count: sets, make: secret },
  ];
  const byPlural = new Map(makers.map((maker) => [maker.type.plural, maker]));
  const feeds = new Map<string, ((event: WatchEvent) => void) | undefined>();
  const unserved = (): never => {
    throw new Error('the generated cluster only lists and watches');
  };
  const api: KubeApi = {
    discover: () => Promise.resolve({ resources: makers.map((maker) => maker.type), failures: [] }),
    version: () => Promise.resolve({ gitVersion: 'v1.36.3' }),
    list: ({ plural }, { limit = 500, continue: from = '0' }: ListOptions = {}) => {
      const maker = byPlural.get(plural) ?? unserved();
      const start = Number(from);
      const end = Math.min(start + limit, maker.count);
      const items = Array.from({ length: end - start }, (_, offset) => JSON.parse(maker.make(start + offset)) as KubeObject);
      const page: ObjectList = { metadata: { resourceVersion: '1', ...(end < maker.count && { continue: String(end) }) }, items };
      return Promise.resolve(page);
    },
    watch: ({ plural }, options = {}) => follow(options, (send) => void feeds.set(plural, send)),
    openApi: () => Promise.resolve(undefined),
    get: unserved,
    create: unserved,
    update: unserved,
    patch: unserved,
    delete: unserved,
    deleteCollection: unserved,
    logs: unserved,
  };
  return {
    api,
    objects: makers.reduce((sum, { count }) => sum + count, 0),
    pods: sets * PODS_PER_SET,
    textsOf: (set) => [workload(set, 'Deployment'), service(set), configMap(set)],
    changePod: (index, version) => feeds.get('pods')?.({ type: 'MODIFIED', object: JSON.parse(pod(index, version)) as KubeObject }),
  };
}

/** `open` is handed what sends events, and in the end nothing. */
async function* follow(
  { signal, onOpen }: WatchOptions,
  open: (send: ((event: WatchEvent) => void) | undefined) => void,
): AsyncIterable<WatchEvent> {
  const events: WatchEvent[] = [];
  let wake = (): void => undefined;
  open((event) => {
    events.push(event);
    wake();
  });
  signal?.addEventListener('abort', () => wake());
  onOpen?.();
  try {
    while (signal?.aborted !== true) {
      yield* events.splice(0);
      await new Promise<void>((resolve) => {
        wake = resolve;
        // What happened between the last look and now has woken nobody.
        if (events.length > 0 || signal?.aborted === true) resolve();
      });
    }
  } finally {
    open(undefined);
  }
}

const namespaceOf = (set: number): string => `team-${set % NAMESPACES}`;
const uid = (kind: string, index: number): string => `${kind.slice(0, 8).padEnd(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`;
const metadata = (kind: string, index: number, set: number, name: string, more = ''): string =>
  `"metadata":{"name":"${name}","namespace":"${namespaceOf(set)}","uid":"${uid(kind, index)}","resourceVersion":"${1000 + index}",` +
  `"creationTimestamp":"2026-01-02T03:04:05Z","generation":1,` +
  `"labels":{"app":"web-${set}","app.kubernetes.io/part-of":"shop","pod-template-hash":"5d4f8c7b9${set % 10}"}${more}}`;
const tracking = (kind: string, set: number): string =>
  `,"annotations":{"argocd.argoproj.io/tracking-id":"app-${Math.floor(set / 10)}:${kind}:${namespaceOf(set)}/web-${set}"}`;
const owner = (apiVersion: string, kind: string, index: number, name: string): string =>
  `,"ownerReferences":[{"apiVersion":"${apiVersion}","kind":"${kind}","name":"${name}","uid":"${uid(kind, index)}","controller":true,"blockOwnerDeletion":true}]`;
const container =
  '{"name":"main","image":"registry.example.org/team/web:1.2.3","ports":[{"containerPort":8080,"protocol":"TCP"}],' +
  '"env":[{"name":"A","value":"one"},{"name":"B","value":"two"}],"resources":{"requests":{"cpu":"100m","memory":"128Mi"}},' +
  '"livenessProbe":{"httpGet":{"path":"/healthz","port":8080}},"terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"}';

function workload(set: number, kind: 'Deployment' | 'ReplicaSet'): string {
  const isRoot = kind === 'Deployment';
  const more = isRoot ? tracking('apps/Deployment', set) : owner('apps/v1', 'Deployment', set, `web-${set}`);
  const name = isRoot ? `web-${set}` : `web-${set}-5d4f8c7b9${set % 10}`;
  return (
    `{"apiVersion":"apps/v1","kind":"${kind}",${metadata(kind, set, set, name, more)},` +
    `"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web-${set}"}},"template":{"metadata":{"labels":{"app":"web-${set}"}},` +
    `"spec":{"containers":[${container}],"restartPolicy":"Always","dnsPolicy":"ClusterFirst"}}},` +
    `"status":{"observedGeneration":1,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3}}`
  );
}

function pod(index: number, version: number): string {
  const set = Math.floor(index / PODS_PER_SET);
  const name = `web-${set}-5d4f8c7b9${set % 10}-${index.toString(36).padStart(5, 'x')}`;
  const more = owner('apps/v1', 'ReplicaSet', set, `web-${set}-5d4f8c7b9${set % 10}`);
  const text = metadata('Pod', index, set, name, more).replace(
    /"resourceVersion":"\d+"/,
    `"resourceVersion":"${1000 + index * 100 + version}"`,
  );
  return (
    `{"apiVersion":"v1","kind":"Pod",${text},"spec":{"containers":[${container}],"nodeName":"node-${index % 50}","restartPolicy":"Always"},` +
    `"status":{"phase":"Running","podIP":"10.0.0.1","startTime":"2026-01-02T03:04:05Z","conditions":[{"type":"Ready","status":"True"}],` +
    `"containerStatuses":[{"name":"main","ready":true,"restartCount":${version % 3},"state":{"running":{"startedAt":"2026-01-02T03:04:05Z"}}}]}}`
  );
}

function service(set: number): string {
  return (
    `{"apiVersion":"v1","kind":"Service",${metadata('Service', set, set, `web-${set}`, tracking('/Service', set))},` +
    `"spec":{"type":"ClusterIP","clusterIP":"10.1.0.1","ports":[{"port":80,"targetPort":8080}],"selector":{"app":"web-${set}"}}}`
  );
}

function configMap(set: number): string {
  const data = Array.from({ length: 8 }, (_, line) => `"key-${line}":"a value of some length for line ${line} of ${set}"`).join();
  return `{"apiVersion":"v1","kind":"ConfigMap",${metadata('ConfigMap', set, set, `web-${set}`, tracking('/ConfigMap', set))},"data":{${data}}}`;
}

function secret(set: number): string {
  return `{"apiVersion":"v1","kind":"Secret",${metadata('Secret', set, set, `made-${set}`)},"type":"Opaque","data":{"token":"${'c2VjcmV0'.repeat(40)}"}}`;
}
