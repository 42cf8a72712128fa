import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/index.ts';
import type { Clock } from '../../../src/base/index.ts';
import { createHttpKubeApi, loadInCluster, loadKubeconfig, readClusterConfig } from '../../../src/kube/index.ts';
import type { ClusterAccess, HttpKubeApi, ResourceType } from '../../../src/kube/index.ts';
import { connectTo, describeWithCluster, quietLog, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { startTunnelProxy } from '../../support/tunnel-proxy.ts';

const SELF: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
};

describeWithCluster('credentials on a real cluster', (cluster) => {
  let admin: HttpKubeApi;
  let namespace: string;
  let folder: string;
  const opened: HttpKubeApi[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairway-credentials-'));
    admin = await connectTo(cluster());
    namespace = await testNamespace(cluster());
    opened.push(admin);
  });
  afterAll(async () => {
    for (const api of opened) await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const pki = (name: string): string => join(cluster().folder, 'pki', name);
  const base64 = (name: string): string => readFileSync(pki(name)).toString('base64');
  const caData = (): string => base64('ca.crt');
  const open = (access: ClusterAccess, clock: Clock = systemClock): HttpKubeApi => {
    const api = createHttpKubeApi({
      ...access,
      clock,
      log: quietLog,
      userAgent: 'fairway-test',
      environment: { PATH: process.env['PATH'] },
    });
    opened.push(api);
    return api;
  };
  const whoAmI = async (api: HttpKubeApi): Promise<string> => {
    const review = await api.create(SELF, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} });
    return (review['status'] as { userInfo: { username: string } }).userInfo.username;
  };
  const tokenFor = async (name: string): Promise<string> => {
    await admin.create(kinds.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name, namespace }, spec: {} };
    const { status } = await admin.create(kinds.serviceAccount, request, { subresource: 'token' });
    return (status as { token: string }).token;
  };
  const account = (name: string): string => `system:serviceaccount:${namespace}:${name}`;
  /** A kubeconfig in YAML, written by hand as people do. */
  const kubeconfig = (
    name: string,
    user: string,
    clusterLines: readonly string[] = [`certificate-authority: ${pki('ca.crt')}`],
  ): string => {
    const file = join(folder, name);
    const lines = [
      'apiVersion: v1',
      'kind: Config',
      'current-context: here',
      'contexts:',
      '- name: here',
      `  context: {cluster: it, user: me, namespace: ${namespace}}`,
      'clusters:',
      '- name: it',
      '  cluster:',
      `    server: ${cluster().url}`,
      ...clusterLines.map((line) => `    ${line}`),
      'users:',
      '- name: me',
      `  user: ${user}`,
    ];
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const fromFile = (file: string): Promise<ClusterAccess> => loadKubeconfig({ files: [file], allowCommands: true, allowFiles: true });

  it('signs in with certificates at hand and in files', async () => {
    expect(await whoAmI(open(await loadKubeconfig({ files: [cluster().kubeconfig('fairway')] })))).toBe('fairway');
    const user = `{client-certificate: ${pki('fairway.crt')}, client-key: ${pki('fairway.key')}}`;
    const access = await fromFile(kubeconfig('files', user));
    expect(access.namespace).toBe(namespace);
    expect(await whoAmI(open(access))).toBe('fairway');
  });

  it('signs in with a token, and with one in a file that is replaced', async () => {
    const token = await tokenFor('first');
    expect(await whoAmI(open(await fromFile(kubeconfig('token', `{token: ${token}}`))))).toBe(account('first'));
    const file = join(folder, 'rotating-token');
    writeFileSync(file, `${token}\n`);
    let nowMs = Date.now();
    const api = open(await fromFile(kubeconfig('token-file', `{tokenFile: rotating-token}`)), { nowMs: () => nowMs });
    expect(await whoAmI(api)).toBe(account('first'));
    writeFileSync(`${file}.new`, await tokenFor('second'));
    renameSync(`${file}.new`, file);
    nowMs += 1500;
    expect(await whoAmI(api)).toBe(account('second'));
  });

  it('reads a token file again at once when the old token is refused', async () => {
    const file = join(folder, 'refused-token');
    writeFileSync(file, 'nonsense');
    const api = open(await fromFile(kubeconfig('refused', `{tokenFile: refused-token}`)), { nowMs: () => 0 });
    await expect(whoAmI(api)).rejects.toMatchObject({ code: 401, reason: 'Unauthorized' });
    writeFileSync(file, await tokenFor('third'));
    expect(await whoAmI(api)).toBe(account('third'));
  });

  it('acts as somebody else', async () => {
    const user = `{client-certificate: ${pki('admin.crt')}, client-key: ${pki('admin.key')}, as: somebody, as-groups: [one, two], as-user-extra: {reason: [test]}}`;
    const review = await open(await fromFile(kubeconfig('as', user)))
      .create(SELF, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        metadata: {},
      })
      .catch((error: unknown) => error);
    // Somebody without rights may not even ask who they are; the refusal names them.
    expect(JSON.stringify(review)).toContain('somebody');
  });

  it('runs as a service account does inside a pod', async () => {
    const mounted = mkdtempSync(join(folder, 'account-'));
    writeFileSync(join(mounted, 'token'), await tokenFor('inside'));
    writeFileSync(join(mounted, 'ca.crt'), readFileSync(pki('ca.crt')));
    writeFileSync(join(mounted, 'namespace'), namespace);
    const { hostname, port } = new URL(cluster().url);
    const access = loadInCluster({ environment: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }, folder: mounted });
    expect(access.namespace).toBe(namespace);
    expect(await whoAmI(open(access))).toBe(account('inside'));
  });

  it('asks an exec plugin, keeps what it printed, and asks again when that is refused or over', async () => {
    const program = join(folder, 'plugin.mjs');
    const answer = join(folder, 'plugin-answer.json');
    const calls = join(folder, 'plugin-calls');
    writeFileSync(
      program,
      `#!${process.execPath}
import { appendFileSync, readFileSync } from 'node:fs';
const asked = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ asked, args: process.argv.slice(2), extra: process.env.EXTRA }) + '\\n');
process.stdout.write(JSON.stringify({ apiVersion: asked.apiVersion, kind: 'ExecCredential', status: JSON.parse(readFileSync(${JSON.stringify(answer)}, 'utf8')) }));
`,
    );
    chmodSync(program, 0o755);
    const print = (status: object): void => writeFileSync(answer, JSON.stringify(status));
    const callCount = (): number => readFileSync(calls, 'utf8').trim().split('\n').length;
    let nowMs = Date.now();
    const user =
      '{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.mjs, args: [get, it], env: [{name: EXTRA, value: "1"}], interactiveMode: Never, provideClusterInfo: true}}';
    const api = open(await fromFile(kubeconfig('exec', user)), { nowMs: () => nowMs });

    print({ token: await tokenFor('exec-one'), expirationTimestamp: new Date(nowMs + 60_000).toISOString() });
    expect(await Promise.all([whoAmI(api), whoAmI(api), whoAmI(api)])).toEqual(Array.from({ length: 3 }, () => account('exec-one')));
    expect(callCount()).toBe(1);
    const seen = JSON.parse(readFileSync(calls, 'utf8')) as { asked: { spec: object }; args: string[]; extra: string };
    expect(seen).toMatchObject({
      args: ['get', 'it'],
      extra: '1',
      asked: { spec: { interactive: false, cluster: { server: cluster().url } } },
    });

    nowMs += 61_000;
    print({ token: 'nonsense', expirationTimestamp: new Date(nowMs + 60_000).toISOString() });
    await expect(whoAmI(api)).rejects.toMatchObject({ code: 401 });
    // Expired once, and asked again once because it was refused.
    expect(callCount()).toBe(3);
    print({ clientCertificateData: readFileSync(pki('fairway.crt'), 'utf8'), clientKeyData: readFileSync(pki('fairway.key'), 'utf8') });
    expect(await whoAmI(api)).toBe('fairway');
  });

  it('goes through proxies', async () => {
    const tls = { cert: readFileSync(pki('serving.crt')), key: readFileSync(pki('serving.key')) };
    for (const options of [
      { scheme: 'http' },
      { scheme: 'http', user: 'u', password: 'p:w' },
      { scheme: 'https', tls },
      { scheme: 'socks5' },
      { scheme: 'socks5', user: 'u', password: 'pw' },
    ] as const) {
      const proxy = await startTunnelProxy(options);
      const access = await loadKubeconfig({ files: [cluster().kubeconfig('fairway')] });
      const api = open({ ...access, credentials: { ...access.credentials, proxyUrl: proxy.url } });
      expect(await whoAmI(api)).toBe('fairway');
      await whoAmI(api);
      expect(proxy.targets).toEqual([new URL(cluster().url).host]);
      await proxy.close();
    }
  });

  it('says what is wrong with a proxy, without its password', async () => {
    const proxy = await startTunnelProxy({ scheme: 'http', user: 'u', password: 'right' });
    const access = await loadKubeconfig({ files: [cluster().kubeconfig()] });
    const api = open({ ...access, credentials: { ...access.credentials, proxyUrl: proxy.url.replace('right', 'wrong-password') } });
    const refused = await api.version().catch((error: unknown) => error as Error);
    expect(String(refused)).toContain(`the proxy ${new URL(proxy.url).host} answered 407 to CONNECT`);
    expect(String(refused)).not.toContain('wrong-password');
    await proxy.close();
    await expect(api.version()).rejects.toThrow('cannot be reached');
  });

  it('holds the certificate against another name where told', async () => {
    const access = await loadKubeconfig({ files: [cluster().kubeconfig()] });
    const named = (serverName: string): HttpKubeApi =>
      open({ ...access, credentials: { ...access.credentials, trust: { ...access.credentials.trust, serverName } } });
    await named('kubernetes.default.svc').version();
    await named('127.0.0.1').version();
    await expect(named('other.example').version()).rejects.toThrow(
      `cannot reach the cluster at ${cluster().url}: its certificate is made out to another name`,
    );
    await expect(named('127.0.0.2').version()).rejects.toThrow('another name');
  });

  it('trusts nobody whom it does not know, unless told to', async () => {
    const access = await loadKubeconfig({ files: [cluster().kubeconfig()] });
    const { credentials } = access;
    const message = `cannot reach the cluster at ${cluster().url}: its certificate is not signed by a trusted authority`;
    const other = open({ ...access, credentials: { ...credentials, trust: { insecure: false, authority: { file: pki('fairway.crt') } } } });
    await expect(other.version()).rejects.toThrow(message);
    await expect(open({ ...access, credentials: { ...credentials, trust: { insecure: false } } }).version()).rejects.toThrow(message);
    await open({ ...access, credentials: { ...credentials, trust: { insecure: true } } }).version();
  });

  it('reads what the Secret of a registered cluster says', async () => {
    const token = await tokenFor('registered');
    const server = `${cluster().url}/`;
    const tls = { insecure: false, caData: caData() };
    const byToken = readClusterConfig({ server, config: JSON.stringify({ bearerToken: token, tlsClientConfig: tls }) });
    expect(await whoAmI(open(byToken))).toBe(account('registered'));
    const pair = { certData: base64('fairway.crt'), keyData: base64('fairway.key') };
    const byCertificate = readClusterConfig({ server, config: { tlsClientConfig: { ...tls, serverName: 'kubernetes', ...pair } } });
    expect(await whoAmI(open(byCertificate))).toBe('fairway');
  });
});
