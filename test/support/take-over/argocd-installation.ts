import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { hashPassword } from '../../../src/access/index.ts';
import { systemClock } from '../../../src/base/index.ts';
import type { HttpKubeApi, ResourceType } from '../../../src/kube/index.ts';
import type { JsonObject } from '../../../src/objects/index.ts';
import { installDefinitions, prepareHome } from '../../../src/settings/index.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { startServer, type ServerProcess } from '../cluster/server-process.ts';
import { quietLog } from '../cluster/shared-cluster.ts';
import { ensureTool } from '../tools/ensure-tool.ts';
import { goEnvironment, toolFolder } from '../tools/go-toolchain.ts';

const READY_LIMIT_MS = 120_000;
const MODULE = 'github.com/argoproj/argo-cd/v3';
const DEFINITION: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** The real Argo CD on a control plane: server, repo server, both controllers, and a Redis. */
export interface ArgocdInstallation {
  /** Of its API server, as `host:port`. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface ArgocdInstallationOptions {
  readonly plane: ControlPlane;
  /** Other namespaces that applications may be in. */
  readonly applicationNamespaces: readonly string[];
  /** How often it looks at every application again. */
  readonly resyncSeconds: number;
}

/** What Argo CD expects before it starts: the definitions of its release, and the objects of its namespace. */
export async function prepareArgocdHome(api: HttpKubeApi, firstPassword: string): Promise<void> {
  for (const text of readDefinitions()) {
    const body = parse(text) as JsonObject;
    const { name = '' } = body['metadata'] as { name?: string };
    await api.patch(DEFINITION, { name }, { type: 'apply', body, force: true }, { fieldManager: 'argocd-install' });
  }
  // Finds theirs, and waits until they are served.
  await installDefinitions({ api, log: quietLog });
  await prepareHome({ api, namespace: 'argocd', clock: systemClock, log: quietLog, hashPassword, firstPassword });
}

/** Starts all its processes; what its settings would tell them through their deployment, they are told as variables. */
export async function startArgocd(options: ArgocdInstallationOptions): Promise<ArgocdInstallation> {
  const { plane, applicationNamespaces, resyncSeconds } = options;
  const tools = { argocd: await ensureTool('argocd-components'), redis: await ensureTool('redis') };
  const folder = join(plane.folder, `argocd-${performance.now().toFixed(0)}`);
  mkdirSync(folder);
  const ports = (await freePorts(9)) as [number, number, number, number, number, number, number, number, number];
  const [redisPort, repoPort, serverPort, repoMetrics, controllerMetrics, serverMetrics, setMetrics, setProbe, setWebhook] = ports;
  const env = {
    ...(await environmentOf(plane, folder)),
    ARGOCD_APPLICATION_NAMESPACES: applicationNamespaces.join(','),
    ARGOCD_RECONCILIATION_TIMEOUT: `${resyncSeconds}s`,
  };
  const running: ServerProcess[] = [];
  const start = async (name: string, flags: readonly string[], port: number): Promise<void> => {
    const isRedis = name === 'redis';
    const server = await startServer({
      name,
      program: isRedis ? tools.redis : tools.argocd,
      flags: isRedis ? flags : [...flags, '--loglevel=warn'],
      env: { ...env, ARGOCD_BINARY_NAME: name },
      logFile: join(folder, `${name}.log`),
      isReady: () => isListening(port),
      readyLimitMs: READY_LIMIT_MS,
    });
    running.push(server);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop()));
  };
  const redis = `--redis=127.0.0.1:${redisPort}`;
  const repo = `--repo-server=127.0.0.1:${repoPort}`;
  const local = ['--address=127.0.0.1', '--metrics-address=127.0.0.1'];
  try {
    await start('redis', [`127.0.0.1:${redisPort}`], redisPort);
    await start('argocd-repo-server', [...local, `--port=${repoPort}`, `--metrics-port=${repoMetrics}`, redis], repoPort);
    const serverFlags = [...local, `--port=${serverPort}`, `--metrics-port=${serverMetrics}`, '--insecure', redis, repo];
    await start('argocd-server', serverFlags, serverPort);
    await start('argocd-application-controller', [`--metrics-port=${controllerMetrics}`, redis, repo], controllerMetrics);
    const setFlags = [`--metrics-addr=127.0.0.1:${setMetrics}`, `--probe-addr=127.0.0.1:${setProbe}`];
    const webhook = `--webhook-addr=127.0.0.1:${setWebhook}`;
    await start('argocd-applicationset-controller', [...setFlags, webhook, `--argocd-repo-server=127.0.0.1:${repoPort}`], setProbe);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: `127.0.0.1:${serverPort}`, stop };
}

async function environmentOf(plane: ControlPlane, folder: string): Promise<Record<string, string>> {
  const [helm, kustomize] = [await ensureTool('helm'), await ensureTool('kustomize')];
  return {
    PATH: [copyScripts(folder), dirname(helm), dirname(kustomize), process.env['PATH'] ?? ''].join(':'),
    HOME: folder,
    TMPDIR: makeFolder(folder, 'tmp'),
    KUBECONFIG: writeKubeconfig(plane, folder),
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GNUPGHOME: makeFolder(folder, 'gpg'),
    ARGOCD_GPG_DATA_PATH: makeFolder(folder, 'gpg-source'),
    ARGOCD_TLS_DATA_PATH: makeFolder(folder, 'tls'),
    ARGOCD_SSH_DATA_PATH: makeFolder(folder, 'ssh'),
    // So that the health of every resource can be compared, too.
    ARGOCD_APPLICATION_CONTROLLER_PERSIST_RESOURCE_HEALTH: 'true',
    ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS: 'true',
    ARGOCD_RECONCILIATION_JITTER: '0s',
  };
}

function readDefinitions(): readonly string[] {
  const folder = join(moduleFolder(), 'manifests', 'crds');
  const files = readdirSync(folder).filter((file) => file.endsWith('-crd.yaml'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

function moduleFolder(): string {
  const flags = ['list', '-m', '-f', '{{.Dir}}', MODULE];
  const options = { cwd: toolFolder('argocd-components'), env: goEnvironment(), encoding: 'utf8' } as const;
  return execFileSync('go', flags, options).trim();
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
