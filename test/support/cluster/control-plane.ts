import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTool } from '../tools/ensure-tool.ts';
import type { ToolName } from '../tools/tool.ts';
import { freePorts } from './free-ports.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const READY_LIMIT_MS = 120_000;
const REQUEST_LIMIT_MS = 10_000;
const TOOLS = ['pki', 'etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const satisfies readonly ToolName[];

/** Who a kubeconfig signs in as: a member of system:masters, or a user without any rights of its own. */
export type ClusterUser = 'admin' | 'fairway';

/** A real control plane on loopback: etcd, API server, controller manager, scheduler and fake nodes, with TLS and RBAC. */
export interface ControlPlane {
  readonly url: string;
  /** Of etcd, which asks nobody who they are. */
  readonly storageUrl: string;
  /** Keys, certificates, logs and kubeconfigs; gone after stop. */
  readonly folder: string;
  kubeconfig(user?: ClusterUser): string;
  /** A request as the administrator; resolves to the status and the body as text. */
  request(verb: string, path: string, body?: unknown, contentType?: string): Promise<{ status: number; text: string }>;
  /** Ends the API server as a power cut would; etcd keeps its data. */
  killApiServer(): Promise<void>;
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** Whether etcd waits for the disk before it acknowledges a write: as in production, and slower. */
  readonly isDurable?: boolean;
  /** Whether every request is written down, in `audit.log` of its folder. */
  readonly isAudited?: boolean;
  /** Whether objects stay as they were written: no controllers, no scheduler and no nodes. */
  readonly isStill?: boolean;
}

/** Builds what is missing (minutes, once) and starts a control plane (seconds). */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { isDurable = false, isAudited = false, isStill = false } = options;
  const tools = await ensureTools();
  const folder = mkdtempSync(join(tmpdir(), 'fairway-cluster-'));
  const pki = join(folder, 'pki');
  mkdirSync(pki);
  execFileSync(tools.pki, [pki]);
  const [etcdPort, etcdPeerPort, apiPort, kwokPort] = (await freePorts(4)) as [number, number, number, number];
  const url = `https://127.0.0.1:${apiPort}`;
  const running = new Map<string, ServerProcess>();
  const start = async (name: ToolName, flags: readonly string[], isReady: () => Promise<boolean>): Promise<void> => {
    const program = tools[name as keyof typeof tools];
    running.set(
      name,
      await startServer({ name, program, flags, logFile: join(folder, `${name}.log`), isReady, readyLimitMs: READY_LIMIT_MS }),
    );
  };
  const stop = async (): Promise<void> => {
    await Promise.all([...running.values()].reverse().map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const send = (verb: string, path: string, body?: unknown, contentType?: string) =>
    sendRequest({ url, pki, verb, path, body, contentType });
  const isHealthy = async (): Promise<boolean> => (await send('GET', '/readyz')).status === 200;
  const apiFlags = [...apiServerFlags({ pki, apiPort, etcdPort, folder }), ...(isAudited ? auditFlags(folder) : [])];
  for (const user of ['admin', 'fairway', 'controller-manager', 'scheduler']) writeKubeconfig({ folder, pki, url, user });
  try {
    await start('etcd', [...etcdFlags(folder, etcdPort, etcdPeerPort), ...(isDurable ? [] : ['--unsafe-no-fsync'])], () =>
      fetch(`http://127.0.0.1:${etcdPort}/health`).then((answer) => answer.ok),
    );
    await start('kube-apiserver', apiFlags, isHealthy);
    if (!isStill) {
      await Promise.all([
        start('kube-controller-manager', controllerManagerFlags(folder, pki), () => Promise.resolve(true)),
        start('kube-scheduler', schedulerFlags(folder), () => Promise.resolve(true)),
        start('kwok', kwokFlags(folder, pki, kwokPort), () => Promise.resolve(true)),
        send('POST', '/api/v1/nodes', {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'fake-node', labels: { 'kubernetes.io/hostname': 'fake-node' } },
        }),
      ]);
      await waitFor(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    storageUrl: `http://127.0.0.1:${etcdPort}`,
    folder,
    kubeconfig: (user = 'admin') => join(folder, `${user}.kubeconfig`),
    request: send,
    killApiServer: async () => await running.get('kube-apiserver')?.kill(),
    startApiServer: () => start('kube-apiserver', apiFlags, isHealthy),
    stop,
  };
}

async function ensureTools(): Promise<Record<(typeof TOOLS)[number], string>> {
  const paths: Partial<Record<ToolName, string>> = {};
  for (const name of TOOLS) paths[name] = await ensureTool(name);
  return paths as Record<(typeof TOOLS)[number], string>;
}

function etcdFlags(folder: string, port: number, peerPort: number): string[] {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--quota-backend-bytes=8589934592',
    '--auto-compaction-retention=5m',
    '--log-level=warn',
  ];
}

function apiServerFlags({ pki, apiPort, etcdPort, folder }: { pki: string; apiPort: number; etcdPort: number; folder: string }): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${apiPort}`,
    `--cert-dir=${folder}`,
    `--tls-cert-file=${join(pki, 'serving.crt')}`,
    `--tls-private-key-file=${join(pki, 'serving.key')}`,
    `--client-ca-file=${join(pki, 'ca.crt')}`,
    `--kubelet-client-certificate=${join(pki, 'kubelet-client.crt')}`,
    `--kubelet-client-key=${join(pki, 'kubelet-client.key')}`,
    `--kubelet-certificate-authority=${join(pki, 'ca.crt')}`,
    '--authorization-mode=Node,RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(pki, 'service-account.pub')}`,
    `--service-account-signing-key-file=${join(pki, 'service-account.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--max-requests-inflight=2000',
    '--max-mutating-requests-inflight=1000',
  ];
}

function auditFlags(folder: string): string[] {
  const policy = join(folder, 'audit-policy.json');
  const rules = [{ level: 'Metadata', omitStages: ['RequestReceived'] }];
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  // One file, however long: whoever counts reads it whole.
  return [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
    '--audit-log-mode=batch',
    '--audit-log-maxsize=10000',
  ];
}

function controllerManagerFlags(folder: string, pki: string): string[] {
  return [
    `--kubeconfig=${join(folder, 'controller-manager.kubeconfig')}`,
    '--secure-port=0',
    '--leader-elect=false',
    '--use-service-account-credentials',
    `--root-ca-file=${join(pki, 'ca.crt')}`,
    `--service-account-private-key-file=${join(pki, 'service-account.key')}`,
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    '--concurrent-namespace-syncs=20',
    '--concurrent-gc-syncs=20',
  ];
}

function schedulerFlags(folder: string): string[] {
  return [`--kubeconfig=${join(folder, 'scheduler.kubeconfig')}`, '--secure-port=0', '--leader-elect=false'];
}

function kwokFlags(folder: string, pki: string, port: number): string[] {
  const logs = join(folder, 'pod.log');
  writeFileSync(logs, podLog());
  const logRules = [
    '---',
    'apiVersion: kwok.x-k8s.io/v1alpha1',
    'kind: ClusterLogs',
    'metadata:',
    '  name: all-pods',
    'spec:',
    '  logs:',
    `    - logsFile: ${logs}`,
    '      follow: true',
    '',
  ];
  // Programs that are run "in a container" run beside the fake node, on this machine.
  const execRules = [
    '---',
    'apiVersion: kwok.x-k8s.io/v1alpha1',
    'kind: ClusterExec',
    'metadata:',
    '  name: all-pods',
    'spec:',
    '  execs:',
    '    - local: {}',
    '',
  ];
  const config = join(folder, 'kwok.yaml');
  writeFileSync(config, readFileSync(new URL('kwok-stages.yaml', import.meta.url), 'utf8') + [...logRules, ...execRules].join('\n'));
  return [
    `--kubeconfig=${join(folder, 'admin.kubeconfig')}`,
    `--config=${config}`,
    '--manage-all-nodes',
    '--node-ip=127.0.0.1',
    `--node-port=${port}`,
    `--server-address=127.0.0.1:${port}`,
    `--tls-cert-file=${join(pki, 'serving.crt')}`,
    `--tls-private-key-file=${join(pki, 'serving.key')}`,
    '--node-lease-duration-seconds=40',
  ];
}

/** Every fake pod prints these lines. */
function podLog(): string {
  return Array.from(
    { length: 20 },
    (_, index) => `2024-01-02T03:04:${String(index).padStart(2, '0')}.000000000Z stdout F line ${index + 1}\n`,
  ).join('');
}

function writeKubeconfig({ folder, pki, url, user }: { folder: string; pki: string; url: string; user: string }): void {
  const data = (file: string): string => readFileSync(join(pki, file)).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': data('ca.crt') } }],
    users: [{ name: user, user: { 'client-certificate-data': data(`${user}.crt`), 'client-key-data': data(`${user}.key`) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user, namespace: 'default' } }],
    'current-context': 'test',
  };
  writeFileSync(join(folder, `${user}.kubeconfig`), JSON.stringify(config, null, 2), { mode: 0o600 });
}

interface RequestOptions {
  readonly url: string;
  readonly pki: string;
  readonly verb: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

function sendRequest({
  url,
  pki,
  verb,
  path,
  body,
  contentType = 'application/json',
}: RequestOptions): Promise<{ status: number; text: string }> {
  const file = (name: string): Buffer => readFileSync(join(pki, name));
  const options = {
    method: verb,
    ca: file('ca.crt'),
    cert: file('admin.crt'),
    key: file('admin.key'),
    headers: { 'content-type': contentType },
    timeout: REQUEST_LIMIT_MS,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      answer.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${verb} ${path}`)));
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the control plane did not settle');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
