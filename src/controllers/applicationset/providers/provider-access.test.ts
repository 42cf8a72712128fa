import { createVerify, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGithubStub } from '../../../../test/support/provider-stubs/github-stub.ts';
import { startGitlabStub } from '../../../../test/support/provider-stubs/gitlab-stub.ts';
import { openProviderScene, type GenerateOptions, type ProviderScene } from '../../../../test/support/provider-stubs/provider-scene.ts';
import type { ProviderStub } from '../../../../test/support/provider-stubs/provider-stub.ts';
import { world } from '../../../../test/support/provider-stubs/stub-world.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { createRenderText } from '../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from './index.ts';

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub;

const allowed = 'applicationsetcontroller.allowed.scm.providers';
const enabled = 'applicationsetcontroller.enable.scm.providers';
const label = 'argocd.argoproj.io/secret-type';

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  await scene.store('Secret', 'plain', { token: world.token });
  await scene.store('Secret', 'labelled', { token: world.token }, { [label]: 'scm-creds' });
  await scene.store('Secret', 'cluster-keys', { token: 'planted-cluster-token' }, { [label]: 'cluster' });
});

afterEach(async () => {
  await stub.close();
  await scene.setParameter(allowed, null);
});

afterAll(() => scene.close());

type More = GenerateOptions<ProviderOptions>;
const limits = { attemptsMax: 1 };
const repositories = (block: object, more: More = {}) =>
  scene.generate('scmProvider', { github: { organization: 'acme', api: stub.url, ...block } }, { options: { limits }, ...more });
const requests = (block: object, more: More = {}) =>
  scene.generate('pullRequest', { github: { owner: 'acme', repo: 'shop', api: stub.url, ...block } }, { options: { limits }, ...more });
const tokenRef = (secretName: string, key = 'token') => ({ tokenRef: { secretName, key } });

