import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { freePorts } from '../../test/support/cluster/free-ports.ts';
import { startServer, type ServerProcess } from '../../test/support/cluster/server-process.ts';
import { ensureTool } from '../../test/support/tools/ensure-tool.ts';
import { toolFolder } from '../../test/support/tools/go-toolchain.ts';

const READY_LIMIT_MS = 120_000;
const MODULE = 'github.com/argoproj/argo-cd/v3';

/** How an installation is set up: as it comes, or as people set it up who have many applications. */
export type Tuning = 'defaults' | 'tuned';

/** Which of its processes are started: all, or what the work on application sets alone takes. */
export type Part = 'all' | 'application sets';

/** Argo CD on a control plane: all the processes that it takes. */
export interface ArgocdInstallation {
  /** Of its API server. */
  readonly url: string;
  /** Of those that run. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
  /** Stops everything but Redis, which keeps its caches. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

const TUNED_FLAGS = ['--status-processors=50', '--operation-processors=25', '--kubectl-parallelism-limit=40'];
/** As many writes at once as it allows. */
const TUNED_SET_FLAGS = ['--concurrent-application-updates=200'];
const TUNED_VARIABLES = { ARGOCD_K8S_CLIENT_QPS: '1000', ARGOCD_K8S_CLIENT_BURST: '2000' };

/** Builds the components where they are missing, and starts them. The home is prepared already. */
export async function startArgocd(plane: ControlPlane, tuning: Tuning, part: Part = 'all'): Promise<ArgocdInstallation> {
  const [program, helm, kustomize] = await Promise.all([ensureTool('argocd-components'), ensureTool('helm'), ensureTool('kustomize')]);
  const redis = findRedis();
  const folder = join(plane.folder, `argocd-${tuning}`);
  mkdirSync(folder);
  const [redisPort, repoPort, serverPort, ...metricsPorts] = (await freePorts(9)) as [number, number, number, ...number[]];
  const kubeconfig = writeKubeconfig(plane, folder);
  const running: ServerProcess[] = [];
  const resumed: (() => Promise<void>)[] = [];
  const env = {
    ...(tuning === 'tuned' ? TUNED_VARIABLES : {}),
    PATH: [copyScripts(folder), dirname(helm), dirname(kustomize), process.env['PATH'] ?? ''].join(':'),
    HOME: folder,
    TMPDIR: makeFolder(folder, 'tmp'),
    KUBECONFIG: kubeconfig,
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_DATA_PATH: makeFolder(folder, 'gpg-source'),
    ARGOCD_TLS_DATA_PATH: makeFolder(folder, 'tls'),
    ARGOCD_SSH_DATA_PATH: makeFolder(folder, 'ssh'),
  };
  const start = async (name: string, flags: readonly string[], port: number): Promise<void> => {
    const isRedis = name === 'redis-server';
    if (!isRedis) resumed.push(() => start(name, flags, port));
    running.push(
      await startServer({
        name,
        program: isRedis ? redis : program,
        flags,
        // A key ring of its own for each start: a repository server does not start on that of a former one.
        env: { ...env, ARGOCD_BINARY_NAME: name, ARGOCD_GNUPGHOME: mkdtempSync(join(folder, 'gpg-')) },
        logFile: join(folder, `${name}.log`),
        isReady: () => isListening(port),
        readyLimitMs: READY_LIMIT_MS,
      }),
    );
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop()));
  };
  const addresses = [`--redis=127.0.0.1:${redisPort}`, `--repo-server=127.0.0.1:${repoPort}`];
  const [repoMetrics, controllerMetrics, serverMetrics, setMetrics, setProbe, setWebhook] = metricsPorts as number[];
  try {
    await start('redis-server', ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], redisPort);
    const local = ['--address=127.0.0.1', '--metrics-address=127.0.0.1', '--loglevel=warn'];
    await start(
      'argocd-repo-server',
      [...local, `--port=${repoPort}`, `--metrics-port=${repoMetrics}`, `--redis=127.0.0.1:${redisPort}`],
      repoPort,
    );
    if (part === 'all') {
      await start(
        'argocd-server',
        [...local, `--port=${serverPort}`, `--metrics-port=${serverMetrics}`, '--insecure', ...addresses],
        serverPort,
      );
      await start(
        'argocd-application-controller',
        ['--loglevel=warn', `--metrics-port=${controllerMetrics}`, ...addresses, ...(tuning === 'tuned' ? TUNED_FLAGS : [])],
        controllerMetrics!,
      );
    }
    await start(
      'argocd-applicationset-controller',
      [
        '--loglevel=warn',
        `--argocd-repo-server=127.0.0.1:${repoPort}`,
        `--metrics-addr=127.0.0.1:${setMetrics}`,
        `--probe-addr=127.0.0.1:${setProbe}`,
        `--webhook-addr=127.0.0.1:${setWebhook}`,
        ...(tuning === 'tuned' ? TUNED_SET_FLAGS : []),
      ],
      setProbe!,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${serverPort}`,
    get pids() {
      return running.map(({ pid }) => pid);
    },
    stop,
    pause: async () => void (await Promise.all(running.splice(1).map((server) => server.stop()))),
    async resume() {
      for (const startAgain of resumed.splice(0)) await startAgain();
    },
  };
}

/** The definitions of its kinds, as its own release has them. */
export function readArgocdDefinitions(): readonly string[] {
  const folder = join(moduleFolder(), 'manifests', 'crds');
  return readdirSync(folder)
    .filter((file) => file.endsWith('-crd.yaml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

function moduleFolder(): string {
  const flags = ['list', '-m', '-f', '{{.Dir}}', MODULE];
  return execFileSync('go', flags, { cwd: toolFolder('argocd-components'), encoding: 'utf8' }).trim();
}

/** What its image has beside the program: it asks them about the signature of every commit. */
function copyScripts(folder: string): string {
  const scripts = makeFolder(folder, 'bin');
  for (const name of ['git-verify-wrapper.sh', 'gpg-wrapper.sh']) {
    copyFileSync(join(moduleFolder(), 'hack', name), join(scripts, name));
    chmodSync(join(scripts, name), 0o755);
  }
  return scripts;
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

async function isListening(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
