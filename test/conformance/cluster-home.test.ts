import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/bcrypt';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { configMap, secret } from '../support/embedded-home.ts';
import { runFairway, startFairway, type Fairway } from '../support/fairway.ts';
import { kinds } from '../support/kinds.ts';
import { runCommand } from '../support/run-command.ts';
import { BUILD_LIMIT_MS, ensureTool } from '../support/tools/ensure-tool.ts';

/** The program starts several times in each, on a machine that others use too. */
const slow = { timeout: 60_000 };

describeWithCluster('Fairway with its home on a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let argocd: string;
  let kubectl: string;
  let namespace: string;
  const started: Fairway[] = [];
  const users: ArgocdUser[] = [];

  beforeAll(async () => {
    api = await connectTo(cluster());
    [argocd, kubectl] = [await ensureTool('argocd'), await ensureTool('kubectl')];
  }, 2 * BUILD_LIMIT_MS);
  afterAll(() => api.close());
  beforeEach(async () => {
    namespace = await testNamespace(cluster());
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((fairway) => fairway.stop()));
    await Promise.all(users.splice(0).map((user) => user[Symbol.asyncDispose]()));
  });

  const homeFlags = () => ['--kubeconfig', cluster().kubeconfig(), '--namespace', namespace];
  async function start(env: Readonly<Record<string, string>> = {}): Promise<Fairway> {
    const fairway = await startFairway({ args: homeFlags(), env });
    started.push(fairway);
    return fairway;
  }
  async function signIn({ address }: Fairway, password: string): Promise<ArgocdUser> {
    const user = await createArgocdUser(argocd);
    users.push(user);
    const { stdout, stderr } = await user.run('login', address, '--plaintext', '--username', 'admin', '--password', password);
    expect(`${stdout}${stderr}`).toContain("'admin:login' logged in successfully");
    return user;
  }
  const runKubectl = (...args: readonly string[]) =>
    runCommand(kubectl, ['--kubeconfig', cluster().kubeconfig(), '--namespace', namespace, ...args]);

  it('makes what is missing there, and lets the stock client sign in with the password that it made up', slow, async () => {
    const fairway = await start({ FAIRWAY_ADMIN_PASSWORD: '' });
    const { stdout: objects } = await runKubectl('get', 'configmaps,secrets,appprojects', '--output', 'name');
    for (const name of [
      'configmap/argocd-cm',
      'secret/argocd-secret',
      'secret/argocd-initial-admin-secret',
      'appproject.argoproj.io/default',
    ]) {
      expect(objects.split('\n')).toContain(name);
    }
    const { stdout: ours } = await runFairway(['admin', 'initial-password', ...homeFlags()]);
    const stock = await runCommand(argocd, ['admin', 'initial-password', '--namespace', namespace], {
      PATH: process.env['PATH'],
      HOME: fairway.dataDir,
      KUBECONFIG: cluster().kubeconfig(),
    });
    expect(stock.stdout.split('\n')[0]).toBe(ours.trim());
    const user = await signIn(fairway, ours.trim());
    expect((await user.run('account', 'list')).stdout).toMatch(/^admin +true +login/m);
  });

  it('serves kinds that kubectl explains and lists', slow, async () => {
    await start();
    const explained = await runKubectl('explain', 'applications.spec.syncPolicy');
    expect(explained.stdout).toContain('automated');
    expect((await runKubectl('get', 'applications,appprojects,applicationsets')).stdout).toContain('appproject.argoproj.io/default');
  });

  it('reads an existing installation as it is', slow, async () => {
    const signingKey = randomUUID().repeat(2);
    const partOf = { 'app.kubernetes.io/part-of': 'argocd' };
    const general = configMap('argocd-cm', { url: 'https://cd.example.com', 'accounts.ci': 'apiKey' });
    const main = secret(
      'argocd-secret',
      {
        'admin.password': await hash('an old acquaintance', { cost: 4, version: '2a' }),
        'admin.passwordMtime': '2023-05-06T07:08:09Z',
        'server.secretkey': signingKey,
      },
      partOf,
    );
    for (const [type, object] of [
      [kinds.configMap, general],
      [kinds.secret, main],
    ] as const) {
      await api.create(type, { ...object, metadata: { ...object.metadata, namespace } });
    }
    const versions = async () =>
      Promise.all([
        api.get(kinds.configMap, { namespace, name: 'argocd-cm' }),
        api.get(kinds.secret, { namespace, name: 'argocd-secret' }),
      ]).then((objects) => objects.map(({ metadata }) => metadata.resourceVersion));
    const before = await versions();
    const fairway = await start();
    const user = await signIn(fairway, 'an old acquaintance');
    expect((await user.run('account', 'get', '--account', 'admin')).code).toBe(0);
    const claims = { iss: 'argocd', sub: 'admin:login', iat: 1_700_000_000, jti: randomUUID() };
    expect((await user.run('account', 'list', '--auth-token', await signJwt(claims, signingKey))).stdout).toContain('admin');
    expect(await versions()).toEqual(before);
    expect((await runKubectl('get', 'secret', 'argocd-initial-admin-secret')).stderr).toContain('NotFound');
  });

  it('shares sessions and logouts among replicas, and keeps nothing in its data folder that matters', slow, async () => {
    const [first, second] = [await start(), await start()];
    const user = await signIn(first, first.adminPassword);
    const token = /auth-token: (\S+)/.exec(await user.readConfig())?.[1] ?? '';
    const ask = async ({ url }: Fairway) =>
      (await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await ask(first), await ask(second)]).toEqual([200, 200]);
    await user.run('logout', first.address, '--plaintext');
    await expect.poll(() => ask(second), { timeout: 20_000 }).toBe(401);
  });

  it('follows a password that is changed with kubectl, and ends the sessions from before', slow, async () => {
    const fairway = await start();
    const user = await signIn(fairway, fairway.adminPassword);
    const stringData = {
      'admin.password': await hash('changed by hand', { cost: 4, version: '2a' }),
      'admin.passwordMtime': new Date(Date.now() + 2_000).toISOString().replace(/\.\d+Z/, 'Z'),
    };
    expect((await runKubectl('patch', 'secret', 'argocd-secret', '--patch', JSON.stringify({ stringData }))).code).toBe(0);
    await expect
      .poll(async () => (await user.run('account', 'list')).stderr, { timeout: 20_000 })
      .toContain('account password has changed');
    await signIn(fairway, 'changed by hand');
  });

  it('imports what the stock client exports', slow, async () => {
    const { dataDir } = await start();
    const env = { PATH: process.env['PATH'], HOME: dataDir, KUBECONFIG: cluster().kubeconfig() };
    const exported = await runCommand(argocd, ['admin', 'export', '--namespace', namespace], env);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    const file = join(dataDir, 'stock.yaml');
    await writeFile(file, exported.stdout);
    const same = await runFairway(['import', file, ...homeFlags()]);
    expect([same.code, same.stderr]).toEqual([0, '']);
    expect(
      new Set(
        same.stdout
          .trim()
          .split('\n')
          .map((line) => line.split(' ').at(-1)),
      ),
    ).toEqual(new Set(['unchanged']));
    const copied = await runFairway(['import', file, '--data', join(dataDir, 'copy')]);
    expect(copied.stdout).toContain('Secret argocd-secret created\n');
  });

  it('has no Kubernetes API of its own, and says so', slow, async () => {
    const fairway = await start();
    const answer = await fetch(`${fairway.url}/k8s/api/v1/namespaces`);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { kind: 'Status', message: expect.stringContaining('this server has no Kubernetes API of its own') as string },
    ]);
    expect((await runFairway(['kubeconfig', '--data', fairway.dataDir])).stderr).toContain('no server with a Kubernetes API of its own');
  });

  describe('that cannot be reached or used', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fairway-cluster-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const fail = async (...args: readonly string[]) => {
      const result = await runFairway(['--listen', '127.0.0.1:0', '--data', join(folder, 'data'), ...args]);
      expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]*\n$/) as string });
      return result.stderr;
    };
    /** The cluster's own kubeconfig with something else in it. */
    const writeChanged = async (change: (config: ClusterKubeconfig) => void): Promise<string> => {
      const config = parse(await readFile(cluster().kubeconfig(), 'utf8')) as ClusterKubeconfig;
      change(config);
      const file = join(folder, 'kubeconfig');
      await writeFile(file, JSON.stringify(config));
      return file;
    };
    const withServer = (server: string) => writeChanged(({ clusters }) => void (clusters[0].cluster['server'] = server));

    it('says that there is no kubeconfig', slow, async () => {
      expect(await fail('--kubeconfig', join(folder, 'none'))).toContain(`no kubeconfig at ${join(folder, 'none')}`);
    });

    it('says that there is no such context', slow, async () => {
      expect(await fail('--kubeconfig', cluster().kubeconfig(), '--context', 'mars')).toContain('the kubeconfig has no context "mars"');
    });

    it('says that it does not run in a cluster', slow, async () => {
      expect(await fail('--in-cluster')).toContain('--in-cluster: this process does not run in a pod with a service account');
    });

    it('says that the cluster refuses connections', slow, async () => {
      const said = await fail('--kubeconfig', await withServer('https://127.0.0.1:1'));
      expect(said).toContain('cannot reach the cluster at https://127.0.0.1:1: it refuses connections');
    });

    it('says that the cluster does not answer', slow, async () => {
      const silent: Server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      const { port } = silent.address() as AddressInfo;
      const said = await fail('--kubeconfig', await withServer(`https://127.0.0.1:${port}`));
      silent.close();
      expect(said).toContain(`no connection to the cluster at https://127.0.0.1:${port} within 10 seconds`);
    });

    it('says what it is not allowed to do', slow, async () => {
      const name = `stranger-${namespace}`;
      await api.create(kinds.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name, namespace }, spec: {} };
      const answer = await api.create(kinds.serviceAccount, request, { subresource: 'token' });
      const { token } = answer['status'] as { token: string };
      const file = await writeChanged(({ users: [user] }) => void (user.user = { token }));
      const said = await fail('--kubeconfig', file, '--namespace', namespace);
      expect(said).toContain('forbidden');
      expect(said).toContain(`system:serviceaccount:${namespace}:${name}`);
      expect(said).not.toContain(token);
    });
  });
});

interface ClusterKubeconfig {
  readonly clusters: readonly [{ readonly cluster: Record<string, string> }];
  readonly users: readonly [{ user: Record<string, string> }];
}

async function signJwt(claims: object, key: string): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(key));
}
