import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '../../src/base/index.ts';
import { createObjectStore, type ObjectStore } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { kinds } from '../../test/support/kinds.ts';
import { ADMIN_PASSWORD, type Contender } from './contenders.ts';
import { DESTINATION_NAMESPACE, type Crowd } from './crowd.ts';
import type { Scale } from './workload.ts';

const SETTLE_LIMIT_MS = 1_500_000;
const POLL_MS = 5;
/** To look at a whole crowd takes a moment itself. */
const CROWD_POLL_MS = 50;
const WRITERS = 8;
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

/** An installation of a tool with a crowd of applications for it, and what every workload does there. */
export interface Stage extends AsyncDisposable {
  readonly contender: Contender;
  readonly crowd: Crowd;
  readonly scale: Scale;
  /** Applications as they are in the cluster, whoever wrote them. */
  readonly applications: ObjectStore;
  /** A token of the administrator. */
  readonly token: string;
  /** Creates the applications where nobody has yet, and waits until all are Synced and Healthy. */
  readonly settle: () => Promise<void>;
  /** Resolves once this is true of all of them; at most so long. Answers with when that was seen. */
  readonly until: (isThere: () => boolean, limitMs?: number, pollMs?: number) => Promise<number>;
  readonly get: (name: string) => Application | undefined;
  /** Changes the live ConfigMap of an application, as somebody who is none of the contenders, or takes that back. */
  readonly drift: (name: string, isBack?: 'back') => Promise<void>;
  /** Does something for each, a few at a time. */
  readonly forEach: <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) => Promise<void>;
}

export async function openStage(contender: Contender, crowd: Crowd, scale: Scale): Promise<Stage> {
  const { api } = contender;
  await api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DESTINATION_NAMESPACE } });
  const applications = createObjectStore({ api, type: applicationType, namespace: 'argocd', log });
  applications.start();
  await applications.whenSynced(30_000);
  const token = await signIn(contender.url);
  const get = (name: string): Application | undefined => applications.get({ namespace: 'argocd', name }) as Application | undefined;
  let isCreated = false;
  return {
    contender,
    crowd,
    scale,
    applications,
    token,
    until,
    get,
    forEach,
    async settle() {
      if (!isCreated) await forEach(crowd.applications, (application) => api.create(applicationType, application));
      isCreated = true;
      await until(() => crowd.names.every((name) => isSettled(get(name))), SETTLE_LIMIT_MS, CROWD_POLL_MS);
    },
    async drift(name, isBack) {
      // What the repository does not mention would be no difference.
      const body = { data: { mark: isBack ? crowd.markOf(name) : 'drifted' } };
      await api.patch(kinds.configMap, { namespace: DESTINATION_NAMESPACE, name }, { type: 'merge', body }, { fieldManager: 'somebody' });
    },
    async [Symbol.asyncDispose]() {
      await applications.stop();
    },
  };
}

export function isSettled(application: KubeObject | Application | undefined): boolean {
  const { status, operation } = (application ?? {}) as Partial<Application>;
  return operation === undefined && status?.sync?.status === 'Synced' && status.health?.status === 'Healthy';
}

async function until(isThere: () => boolean, limitMs = 300_000, pollMs = POLL_MS): Promise<number> {
  const startMs = performance.now();
  while (!isThere()) {
    if (performance.now() - startMs > limitMs) throw new Error(`what was waited for did not happen within ${limitMs / 1000} s`);
    await wait(pollMs);
  }
  return performance.now();
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  const next = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: WRITERS }, next));
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (!answer.ok || token === undefined) throw new Error(`the administrator cannot sign in: ${answer.status}`);
  return token;
}
