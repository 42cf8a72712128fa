import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadKubeconfig, readKubeconfig } from './load-kubeconfig.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const PEM_DATA = Buffer.from(PEM).toString('base64');
const ALLOWED = { allowCommands: true, allowFiles: true };

function config(user: string, cluster = 'server: https://one.example:6443/'): string {
  return `
apiVersion: v1
kind: Config
current-context: first
contexts:
- {name: first, context: {cluster: one, user: me}}
- {name: second, context: {cluster: two, user: me, namespace: elsewhere}}
clusters:
- name: one
  cluster: {${cluster}}
- name: two
  cluster: {server: "https://two.example"}
users:
- name: me
  user: {${user}}
`;
}

const read = (text: string, options: object = ALLOWED) => readKubeconfig({ text, ...options });
const identity = async (user: string) => (await read(config(user))).credentials.identity;

describe('what a kubeconfig says', () => {
  it('goes by its current context, or by the one that is asked for', async () => {
    expect(await read(config('token: abc'))).toEqual({
      server: 'https://one.example:6443',
      credentials: { identity: { type: 'token', token: 'abc' }, trust: { insecure: false }, disableCompression: false },
    });
    expect(await read(config('token: abc'), { context: 'second' })).toMatchObject({
      server: 'https://two.example',
      namespace: 'elsewhere',
    });
    await expect(read(config(''), { context: 'third' })).rejects.toThrow('no context "third"');
  });

  it('may be JSON', async () => {
    const json = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'b' } }],
      clusters: [{ name: 'b', cluster: { server: 'http://c' } }],
    };
    expect(await read(JSON.stringify(json))).toMatchObject({ server: 'http://c', credentials: { identity: { type: 'none' } } });
  });

  it('describes the cluster', async () => {
    const cluster = `server: "https://one", certificate-authority-data: ${PEM_DATA}, tls-server-name: name, proxy-url: "socks5://p:1", disable-compression: true`;
    expect((await read(config('', cluster))).credentials).toMatchObject({
      trust: { insecure: false, serverName: 'name', authority: { pem: PEM } },
      proxyUrl: 'socks5://p:1',
      disableCompression: true,
    });
    expect((await read(config('', 'server: "https://one", insecure-skip-tls-verify: true'))).credentials.trust.insecure).toBe(true);
  });

  it('prefers a token file to a token, and data to a file', async () => {
    expect(await identity('token: abc, tokenFile: /run/token')).toEqual({ type: 'token-file', file: '/run/token' });
    const user = `client-certificate-data: ${PEM_DATA}, client-certificate: /nowhere, client-key-data: ${PEM_DATA}`;
    expect((await read(config(user))).credentials.clientCertificate).toEqual({ certificate: { pem: PEM }, key: { pem: PEM } });
  });

  it('describes a user and a plugin', async () => {
    expect(await identity('username: me, password: secret')).toEqual({ type: 'basic', username: 'me', password: 'secret' });
    const exec =
      'exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: login, args: [a], env: [{name: A, value: b}], installHint: get it}';
    expect(await identity(exec)).toEqual({
      type: 'exec',
      plugin: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: 'login',
        args: ['a'],
        env: [{ name: 'A', value: 'b' }],
        installHint: 'get it',
        provideClusterInfo: false,
      },
    });
  });

  it.each([
    ['username: me, token: abc', 'username/password or bearer token may be set, but not both'],
    ['auth-provider: {name: gcp}', 'auth-provider is not supported'],
    ['exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}', 'apiVersion is none of'],
    ['exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}', 'interactiveMode is Always'],
    ['exec: {apiVersion: client.authentication.k8s.io/v1}', 'names no command'],
    [`client-certificate-data: ${PEM_DATA}`, 'go together'],
    ['client-certificate-data: c2VjcmV0, client-key-data: c2VjcmV0', 'is not PEM in base64'],
    ['as-groups: [a]', 'need `as`'],
    ['token: [secret-value]', 'user.token is not a text'],
  ])('refuses %s', async (user, message) => {
    await expect(read(config(user))).rejects.toThrow(message);
    await expect(read(config(user))).rejects.not.toThrow('secret-value');
  });

  it.each([
    ['server: "ftp://one"', 'a URL with https or http'],
    ['server: "https://user:pass@one"', 'carries no user and no password'],
    ['proxy-url: "ftp://p", server: "https://one"', 'failed to parse proxy url, unsupported scheme "ftp", must be http, https, or socks5'],
    [`server: "https://one", insecure-skip-tls-verify: true, certificate-authority-data: ${PEM_DATA}`, 'exclude each other'],
    ['server: "https://one", certificate-authority-data: abc', 'is not PEM in base64'],
    ['x: y', 'has no server'],
  ])('refuses a cluster with %s', async (cluster, message) => {
    await expect(read(config('', cluster))).rejects.toThrow(message);
  });

  it('runs no command and reads no file that the caller has not allowed', async () => {
    const exec = config('exec: {apiVersion: client.authentication.k8s.io/v1, command: x}');
    await expect(read(exec, {})).rejects.toThrow('credentials from a command are not allowed here');
    await expect(read(exec, { allowFiles: true })).rejects.toThrow('command');
    for (const text of [
      config('tokenFile: /etc/passwd'),
      config('client-certificate: /a, client-key: /b'),
      config('', 'server: "https://one", certificate-authority: /etc/passwd'),
    ]) {
      await expect(read(text, { allowCommands: true })).rejects.toThrow('credentials from files are not allowed here');
      await read(text, ALLOWED);
    }
  });

  it('cannot be a bomb, nor reach into our objects', async () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[index]}`).join(', ')}]`),
    ].join('\n');
    await expect(read(bomb)).rejects.toThrow('neither YAML nor JSON that can be read');
    await expect(read('['.repeat(100_000))).rejects.toThrow('nests too deeply');
    await expect(read('a: b: c')).rejects.toThrow('neither YAML nor JSON');
    await expect(read('{"password": "secret-value",')).rejects.toThrow(/^kubeconfig is neither YAML nor JSON that can be read$/);
    await expect(read('__proto__: {contexts: [], polluted: true}')).rejects.toThrow('no current context');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('kubeconfig files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairway-kubeconfig-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are merged, the first one counts, and missing ones are left out', async () => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const one = write(
      'one',
      'contexts: [{name: a, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: first, tokenFile: ""}}]',
    );
    const two = write(
      'two',
      'current-context: a\nclusters: [{name: c, cluster: {server: "https://c", certificate-authority: ca.crt}}]\nusers: [{name: u, user: {token: second}}]',
    );
    const access = await loadKubeconfig({ files: [join(folder, 'missing'), one, two], allowFiles: true });
    expect(access.credentials).toMatchObject({ identity: { token: 'first' }, trust: { authority: { file: join(folder, 'ca.crt') } } });
    await expect(loadKubeconfig({ files: [join(folder, 'missing')] })).rejects.toThrow('no kubeconfig at');
    await expect(loadKubeconfig({ files: [folder] })).rejects.toThrow('cannot be read');
    await expect(loadKubeconfig({ files: [write('other', 'kind: Pod')] })).rejects.toThrow('is a Pod, not a kubeconfig');
  });
});
