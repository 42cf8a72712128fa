import type { JsonObject } from '../../src/contract/index.ts';
import { SeededRandom } from '../../test/support/seeded-random.ts';

const TEAMS = ['payments', 'checkout', 'search', 'identity', 'catalogue', 'platform', 'analytics', 'Zürich'] as const;
const STAGES = ['dev', 'staging', 'production'] as const;
const KINDS: readonly (readonly [group: string, version: string, kind: string])[] = [
  ['', 'v1', 'Service'],
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Secret'],
  ['', 'v1', 'ServiceAccount'],
  ['apps', 'v1', 'Deployment'],
  ['apps', 'v1', 'StatefulSet'],
  ['batch', 'v1', 'CronJob'],
  ['networking.k8s.io', 'v1', 'Ingress'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['rbac.authorization.k8s.io', 'v1', 'RoleBinding'],
];
const FIRST_TIME_MS = Date.UTC(2024, 0, 2, 3, 4, 5);

/** Applications as a busy installation has them, about 8 KB of JSON each; the same in every run. */
export function createRealisticApplications(count: number): JsonObject[] {
  const random = new SeededRandom(20_240_102);
  return Array.from({ length: count }, (_, index) => createApplication(random, index));
}

function createApplication(random: SeededRandom, index: number): JsonObject {
  const team = random.pick(TEAMS);
  const stage = random.pick(STAGES);
  const name = `${team.toLowerCase()}-${stage}-${String(index).padStart(5, '0')}`;
  const source = createSource(random, team, stage);
  const destination = { server: `https://cluster-${random.below(20)}.example.com:6443`, namespace: `${team.toLowerCase()}-${stage}` };
  return {
    metadata: createMetadata(random, name, team, stage),
    spec: {
      source,
      destination,
      project: team.toLowerCase(),
      syncPolicy: {
        automated: { prune: true, selfHeal: stage !== 'production' },
        syncOptions: ['CreateNamespace=true', 'ServerSideApply=true', 'PruneLast=true'],
        retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '3m0s' } },
      },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
      revisionHistoryLimit: 10,
    },
    status: createStatus(random, name, source, destination),
  };
}

function createMetadata(random: SeededRandom, name: string, team: string, stage: string): JsonObject {
  return {
    name,
    namespace: 'argocd',
    uid: `${random.hex(8)}-${random.hex(4)}-${random.hex(4)}-${random.hex(4)}-${random.hex(12)}`,
    resourceVersion: String(1_000_000 + random.below(9_000_000)),
    generation: 1 + random.below(5000),
    creationTimestamp: time(random),
    labels: { 'app.kubernetes.io/part-of': team, 'example.com/stage': stage, 'example.com/owner': `team-${team}` },
    annotations: {
      'argocd.argoproj.io/refresh': 'normal',
      'notifications.argoproj.io/subscribe.on-sync-failed.slack': `alerts-${team}`,
      'example.com/description': `The ${team} service in ${stage}, kept by its team and deployed from the main branch.`,
    },
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  };
}

function createSource(random: SeededRandom, team: string, stage: string): JsonObject {
  return {
    repoURL: `https://git.example.com/${team}/deployments.git`,
    path: `charts/${team}`,
    targetRevision: random.pick(['main', 'HEAD', 'release-1.2']),
    helm: {
      releaseName: team,
      valueFiles: ['values.yaml', `values-${stage}.yaml`],
      parameters: [
        { name: 'image.tag', value: random.hex(12), forceString: true },
        { name: 'replicas', value: String(1 + random.below(9)) },
      ],
      valuesObject: {
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
        ingress: { enabled: true, hosts: [`${team}.example.com`] },
      },
    },
  };
}

function createStatus(random: SeededRandom, name: string, source: JsonObject, destination: JsonObject): JsonObject {
  const revision = random.hex(40);
  const resources = Array.from({ length: 7 }, (_, index) => createResource(random, name, index));
  return {
    resources,
    sync: { status: random.pick(['Synced', 'OutOfSync']), comparedTo: { source, destination }, revision },
    health: { status: random.pick(['Healthy', 'Progressing', 'Degraded']), lastTransitionTime: time(random) },
    history: Array.from({ length: 2 }, (_, id) => ({
      revision: random.hex(40),
      deployedAt: time(random),
      deployStartedAt: time(random),
      id,
      source,
      initiatedBy: { automated: true },
    })),
    conditions: [
      {
        type: 'SyncError',
        message: 'one or more objects failed to apply: the server could not find the requested resource',
        lastTransitionTime: time(random),
      },
    ],
    reconciledAt: time(random),
    operationState: {
      operation: { sync: { revision, prune: true }, initiatedBy: { automated: true }, retry: { limit: 5 } },
      phase: 'Succeeded',
      message: 'successfully synced (all tasks run)',
      startedAt: time(random),
      finishedAt: time(random),
      syncResult: { resources: resources.map((resource) => createResult(resource)), revision, source },
    },
    sourceType: 'Helm',
    summary: {
      images: Array.from({ length: 4 }, (_, index) => `registry.example.com/${name}/component-${index}:${random.hex(12)}`),
      externalURLs: [`https://${name}.example.com/`],
    },
    controllerNamespace: 'argocd',
  };
}

function createResource(random: SeededRandom, name: string, index: number): JsonObject {
  const [group, version, kind] = random.pick(KINDS);
  return {
    ...(group !== '' && { group }),
    version,
    kind,
    namespace: name,
    name: `${name}-${index}`,
    status: random.pick(['Synced', 'OutOfSync']),
    health: { status: 'Healthy' },
    ...(index % 5 === 0 && { requiresPruning: true }),
  };
}

function createResult(resource: JsonObject): JsonObject {
  const { version, kind, namespace, name } = resource as { version: string; kind: string; namespace: string; name: string };
  return {
    group: (resource['group'] as string | undefined) ?? '',
    version,
    kind,
    namespace,
    name,
    status: 'Synced',
    message: `${kind.toLowerCase()}/${name} serverside-applied`,
    hookPhase: 'Running',
    syncPhase: 'Sync',
  };
}

function time(random: SeededRandom): string {
  return new Date(FIRST_TIME_MS + random.below(50_000_000) * 1000).toISOString().replace('.000', '');
}
