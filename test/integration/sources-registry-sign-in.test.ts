import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const NOBODY = '00000000-0000-0000-0000-000000000000';
const seal = (text: string): Sealed<string> => new Sealed(text);
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const tokenUntil = (ms: number): string =>
  `planted.${Buffer.from(JSON.stringify({ exp: ms / 1000 })).toString('base64url')}.planted-signature`;

/** One server that is the registry, its giver of tokens, and the cloud's. */
describe('a registry whose credentials are exchanged at a provider', () => {
  let server: StubServer;
  let folder: string;
  let nowMs: number;
  let realm: string;
  let asked: { readonly line: string; readonly authorization: string; readonly form: Record<string, string> }[];
  let challenge: string;
  /** What opens the registry. */
  let wanted: string;
  const opened: TestSources[] = [];

  beforeAll(async () => {
    server = await startStubServer((request, response) => void answer(request, response));
    folder = await mkdtemp(join(tmpdir(), 'identity-'));
    await writeFile(join(folder, 'token'), 'planted-cluster-token\n');
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    asked = [];
    nowMs = START_MS;
    realm = `${server.url}/oauth2/token`;
    challenge = '';
    wanted = 'Bearer planted-registry';
  });
  afterEach(async () => {
    for (const test of opened.splice(0)) await test.close();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', server.url);
    const authorization = request.headers.authorization ?? '';
    const form = Object.fromEntries(new URLSearchParams(await readBody(request)));
    asked.push({ line: `${request.method} ${pathname}`, authorization, form });
    const refreshed = tokenUntil(START_MS + 3 * 3_600_000);
    const say = (body: unknown): void => void response.end(JSON.stringify(body));
    if (pathname === '/tenant/oauth2/v2.0/token') return say({ access_token: 'planted-cloud', expires_in: 3600 });
    if (pathname === '/google/token') return say({ access_token: 'ya29.planted', expires_in: 3600 });
    if (pathname === '/oauth2/exchange') return say({ refresh_token: refreshed });
    if (pathname === '/oauth2/token' && authorization === basic(NOBODY, refreshed)) return say({ access_token: 'planted-registry' });
    const refusal = challenge || `Bearer realm="${realm}",service="registry.example.com"`;
    if (authorization !== wanted) return void response.writeHead(401, { 'www-authenticate': refusal }).end();
    if (pathname === '/index.yaml') return void response.end('entries: {shop: [{version: 1.0.0, urls: []}]}\n');
    say({ tags: ['1.0.0'] });
  }

  async function open(fields: Partial<RepositoryAccess>): Promise<{ test: TestSources; url: string }> {
    const url = `oci://${new URL(server.url).host}/team/web`;
    const test = await openTestSources({
      credentialsFor: (name) => ({
        url: name,
        type: name.startsWith('http') ? 'helm' : 'oci',
        owner: 's',
        insecureOCIForceHttp: true,
        ...fields,
      }),
      clock: { nowMs: () => nowMs },
      workloadIdentity: { clientId: 'client', tenantId: 'tenant', authority: server.url, tokenFile: join(folder, 'token') },
    });
    opened.push(test);
    return { test, url };
  }

  const principal = {
    azureServicePrincipalClientId: seal('client'),
    azureServicePrincipalTenantId: seal('tenant'),
    azureServicePrincipalClientSecret: seal('planted-secret'),
  };

  it('is opened by the workload that asks: its token is exchanged for one of the registry, which is used until it ends', async () => {
    const { test, url } = await open({ useAzureWorkloadIdentity: true });
    expect(await test.sources.ociTags(url, { project: 'default' })).toEqual(['1.0.0']);
    expect(asked.map(({ line }) => line)).toEqual([
      'GET /v2/',
      'POST /tenant/oauth2/v2.0/token',
      'POST /oauth2/exchange',
      'GET /v2/team/web/tags/list',
      'GET /oauth2/token',
      'GET /v2/team/web/tags/list',
    ]);
    expect(asked[1]?.form).toMatchObject({
      client_assertion: 'planted-cluster-token',
      scope: 'https://management.core.windows.net/.default',
    });
    expect(asked[2]?.form).toEqual({ grant_type: 'access_token', service: 'registry.example.com', access_token: 'planted-cloud' });
    nowMs += 2 * 3_600_000;
    await test.sources.ociTags(url, { project: 'default' });
    expect(asked.filter(({ line }) => line === 'POST /oauth2/exchange')).toHaveLength(1);
    nowMs += 3_600_000;
    await test.sources.ociTags(url, { project: 'default' });
    expect(asked.filter(({ line }) => line === 'POST /oauth2/exchange')).toHaveLength(2);
    expect(test.logged()).not.toContain('planted');
  });

  it('is opened by a service principal', async () => {
    const { test, url } = await open({ ...principal, azureActiveDirectoryEndpoint: seal(server.url) });
    expect(await test.sources.ociTags(url, { project: 'default' })).toEqual(['1.0.0']);
    expect(asked[1]?.form).toMatchObject({ client_id: 'client', client_secret: 'planted-secret' });
  });

  it('is opened with the key of a service account, and so is a repository of charts', async () => {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const key = { client_email: 'robot@example.com', private_key: pem, token_uri: `${server.url}/google/token` };
    const { test, url } = await open({ gcpServiceAccountKey: seal(JSON.stringify(key)) });
    wanted = basic('oauth2accesstoken', 'ya29.planted');
    challenge = 'Basic realm="registry"';
    expect(await test.sources.ociTags(url, { project: 'default' })).toEqual(['1.0.0']);
    expect(await test.sources.helmCharts(server.url, { project: 'default' })).toEqual([{ name: 'shop', versions: ['1.0.0'] }]);
    expect(asked.filter(({ line }) => line === 'POST /google/token')).toHaveLength(1);
  });

  it('is tested as a place of charts with such credentials too', async () => {
    const { test } = await open({});
    const access = {
      url: `${new URL(server.url).host}/charts`,
      type: 'helm',
      owner: 's',
      enableOCI: true,
      insecureOCIForceHttp: true,
    } as const;
    await test.sources.testRepository({ ...access, useAzureWorkloadIdentity: true });
    wanted = 'somebody else';
    await expect(test.sources.testRepository({ ...access, useAzureWorkloadIdentity: true })).rejects.toThrow(/401/);
  });

  it.each<[string, () => void, string]>([
    ['gives out tokens elsewhere', () => (realm = 'https://evil.example.com/oauth2/token'), 'the registry gives out tokens elsewhere'],
    ['gives out no tokens', () => (challenge = 'Basic realm="x"'), 'the registry gives out no tokens'],
    ['asks for nothing', () => (wanted = ''), 'the registry gives out no tokens'],
  ])('CRED-05: one that %s does not get the token of the cloud', async (_what, prepare, failure) => {
    prepare();
    const { test, url } = await open({ useAzureWorkloadIdentity: true });
    await expect(test.sources.ociTags(url, { project: 'default' })).rejects.toThrow(`signing in failed: ${failure}`);
    expect(asked.map(({ line }) => line)).toEqual(['GET /v2/']);
  });

  it('gets a password where there is one, and then nobody else is asked', async () => {
    const { test, url } = await open({ useAzureWorkloadIdentity: true, username: seal('ada'), password: seal('pw') });
    wanted = basic('ada', 'pw');
    challenge = 'Basic realm="registry"';
    expect(await test.sources.ociTags(url, { project: 'default' })).toEqual(['1.0.0']);
    expect(new Set(asked.map(({ line }) => line))).toEqual(new Set(['GET /v2/team/web/tags/list']));
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
