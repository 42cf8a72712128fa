/** Those who keep a soak busy: each does something small, again and again, at its own pace and with choices that a seed repeats. */
import { setTimeout as wait } from 'node:timers/promises';
import { applicationSetType, applicationType } from '../../../src/model/index.ts';
import { isStatusError, type KubeObject } from '../../../src/objects/index.ts';
import { kinds } from '../kinds.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { waitUntil } from '../wait-until.ts';
import { githubPush } from '../webhook-payloads.ts';
import type { SoakRecord } from './soak-record.ts';
import { NAMESPACES, type SoakStage } from './soak-stage.ts';

export const SET_NAME = 'soak-set';
const FAR = 'far';

export interface SoakActor {
  readonly name: string;
  /** Between the end of one act and the next, on average. */
  readonly everyMs: number;
  /** Acts only in this first share of the soak. */
  readonly untilShare?: number;
  readonly act: (random: SeededRandom) => Promise<void>;
}

/** Registers the far cluster, and creates the applications and the application set. */
export async function populate({ world, api, farRoad, repositoryUrl, call }: SoakStage): Promise<void> {
  await world.begin();
  const config = { bearerToken: 'anybody', tlsClientConfig: { insecure: true } };
  const answer = await call('POST', '/api/v1/clusters', { server: farRoad.url, name: FAR, config });
  if (answer === 'gone' || answer.status !== 200) throw new Error(`the far cluster cannot be registered: ${JSON.stringify(answer)}`);
  const retry = { limit: -1, backoff: { duration: '2s', factor: 2, maxDuration: '10s' } };
  const automated = { syncPolicy: { automated: { prune: true, selfHeal: true }, retry } };
  const near = { server: 'https://kubernetes.default.svc', namespace: NAMESPACES.near };
  for (const { name, road, isAutomated } of world.applications) {
    const destination = road === 'near' ? near : { name: FAR, namespace: NAMESPACES.far };
    const source = { repoURL: repositoryUrl, path: name, targetRevision: 'HEAD' };
    const spec = { project: 'default', source, destination, ...(isAutomated && automated) };
    await api.create(applicationType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec,
    } as KubeObject);
  }
  const source = { repoURL: repositoryUrl, path: '{{name}}', targetRevision: 'HEAD' };
  const template = { metadata: { name: '{{name}}' }, spec: { project: 'default', source, destination: near, ...automated } };
  await api.create(applicationSetType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: SET_NAME, namespace: 'argocd' },
    spec: { generators: [generatorOf(world.members.slice(0, 2))], template },
  } as KubeObject);
  await waitUntil(async () => {
    const listed = await call('GET', '/api/v1/applications');
    return listed !== 'gone' && world.applications.every(({ name }) => listed.text.includes(`"${name}"`));
  });
}

function generatorOf(members: readonly string[]): { list: { elements: { name: string }[] } } {
  return { list: { elements: members.map((name) => ({ name })) } };
}

export function createActors(stage: SoakStage, record: SoakRecord, durationMs: number): readonly SoakActor[] {
  const outages = createOutages(stage, record, Math.min(20_000, durationMs / 8));
  return [...createAuthors(stage, record), ...createVandals(stage), ...createUsers(stage, record), ...outages];
}

function createAuthors({ world, repositoryUrl, api, call }: SoakStage, record: SoakRecord): readonly SoakActor[] {
  let members = new Set(world.members.slice(0, 2));
  record.members = members;
  return [
    {
      name: 'commit',
      everyMs: 1_500,
      async act(random) {
        await world.change(random);
        // The rest is found by looking.
        if (!random.chance(0.6)) return;
        const { headers, payload } = githubPush({ url: repositoryUrl });
        record.answered('webhook', await call('POST', '/api/webhook', payload, headers));
      },
    },
    {
      name: 'change of the application set',
      everyMs: 6_000,
      async act(random) {
        const member = random.pick(world.members);
        const next = new Set(members);
        if (!next.delete(member)) next.add(member);
        if (next.size === 0) return;
        members = next;
        const body = { spec: { generators: [generatorOf([...next])] } };
        await api.patch(applicationSetType, { namespace: 'argocd', name: SET_NAME }, { type: 'merge', body });
        record.members = next;
      },
    },
  ];
}

