/** A control plane of its own, roads to it that can be broken, a repository, and a Fairway that can be killed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ALLOCATOR, YOUNG_FLAG } from '../../../bin/keep-memory-small.mjs';
import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { connectTo } from '../cluster/shared-cluster.ts';
import { startFairway, type Fairway } from '../fairway.ts';
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts';
import { startGitHttpServer } from '../git-http-server.ts';
import { createGitRepository } from '../git-repository.ts';
import { kinds } from '../kinds.ts';
import { collectingEnvironment } from '../level/process-level.ts';
import { ensureTool } from '../tools/ensure-tool.ts';
import { SoakWorld } from './soak-world.ts';

export const NAMESPACES = { near: 'soak-near', far: 'soak-far' } as const;
const SETTINGS = { 'timeout.reconciliation': '15s', 'timeout.reconciliation.jitter': '5s' };
const CALL_LIMIT_MS = 60_000;
const STARTS_MAX = 30;
const START_PAUSE_MS = 1_000;

export interface SoakOptions {
  readonly applications: number;
  readonly members: number;
}

/** An answer, or `gone` where the process was killed before it came. */
export type SoakAnswer = { readonly status: number; readonly text: string } | 'gone';

export interface SoakStage {
  readonly world: SoakWorld;
  readonly repositoryUrl: string;
  /** Past all roads that break. */
  readonly api: HttpKubeApi;
  /** Between Fairway and its home. */
  readonly homeRoad: FaultProxy;
  /** Between Fairway and the cluster `far`. */
  readonly farRoad: FaultProxy;
  /** The process of this moment; undefined between a kill and the next start. */
  readonly fairway: Fairway | undefined;
  /** All that the processes so far have written. */
  readonly output: () => string;
  /** As the administrator, with one token for the whole soak. Throws where the call fails though the process lives. */
  readonly call: (verb: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<SoakAnswer>;
  readonly headers: () => Readonly<Record<string, string>>;
  /** As a power cut would; then starts it again. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openSoakStage(options: SoakOptions): Promise<SoakStage> {
  const plane = await startControlPlane();
  const api = await connectTo(plane);
  const [homeRoad, farRoad] = await Promise.all([startFaultProxy(plane), startFaultProxy(plane)]);
  const repository = await createGitRepository();
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  const world = new SoakWorld(repository, options);
  const folder = await mkdtemp(join(tmpdir(), 'soak-'));
  const kubeconfig = await writeKubeconfig(folder, homeRoad.url);
  for (const name of ['argocd', ...Object.values(NAMESPACES)])
    await api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const tools = await Promise.all([ensureTool('helm'), ensureTool('kustomize')]);
  // As `npm start` and the installed command have it: otherwise room that nobody uses hides what grows.
  const small = { ...ALLOCATOR, NODE_OPTIONS: `${collectingEnvironment.NODE_OPTIONS} ${YOUNG_FLAG}` };
  const env = { ...small, PATH: [...tools.map((tool) => dirname(tool)), process.env['PATH'] ?? ''].join(delimiter) };
  const args = ['--kubeconfig', kubeconfig, '--log-level', 'warn', '--log-format', 'json'];
  const start = () => startFairway({ dataDir: join(folder, 'data'), args, env });
  let fairway: Fairway | undefined = await start();
  let token = '';
  let former = '';
  const call: SoakStage['call'] = async (verb, path, body, headers = {}) => {
    const asked = fairway;
    if (asked === undefined) return 'gone';
    try {
      const answer = await fetch(`${asked.url}${path}`, {
        method: verb,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      if (asked !== fairway) return 'gone';
      throw new Error(`${verb} ${path} failed though the process lives`, { cause: error });
    }
  };
  const signedIn = await call('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
  token = signedIn === 'gone' ? '' : ((JSON.parse(signedIn.text) as { token?: string }).token ?? '');
  await api.patch(kinds.configMap, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body: { data: SETTINGS } });
  return {
    world,
    repositoryUrl: `${server.url}/${basename(repository.folder)}`,
    api,
    homeRoad,
    farRoad,
    get fairway() {
      return fairway;
    },
    output: () => former + (fairway?.output() ?? ''),
    call,
    headers: () => ({ authorization: `Bearer ${token}` }),
    async kill() {
      const killed = fairway;
      if (killed === undefined) return;
      fairway = undefined;
      process.kill(killed.pid, 'SIGKILL');
      await killed.stop();
      former += killed.output();
      fairway = await startAgain(start);
    },
    async close() {
      await fairway?.stop();
      await server.close();
      await repository.remove();
      await Promise.all([homeRoad.close(), farRoad.close()]);
      await api.close();
      await plane.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As whatever looks after a process does: one that ends because its home does not answer at that moment is started again. */
async function startAgain(start: () => Promise<Fairway>, triesLeft = STARTS_MAX): Promise<Fairway> {
  try {
    return await start();
  } catch (error) {
    if (triesLeft <= 1 || !String(error).includes('cannot reach the cluster')) throw error;
    await wait(START_PAUSE_MS);
    return startAgain(start, triesLeft - 1);
  }
}

/** The proxy speaks to the cluster as the administrator, whoever asks. */
async function writeKubeconfig(folder: string, server: string): Promise<string> {
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'soak',
    clusters: [{ name: 'soak', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'soak', user: { token: 'anybody' } }],
    contexts: [{ name: 'soak', context: { cluster: 'soak', user: 'soak' } }],
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
