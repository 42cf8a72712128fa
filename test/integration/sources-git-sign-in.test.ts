import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messageCodec } from '../../src/contract/index.ts';
import { Sealed } from '../../src/settings/index.ts';
import type { RenderRequest, RepositoryAccess } from '../../src/sources/index.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import type { GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { sendManifests, sendMessage, startPluginStub } from '../support/plugin-stub.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const seal = (text: string): Sealed<string> => new Sealed(text);

interface Asked {
  readonly line: string;
  readonly authorization: string;
  readonly form: URLSearchParams;
}

describe('a repository whose credentials are exchanged at a provider', () => {
  let repository: GitRepository;
  let server: GitHttpServer;
  let provider: StubServer;
  let url: string;
  let expected: string;
  let asked: Asked[];
  let answer: (asked: Asked) => { status?: number; body: unknown };
  let nowMs: number;
  let test: TestSources;
  let access: RepositoryAccess;
  let folder: string;

  beforeAll(async () => {
    repository = await createGitRepository({
      'a.yaml': configMap('a'),
      '.gitattributes': '*.bin filter=lfs\n',
      'large/x.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5000\n`,
    });
    const root = dirname(repository.folder);
    // The expected header changes from test to test.
    server = await startGitHttpServer({
      root,
      misbehave: ({ headers }) =>
        headers.authorization === expected ? undefined : { status: 401, headers: { 'www-authenticate': 'Basic' } },
    });
    url = `${server.url}/${basename(repository.folder)}/.git`;
    provider = await startStubServer((request, response) => {
      void readBody(request).then((body) => {
        const question = {
          line: `${request.method} ${request.url}`,
          authorization: request.headers.authorization ?? '',
          form: new URLSearchParams(body),
        };
        asked.push(question);
        const { status = 200, body: said } = answer(question);
        response.writeHead(status, { 'content-type': 'application/json' }).end(typeof said === 'string' ? said : JSON.stringify(said));
      });
    });
    folder = await mkdtemp(join(tmpdir(), 'identity-'));
    await writeFile(join(folder, 'token'), 'planted-cluster-token\n');
  });
  afterAll(async () => {
    await provider.close();
    await server.close();
    await repository.remove();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    asked = [];
    nowMs = START_MS;
    answer = () => ({ body: {} });
  });

  const open = async (fields: Partial<RepositoryAccess>, more: Parameters<typeof openTestSources>[0] = {}): Promise<void> => {
    access = { url, type: 'git', owner: 'secret/', ...fields };
    test = await openTestSources({ credentialsFor: () => access, clock: { nowMs: () => nowMs }, limits: { revisionMs: 0 }, ...more });
  };
  const names = (): Promise<string[]> => test.names({ repoURL: url, path: '.' });

  const app = {
    githubAppID: seal('17'),
    githubAppInstallationID: seal('23'),
    githubAppPrivateKey: seal(pem),
  };

  it('signs in as an app, with a token of its installation that is used until shortly before it ends', async () => {
    await open({ ...app, githubAppEnterpriseBaseUrl: seal(`${provider.url}/api/v3/`) });
    expected = basic('x-access-token', 'ghs_planted1');
    answer = () => ({ body: { token: `ghs_planted${asked.length}`, expires_at: new Date(nowMs + 3_600_000).toISOString() } });
    expect(await names()).toEqual(['a']);
    expect(await names()).toEqual(['a']);
    expect(asked.map(({ line }) => line)).toEqual(['POST /api/v3/app/installations/23/access_tokens']);
    expect(readJwt(asked[0]?.authorization.replace('Bearer ', ''))).toEqual({
      iss: '17',
      iat: START_MS / 1000 - 60,
      exp: START_MS / 1000 + 540,
    });
    nowMs += 57 * 60_000;
    expect(await names()).toEqual(['a']);
    expect(asked).toHaveLength(1);
    nowMs += 2 * 60_000;
    expected = basic('x-access-token', 'ghs_planted2');
    expect(await names()).toEqual(['a']);
    expect(asked).toHaveLength(2);
    expect(test.logged()).not.toContain('planted');
    await test.close();
  });

  it('finds the installation of the app that is for the repository', async () => {
    await open({ ...app, githubAppInstallationID: seal(''), githubAppEnterpriseBaseUrl: seal(provider.url) });
    expected = basic('x-access-token', 'ghs_planted');
    answer = ({ line }) => ({ body: line.startsWith('GET') ? { id: 99 } : { token: 'ghs_planted' } });
    expect(await names()).toEqual(['a']);
    expect(asked.map(({ line }) => line)).toEqual([
      `GET /repos/${basename(repository.folder)}/.git/installation`.replace('/.git/', '//'),
      'POST /app/installations/99/access_tokens',
    ]);
    await test.close();
  });

  it('signs in with the key of a service account', async () => {
    const key = { client_email: 'robot@example.com', private_key: pem, token_uri: `${provider.url}/token` };
    await open({ gcpServiceAccountKey: seal(JSON.stringify(key)) });
    expected = basic('robot@example.com', 'ya29.planted');
    answer = () => ({ body: { access_token: 'ya29.planted', expires_in: 3599 } });
    expect(await names()).toEqual(['a']);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect(readJwt(asked[0]?.form.get('assertion') ?? '')).toEqual({
      iss: 'robot@example.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${provider.url}/token`,
      iat: START_MS / 1000,
      exp: START_MS / 1000 + 3600,
    });
    await test.close();
  });

  it('signs in as the workload that it is in its cluster', async () => {
    const workloadIdentity = { clientId: 'client', tenantId: 'tenant', authority: `${provider.url}/`, tokenFile: join(folder, 'token') };
    await open({ useAzureWorkloadIdentity: true }, { workloadIdentity });
    expected = 'Bearer planted-azure';
    answer = () => ({ body: { access_token: 'planted-azure', expires_in: 3600 } });
    expect(await names()).toEqual(['a']);
    expect(asked.map(({ line }) => line)).toEqual(['POST /tenant/oauth2/v2.0/token']);
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      client_id: 'client',
      client_assertion: 'planted-cluster-token',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      grant_type: 'client_credentials',
      scope: '499b84ac-1321-427f-aa17-267ca6975798/.default',
    });
    await test.close();
    await open({ useAzureWorkloadIdentity: true });
    await expect(names()).rejects.toThrow('signing in failed: this process has no workload identity');
    await test.close();
  });

  it('signs in as a service principal', async () => {
    await open({
      azureServicePrincipalClientId: seal('client'),
      azureServicePrincipalTenantId: seal('tenant'),
      azureServicePrincipalClientSecret: seal('planted-secret'),
      azureActiveDirectoryEndpoint: seal(provider.url),
    });
    expected = 'Bearer planted-azure';
    answer = () => ({ body: { access_token: 'planted-azure', expires_in: 3600 } });
    expect(await names()).toEqual(['a']);
    expect(asked[0]?.form.get('client_secret')).toBe('planted-secret');
    await test.close();
  });

  it('prefers a password, and then asks nobody', async () => {
    await open({ ...app, password: seal('pw'), githubAppEnterpriseBaseUrl: seal(provider.url) });
    expected = basic('x-access-token', 'pw');
    expect(await names()).toEqual(['a']);
    expect(asked).toEqual([]);
    await test.close();
  });

  it('is not fetched anew where the provider refuses, and what a plugin has made before needs no provider', async () => {
    const configuration = messageCodec('plugin.CheckPluginConfigurationResponse').encode({ provideGitCreds: true });
    const stub = await startPluginStub({
      CheckPluginConfiguration: (stream) => sendMessage(stream, configuration),
      GenerateManifest: (stream) => sendManifests(stream, [configMap('made')]),
    });
    const plugins = { socketFolder: stub.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    await open({ ...app, githubAppEnterpriseBaseUrl: seal(provider.url) }, { plugins });
    expected = basic('x-access-token', 'ghs_planted');
    answer = () => ({ body: { token: 'ghs_planted' } });
    const made = { repoURL: url, path: '.', plugin: { name: 'stub' } };
    const { revision } = await test.render(made);
    nowMs += 2 * 3_600_000;
    answer = () => ({ status: 503, body: {} });
    const application = { name: 'web', namespace: 'argocd', project: 'default' };
    const render = (source: RenderRequest['source'], hard = false) =>
      test.sources.render({ source, revision, application, destinationNamespace: 'prod', hard });
    const mirrors = join(test.folder, 'mirrors');
    const inodes = async () => Promise.all((await readdir(mirrors)).map(async (name) => (await stat(join(mirrors, name))).ino));
    const before = await inodes();
    const askedBefore = asked.length;
    expect((await render(made)).objects[0]?.metadata.name).toBe('made');
    expect(asked.length).toBe(askedBefore);
    await expect(render(made, true)).rejects.toMatchObject({ message: expect.stringContaining('": signing in failed: ') as string });
    access = { ...access, enableLfs: true };
    await expect(render({ repoURL: url, path: '.' })).rejects.toMatchObject({
      message: expect.stringMatching(/^git LFS: signing in failed: /) as string,
    });
    expect(await inodes()).toEqual(before);
    await test.close();
    await stub.close();
  });

  it.each<[string, Partial<RepositoryAccess>, { status?: number; body: unknown }, string]>([
    [
      'refuses',
      {},
      { status: 401, body: { message: 'planted-words' } },
      '/app/installations/23/access_tokens answered with the status 401',
    ],
    ['answers with a page', {}, { body: '<html>planted-words' }, 'did not answer with an object'],
    ['gives no token', {}, { body: { token: 3 } }, 'the provider of the app gave no token'],
    ['is not asked over TLS', { githubAppEnterpriseBaseUrl: seal('http://provider.example.com') }, { body: {} }, 'is not an https address'],
    [
      'is on the local link',
      { githubAppEnterpriseBaseUrl: seal('https://169.254.169.254/x') },
      { body: {} },
      'addresses of the local link are not allowed',
    ],
    ['has another key', { githubAppPrivateKey: seal('planted-key') }, { body: {} }, 'the private key of the app cannot be read'],
    ['does not know the app', { githubAppID: seal('') }, { body: {} }, 'the id of the app is missing'],
  ])('a provider that %s is named, without what it says', async (_what, fields, said, failure) => {
    await open({ ...app, githubAppEnterpriseBaseUrl: seal(provider.url), ...fields });
    answer = () => said;
    const error = await names().then(
      () => new Error('none'),
      (thrown: unknown) => thrown as Error,
    );
    expect(error.message).toContain('failed to list refs: signing in failed: ');
    expect(error.message).toContain(failure);
    expect(`${error.message}${test.logged()}`).not.toContain('planted');
    await test.close();
  });
});

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The claims of a token that our key has signed. */
function readJwt(token = ''): unknown {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isGood = verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
  expect(isGood).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