/** They change what lives, behind everybody's back. */
function createVandals({ world, api }: SoakStage): readonly SoakActor[] {
  return [
    {
      name: 'drift',
      everyMs: 1_500,
      act: (random) =>
        ignoreMissing(async () => {
          const { name, road } = random.pick(world.applications);
          const namespace = NAMESPACES[road];
          const map = { namespace, name: random.pick([...world.wantedOf(name).maps.keys()]) };
          const choice = random.below(3);
          if (choice === 0) await api.delete(kinds.configMap, map);
          else if (choice === 1) await api.patch(kinds.configMap, map, { type: 'merge', body: { data: { value: 'drifted' } } });
          else await api.patch(kinds.deployment, { namespace, name }, { type: 'merge', body: { spec: { replicas: random.below(3) } } });
        }),
    },
    {
      name: 'pod churn',
      everyMs: 1_000,
      act: (random) =>
        ignoreMissing(async () => {
          const namespace = NAMESPACES[random.chance(0.5) ? 'near' : 'far'];
          const { items } = await api.list(kinds.pod, { namespace });
          if (items.length > 0) await api.delete(kinds.pod, { namespace, name: random.pick(items).metadata.name ?? '' });
        }),
    },
  ];
}

function createUsers({ world, call }: SoakStage, record: SoakRecord): readonly SoakActor[] {
  const path = (name: string, what = ''): string => `/api/v1/applications/${name}${what}`;
  const pick = (random: SeededRandom): string => random.pick(world.applications).name;
  return [
    {
      name: 'sync',
      everyMs: 2_000,
      act: async (random) => record.answered('sync', await call('POST', path(pick(random), '/sync'), { prune: true })),
    },
    {
      name: 'rollback',
      everyMs: 4_000,
      async act(random) {
        const { name } = random.pick(world.applications.filter(({ isAutomated }) => !isAutomated));
        const answer = await call('GET', path(name));
        if (answer === 'gone' || answer.status !== 200) return record.answered('get', answer);
        const { status } = JSON.parse(answer.text) as { status?: { history?: { id?: number }[] } };
        const history = status?.history ?? [];
        if (history.length === 0) return;
        const { id = 0 } = random.pick(history);
        record.answered('rollback', await call('POST', path(name, '/rollback'), { id, prune: true }));
      },
    },
    {
      name: 'termination',
      everyMs: 10_000,
      act: async (random) => record.answered('termination', await call('DELETE', path(pick(random), '/operation'))),
    },
    {
      name: 'refresh',
      everyMs: 5_000,
      act: async (random) =>
        record.answered('refresh', await call('GET', path(pick(random), `?refresh=${random.pick(['normal', 'hard'])}`))),
    },
    { name: 'list', everyMs: 500, act: async () => record.answered('list', await call('GET', '/api/v1/applications')) },
    {
      name: 'look',
      everyMs: 800,
      async act(random) {
        const what = random.pick(['', '/resource-tree', '/managed-resources', '/manifests', '/revisions/', '/events']);
        const rest = what === '/revisions/' ? `${await world.head()}/metadata` : '';
        record.answered(`look${what}`, await call('GET', path(pick(random), what + rest)));
      },
    },
  ];
}

function createOutages({ farRoad, homeRoad, kill }: SoakStage, record: SoakRecord, killEveryMs: number): readonly SoakActor[] {
  const isRead = ({ isWatch }: { isWatch: boolean }): boolean => !isWatch;
  return [
    {
      name: 'outage of the far cluster',
      everyMs: 15_000,
      async act(random) {
        record.disturbed();
        const choice = random.below(5);
        if (choice === 0) farRoad.cutAll();
        else if (choice === 1) farRoad.silenceAll();
        else if (choice === 2)
          farRoad.inject({ kind: 'answer', status: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 }, { only: isRead, times: 5 });
        else if (choice === 3) farRoad.inject({ kind: 'answer', status: 500, reason: 'InternalError' }, { only: isRead, times: 5 });
        else {
          await farRoad.refuse();
          await wait(2_000 + random.below(6_000));
          await farRoad.accept();
          record.disturbed();
        }
      },
    },
    {
      name: 'outage of the home',
      everyMs: 25_000,
      async act(random) {
        record.disturbed();
        if (random.chance(0.5)) return homeRoad.cutAll();
        await homeRoad.refuse();
        await wait(1_000 + random.below(3_000));
        await homeRoad.accept();
        record.disturbed();
      },
    },
    {
      name: 'kill',
      everyMs: killEveryMs,
      // What a process keeps can only be seen to stay the same in one that lives.
      untilShare: 1 / 3,
      async act() {
        record.disturbed();
        await kill();
        record.disturbed();
      },
    },
  ];
}

/** What is drawn may be gone already. */
async function ignoreMissing(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}