describe('The token of a provider', () => {
  it('is read from a Secret beside the application set', async () => {
    stub = await startGithubStub(world);
    expect(await repositories(tokenRef('plain'))).toHaveLength(5);
    await expect(repositories(tokenRef('none'))).rejects.toThrow(
      'error fetching Github token: error fetching secret argocd/none: secrets "none" not found',
    );
    await expect(repositories(tokenRef('plain', 'other'))).rejects.toThrow('key "other" in secret argocd/plain not found');
    await expect(requests(tokenRef('plain', 'other'))).rejects.toThrow(
      'failed to select pull request service provider: error fetching Secret token: key "other" in secret argocd/plain not found',
    );
    await scene.setParameter(allowed, stub.url);
    await expect(repositories(tokenRef('plain'), { namespace: 'team-a' })).rejects.toThrow('error fetching secret team-a/plain');
  });

  it('comes from the environment where no Secret is named', async () => {
    stub = await startGithubStub(world);
    const environment = { GITHUB_TOKEN: world.token };
    expect(await repositories({}, { options: { limits, environment } })).toHaveLength(5);
    await expect(repositories({})).rejects.toThrow('401 Unauthorized');
    expect(stub.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('APPSET-02: is read only from Secrets that are labelled for it, where settings are strict', async () => {
    stub = await startGithubStub(world);
    expect(await repositories(tokenRef('labelled'), { strictTokens: true })).toHaveLength(5);
    for (const name of ['plain', 'cluster-keys', 'argocd-secret'])
      await expect(repositories(tokenRef(name), { strictTokens: true })).rejects.toThrow(
        `secret argocd/${name} is not a valid SCM creds secret: secret must have label "argocd.argoproj.io/secret-type"="scm-creds"`,
      );
    expect(stub.requests.every(({ headers }) => headers.authorization === `Bearer ${world.token}`)).toBe(true);
  });
});

describe('The list of providers', () => {
  it('APPSET-02: keeps tokens from every other server', async () => {
    stub = await startGithubStub(world);
    await scene.setParameter(allowed, 'https://github.example.com, https://gitlab.example.com');
    const refusal = `scm provider not allowed: scm provider "${stub.url}" not allowed, must use one of the following: https://github.example.com, https://gitlab.example.com`;
    await expect(repositories(tokenRef('plain'))).rejects.toThrow(refusal);
    await expect(requests(tokenRef('plain'))).rejects.toThrow(`failed to select pull request service provider: ${refusal}`);
    const near = `${stub.url}/`;
    await scene.setParameter(allowed, near);
    await expect(repositories(tokenRef('plain'))).rejects.toThrow('not allowed');
    expect(stub.requests).toEqual([]);
    await scene.setParameter(allowed, stub.url);
    expect(await repositories(tokenRef('plain'))).toHaveLength(5);
  });

  it('may forbid all', async () => {
    stub = await startGithubStub(world);
    await scene.setParameter(enabled, 'false');
    await expect(repositories(tokenRef('plain'))).rejects.toThrow('scm providers are disabled');
    await expect(requests(tokenRef('plain'))).rejects.toThrow('failed to select pull request service provider: scm providers are disabled');
    await scene.setParameter(enabled, null);
    expect(stub.requests).toEqual([]);
  });

  it('APPSET-08: must not be empty for application sets of other namespaces', async () => {
    stub = await startGithubStub(world);
    for (const block of [{ api: stub.url }, { api: undefined }]) {
      await expect(repositories(block, { namespace: 'team-a' })).rejects.toThrow(
        'scm provider not allowed: application sets outside of the namespace argocd',
      );
      await expect(requests(block, { namespace: 'team-a' })).rejects.toThrow('scm provider not allowed');
    }
    expect(stub.requests).toEqual([]);
  });
});

describe('An app of GitHub', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  async function storeApp(name: string, data: Record<string, string>, type = 'repo-creds'): Promise<void> {
    await scene.store('Secret', name, data, { [label]: type });
    await waitUntil(() => scene.plane.settings.current.labelledSecrets.has(name));
  }

  it('gets a token by its key, and keeps it while it is good', async () => {
    stub = await startGithubStub(world, { app: { installation: '77' } });
    await storeApp('app', {
      url: 'https://github.example.com',
      githubAppID: '42',
      githubAppInstallationID: '77',
      githubAppPrivateKey: pem,
    });
    const generators = createProviderGenerators({ ...scene.plane.context, limits });
    const generate = () =>
      generators.scmProvider.generate({
        spec: { github: { organization: 'acme', api: stub.url, appSecretName: 'app' } } as never,
        applicationSet: { metadata: { name: 'set', namespace: 'argocd' }, spec: {} } as never,
        goTemplate: true,
        renderText: (text) => text,
        strictTokens: false,
        fresh: false,
        signal: new AbortController().signal,
      });
    expect(await generate()).toHaveLength(5);
    expect(await generate()).toHaveLength(5);
    const asked = stub.requests.filter(({ path }) => path.includes('access_tokens'));
    expect(asked).toHaveLength(1);
    const [head = '', body = '', signature = ''] = asked[0]?.headers.authorization?.replace('Bearer ', '').split('.') ?? [];
    expect(createVerify('RSA-SHA256').update(`${head}.${body}`).verify(publicKey, signature, 'base64url')).toBe(true);
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { iss: string; iat: number; exp: number };
    expect(claims.iss).toBe('42');
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(600);
  });

  it('must be one', async () => {
    stub = await startGithubStub(world);
    await storeApp('no-app', { url: 'https://github.example.com', password: 'x' });
    await storeApp(
      'wrong-type',
      { url: 'https://github.example.com', githubAppPrivateKey: pem, githubAppInstallationID: '1' },
      'repository',
    );
    await storeApp('bad-key', { url: 'https://github.example.com', githubAppPrivateKey: 'planted-key', githubAppInstallationID: '1' });
    for (const name of ['none', 'no-app', 'wrong-type'])
      await expect(repositories({ appSecretName: name })).rejects.toThrow(`no github app found for ${name}`);
    const failure = await requests({ appSecretName: 'bad-key' }).catch((error: unknown) => error);
    expect(String(failure)).toContain('error getting GitHub App secret: the private key of the github app bad-key cannot be read');
    expect(String(failure)).not.toContain('planted-key');
  });
});

describe('Between two looks at a provider', () => {
  it.each([
    ['scmProvider', undefined, 1_800_000],
    ['pullRequest', undefined, 1_800_000],
    ['plugin', undefined, 1_800_000],
    ['clusterDecisionResource', undefined, 180_000],
    ['scmProvider', 60, 60_000],
    ['pullRequest', 0, 0],
    ['clusterDecisionResource', 10, 10_000],
  ] as const)('%s with %s waits %s ms', async (key, requeueAfterSeconds, ms) => {
    stub = await startGitlabStub(world);
    const generators = createProviderGenerators(scene.plane.context);
    expect(generators[key].requeueAfterMs({ ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }) } as never)).toBe(ms);
  });
});
