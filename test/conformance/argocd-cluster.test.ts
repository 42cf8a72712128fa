import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { bindAccount } from '../support/cluster/account-token.ts';
import { connectTo, describeWithCluster, testNamespace, type SharedCluster } from '../support/cluster/shared-cluster.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import type { CommandResult } from '../support/run-command.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;
const IN_CLUSTER = 'https://kubernetes.default.svc';

interface SeenCluster {
  readonly server: string;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly serverVersion?: string;
  readonly namespaces?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly project?: string;
  readonly connectionState: { readonly status: string };
  readonly info: { readonly connectionState: { readonly status: string }; readonly cacheInfo: { readonly resourcesCount?: number } };
}

describeWithCluster('argocd cluster, with the stock client and a real control plane', (shared) => {
  let fairway: Fairway;
  let user: ArgocdUser;
  let folder: string;
  const server = (): string => shared().url;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairway-kubeconfig-'));
    const kubeconfig = join(folder, 'config');
    await writeFile(kubeconfig, await tokenKubeconfig(shared()), { mode: 0o600 });
    fairway = await startFairway();
    user = await createArgocdUser(await ensureTool('argocd'), { KUBECONFIG: kubeconfig });
    await succeed('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 600_000);

  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await fairway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }

  const addArguments = (...more: string[]): string[] => ['cluster', 'add', 'test', '-y', ...more];
  const get = async (selector: string): Promise<SeenCluster> =>
    JSON.parse(await succeed('cluster', 'get', selector, '-o', 'json')) as SeenCluster;

  it('lists the cluster around Fairway', async () => {
    expect(await succeed('cluster', 'list')).toMatch(/^https:\/\/kubernetes\.default\.svc +in-cluster +1\.\d+\.\d+ +Successful/m);
  });

  it('adds a cluster, shows it, and gives nothing away', async () => {
    expect(await succeed(...addArguments('--name', 'real', '--label', 'env=test'))).toContain(`Cluster '${server()}' added`);
    const list = await succeed('cluster', 'list');
    expect(list.split('\n')[1]).toMatch(
      new RegExp(`^${server()} +real +Unknown +Cluster has no applications and is not being monitored\\.`),
    );
    const seen = await get('real');
    expect(seen).toMatchObject({ server: server(), name: 'real', labels: { env: 'test' }, info: { applicationsCount: 0 } });
    expect(seen.config).toEqual({ tlsClientConfig: { insecure: false } });
    expect(await get(server())).toMatchObject({ server: seen.server, name: seen.name, config: seen.config });
  });

  it('adds the same again, and says what differs before it replaces anything', async () => {
    await succeed(...addArguments('--name', 'real', '--label', 'env=test', '--upsert'));
    expectRefusal(
      await user.run(...addArguments('--name', 'other')),
      'existing cluster spec is different; use upsert flag to force update; difference in keys',
    );
    await succeed(...addArguments('--name', 'renamed', '--upsert'));
    expect(await get(server())).toMatchObject({ name: 'renamed' });
  });

  it('sets name, namespaces, labels and annotations, and keeps the rest', async () => {
    const flags = ['--name', 'set', '--namespace', 'one', '--namespace', 'two', '--label', 'tier=gold', '--annotation', 'note=hello'];
    expect(await succeed('cluster', 'set', 'renamed', ...flags)).toContain("Cluster 'renamed' updated.");
    expect(await get('set')).toMatchObject({
      server: server(),
      namespaces: ['one', 'two'],
      labels: { tier: 'gold' },
      annotations: { note: 'hello' },
    });
    await succeed('cluster', 'set', 'set', '--name', 'real', '--namespace', '*');
    expect((await get('real')).namespaces).toBeUndefined();
  });

  it('deploys to the cluster, and says how it is', async () => {
    const namespace = await testNamespace(shared());
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'remote' }, data: { key: 'value' } };
    const repository = await createGitRepository({ 'config-map.json': JSON.stringify(manifest) });
    const api = await connectTo(shared());
    try {
      const destination = ['--dest-name', 'real', '--dest-namespace', namespace];
      await succeed('app', 'create', 'remote', '--repo', repository.url, '--path', '.', ...destination);
      await succeed('app', 'sync', 'remote');
      expect(await api.get(kinds.configMap, { namespace, name: 'remote' })).toMatchObject({ data: { key: 'value' } });
      const { info, serverVersion } = await get('real');
      expect(info).toMatchObject({ connectionState: { status: 'Successful' }, applicationsCount: 1 });
      expect(info.cacheInfo.resourcesCount).toBeGreaterThan(50);
      expect(serverVersion).toMatch(/^v1\.\d+\.\d+$/);
      expect(await succeed('cluster', 'list')).toMatch(new RegExp(`^${server()} +real +v1\\.\\d+\\.\\d+ +Successful`, 'm'));
      await succeed('app', 'delete', 'remote', '-y');
      await waitUntil(
        async () => (await api.list(kinds.configMap, { namespace, fieldSelector: 'metadata.name=remote' })).items.length === 0,
      );
    } finally {
      await api.close();
      await repository.remove();
    }
  });

  it('gives the service account a new token and takes the old one away', async () => {
    const api = await connectTo(shared());
    try {
      const tokens = async (): Promise<string[]> => {
        const { items } = await api.list(kinds.secret, { namespace: 'kube-system' });
        return items
          .filter((one) => one['type'] === 'kubernetes.io/service-account-token')
          .map(({ metadata }) => metadata.name ?? '')
          .filter((name) => name.startsWith('argocd-manager'));
      };
      const before = await tokens();
      expect(await succeed('cluster', 'rotate-auth', 'real')).toContain("Cluster 'real' rotated auth");
      const after = await tokens();
      expect(after).toHaveLength(before.length);
      expect(after).not.toEqual(before);
      // What is stored now opens the cluster.
      await succeed('cluster', 'set', 'real', '--label', 'env=rotated');
    } finally {
      await api.close();
    }
  });

  it('refuses what it cannot do', async () => {
    expectRefusal(await user.run('cluster', 'get', 'nobody'), 'code = PermissionDenied desc = permission denied');
    expectRefusal(
      await user.run('cluster', 'rotate-auth', 'in-cluster'),
      `Cluster '${IN_CLUSTER}' does not use bearer token authentication`,
    );
  });

  it('removes a cluster', async () => {
    // The client cleans up in the cluster by the kubeconfig's context of the same name.
    await succeed('cluster', 'set', 'real', '--name', 'test');
    expect(await succeed('cluster', 'rm', 'test', '-y')).toContain("Cluster 'test' removed");
    expect(await succeed('cluster', 'list', '-o', 'server')).toBe(`${IN_CLUSTER}\n`);
  });
});

function expectRefusal({ code, stderr }: CommandResult, text: string): void {
  expect(stderr).toContain(text);
  expect(code).toBe(EXIT_API_ERROR);
}

/** The administrator's kubeconfig with a token in place of the certificate: the client then has the cluster make one for Fairway. */
async function tokenKubeconfig(cluster: SharedCluster): Promise<string> {
  const namespace = await testNamespace(cluster);
  const api = await connectTo(cluster);
  try {
    await bindAccount(api, namespace);
    const { status } = await api.create(
      kinds.serviceAccount,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name: 'default', namespace }, spec: {} },
      { subresource: 'token' },
    );
    const config = JSON.parse(await readFile(cluster.kubeconfig(), 'utf8')) as { users: { user: unknown }[] };
    const users = config.users.map((one) => ({ ...one, user: { token: (status as { token: string }).token } }));
    return JSON.stringify({ ...config, users });
  } finally {
    await api.close();
  }
}
