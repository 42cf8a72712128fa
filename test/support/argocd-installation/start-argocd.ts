import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { startServer, type ServerProcess } from '../cluster/server-process.ts';
import { ensureTool } from '../tools/ensure-tool.ts';
import { copyArgocdScripts } from './argocd-module.ts';

const READY_LIMIT_MS = 120_000;

export interface ArgocdOptions {
  readonly plane: ControlPlane;
  /** How it is set up: as it comes, or as people set it up who have many applications. */
  readonly tuning?: 'defaults' | 'tuned';
  /** Which of its processes are started: all, or what the work on application sets alone takes. */
  readonly parts?: 'all' | 'application sets';
  /** One in memory that is built where it is missing, or that of the system, which counts where it is measured. */
  readonly redis?: 'built' | 'system';
  /** For all of its processes: what a deployment would tell them. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The real Argo CD on a control plane: all the processes that it takes. */
export interface ArgocdInstallation {
  /** Of its API server, as `host:port`. */
  readonly address: string;
  /** The same, with `http://`. */
  readonly url: string;
  /** Of those that run. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
  /** Stops everything but Redis, which keeps its caches. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

const TUNED_FLAGS: Readonly<Record<string, readonly string[]>> = {
  'argocd-application-controller': ['--status-processors=50', '--operation-processors=25', '--kubectl-parallelism-limit=40'],
  // As many writes at once as it allows.
  'argocd-applicationset-controller': ['--concurrent-application-updates=200'],
};
const TUNED_VARIABLES = { ARGOCD_K8S_CLIENT_QPS: '1000', ARGOCD_K8S_CLIENT_BURST: '2000' };

/** A process as it is started, and where it listens once it is ready. */
interface Program {
  readonly name: string;
  readonly flags: readonly string[];
  readonly port: number;
}

/** Builds the components where they are missing, and starts them. The home is prepared already. */
export async function startArgocd(options: ArgocdOptions): Promise<ArgocdInstallation> {
  const { plane, tuning = 'defaults', parts = 'all' } = options;
  const folder = mkdtempSync(join(plane.folder, 'argocd-'));
  const env = { ...(await environmentOf(plane, folder)), ...(tuning === 'tuned' && TUNED_VARIABLES), ...options.variables };
  const executable = await ensureTool('argocd-components');
  const redisProgram = options.redis === 'system' ? findRedis() : await ensureTool('redis');
  const { redis, others, address } = await planPrograms(options.redis ?? 'built', parts);
  const running: ServerProcess[] = [];
  const start = async ({ name, flags, port }: Program): Promise<void> => {
    const isRedis = name === 'redis';
    running.push(
      await startServer({
        name,
        program: isRedis ? redisProgram : executable,
        flags: isRedis ? flags : [...flags, '--loglevel=warn', ...((tuning === 'tuned' && TUNED_FLAGS[name]) || [])],
        // A key ring of its own for each start: a repository server does not start on that of a former one.
        env: { ...env, ARGOCD_BINARY_NAME: name, ARGOCD_GNUPGHOME: mkdtempSync(join(folder, 'gpg-')) },
        logFile: join(folder, `${name}.log`),
        isReady: () => isListening(port),
        readyLimitMs: READY_LIMIT_MS,
      }),
    );
  };
  // All at once, as a cluster starts them; none is left behind where one does not start.
  const resume = async (): Promise<void> => {
    const started = await Promise.allSettled(others.map(start));
    for (const one of started) if (one.status === 'rejected') throw one.reason;
  };
  const stop = async (): Promise<void> => void (await Promise.all(running.splice(0).map((server) => server.stop())));
  try {
    await start(redis);
    await resume();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    url: `http://${address}`,
    get pids() {
      return running.map(({ pid }) => pid);
    },
    stop,
    pause: async () => void (await Promise.all(running.splice(1).map((server) => server.stop()))),
    resume,
  };
}

/** What is started, Redis before the others, each on ports of its own. */
async function planPrograms(
  redisKind: 'built' | 'system',
  parts: 'all' | 'application sets',
): Promise<{ readonly redis: Program; readonly others: readonly Program[]; readonly address: string }> {
  const ports = (await freePorts(9)) as [number, number, number, number, number, number, number, number, number];
  const [redisPort, repoPort, serverPort, repoMetrics, controllerMetrics, serverMetrics, setMetrics, setProbe, setWebhook] = ports;
  const redis = `--redis=127.0.0.1:${redisPort}`;
  const repo = `--repo-server=127.0.0.1:${repoPort}`;
  const local = ['--address=127.0.0.1', '--metrics-address=127.0.0.1'];
  const systemFlags = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const repoServer = {
    name: 'argocd-repo-server',
    flags: [...local, `--port=${repoPort}`, `--metrics-port=${repoMetrics}`, redis],
    port: repoPort,
  };
  const server = {
    name: 'argocd-server',
    flags: [...local, `--port=${serverPort}`, `--metrics-port=${serverMetrics}`, '--insecure', redis, repo],
    port: serverPort,
  };
  const controller = {
    name: 'argocd-application-controller',
    flags: [`--metrics-port=${controllerMetrics}`, redis, repo],
    port: controllerMetrics,
  };
  const addresses = [
    `--metrics-addr=127.0.0.1:${setMetrics}`,
    `--probe-addr=127.0.0.1:${setProbe}`,
    `--webhook-addr=127.0.0.1:${setWebhook}`,
  ];
  const sets = {
    name: 'argocd-applicationset-controller',
    flags: [...addresses, `--argocd-repo-server=127.0.0.1:${repoPort}`],
    port: setProbe,
  };
  return {
    redis: { name: 'redis', flags: redisKind === 'system' ? systemFlags : [`127.0.0.1:${redisPort}`], port: redisPort },
    others: [repoServer, ...(parts === 'all' ? [server, controller] : []), sets],
    address: `127.0.0.1:${serverPort}`,
  };
}

async function environmentOf(plane: ControlPlane, folder: string): Promise<Record<string, string>> {
  const [helm, kustomize] = [await ensureTool('helm'), await ensureTool('kustomize')];
  const scripts = makeFolder(folder, 'bin');
  copyArgocdScripts(scripts);
  return {
    PATH: [scripts, dirname(helm), dirname(kustomize), process.env['PATH'] ?? ''].join(':'),
    HOME: folder,
    TMPDIR: makeFolder(folder, 'tmp'),
    KUBECONFIG: writeKubeconfig(plane, folder),
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_DATA_PATH: makeFolder(folder, 'gpg-source'),
    ARGOCD_TLS_DATA_PATH: makeFolder(folder, 'tls'),
    ARGOCD_SSH_DATA_PATH: makeFolder(folder, 'ssh'),
  };
}

function findRedis(): string {
  try {
    return execFileSync('which', ['redis-server'], { encoding: 'utf8' }).trim();
  } catch {
    throw new Error('Argo CD needs Redis: install the system package redis-server for this measurement');
  }
}

function writeKubeconfig(plane: ControlPlane, folder: string): string {
  const config = JSON.parse(readFileSync(plane.kubeconfig('admin'), 'utf8')) as { contexts: { context: { namespace: string } }[] };
  for (const { context } of config.contexts) context.namespace = 'argocd';
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
