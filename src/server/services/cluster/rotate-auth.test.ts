import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLiveClusters, type LiveClusters } from '../../../../test/support/live-clusters.ts';
import { startStubServer, type StubServer } from '../../../../test/support/stub-server.ts';
import { systemClock, systemTimers } from '../../../base/index.ts';
import { createRegistry } from '../../../clusters/index.ts';
import { methods } from '../../../contract/index.ts';
import { createObjectStore } from '../../../kube/index.ts';
import { applicationType } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ClusterServiceOptions } from './cluster-context.ts';
import { rotateAuth } from './rotate-auth.ts';

const OLD_TOKEN = tokenOf('deployer-token-abc12');
const NEW_TOKEN = tokenOf('deployer-token-new');
const SECRETS = '/api/v1/namespaces/system/secrets';
const ACCOUNT = '/api/v1/namespaces/system/serviceaccounts/deployer';

const call: Call = {
  method: methods.find(({ path }) => path === '/cluster.ClusterService/RotateAuth')!,
  caller: { username: 'admin', issuer: 'argocd', groups: [], capability: 'login', tokenId: 'id', issuedAt: 0, expiresAt: 100 },
  token: undefined,
  transport: 'grpc',
  signal: new AbortController().signal,
  secure: false,
  remoteAddress: '127.0.0.1',
  setHeader: () => undefined,
  setCookie: () => undefined,
};

/** What a cluster knows of a service account and its tokens; enough of one to be spoilt where a real one cannot be. */
interface Scene {
  readonly requests: string[];
  /** The tokens that open the cluster. */
  readonly accepted: Set<string>;
  secrets: { name: string }[];
}

describe('a new token for a cluster', () => {
  let live: LiveClusters;
  let stub: StubServer;
  let scene: Scene;
  let context: ClusterServiceOptions;

  beforeEach(async () => {
    live = await openLiveClusters();
    scene = { requests: [], accepted: new Set([OLD_TOKEN, NEW_TOKEN]), secrets: [{ name: 'deployer-token-abc12' }, { name: 'other' }] };
    stub = await startStubServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
        const answer = answerAs(scene, {
          method: request.method ?? '',
          path: request.url ?? '',
          token,
          body: Buffer.concat(chunks).toString(),
        });
        response.writeHead(answer.code, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    const { clusters, settings, home } = live;
    context = {
      clusters,
      settings,
      registry: createRegistry({ home: home.api, namespace: 'argocd', settings }),
      policy: { isAllowed: () => true },
      applications: createObjectStore({ api: home.api, type: applicationType, log: home.log }),
      clock: systemClock,
      timers: systemTimers,
    };
    const config = JSON.stringify({ bearerToken: OLD_TOKEN, tlsClientConfig: { insecure: false } });
    await live.register('cluster-stub', { server: stub.url, name: 'stub', config });
  });

  afterEach(async () => {
    await live.close();
    await stub.close();
  });

  const storedToken = (): unknown =>
    (JSON.parse(live.clusters.find(stub.url)?.registration.config.reveal() ?? '{}') as { bearerToken?: string }).bearerToken;

  it('takes the place of the old one, which goes last', async () => {
    await rotateAuth(context, { server: stub.url }, call);
    expect(storedToken()).toBe(NEW_TOKEN);
    expect(scene.secrets).toEqual([{ name: 'deployer-token-new' }, { name: 'other' }]);
    expect(scene.requests.at(-1)).toBe(`DELETE ${SECRETS}/deployer-token-abc12`);
    expect(scene.requests).toContain(`POST ${SECRETS} deployer-token-`);
  });

  it('is thrown away where it does not open the cluster, and the old one stays', async () => {
    scene.accepted.delete(NEW_TOKEN);
    await expect(rotateAuth(context, { server: stub.url }, call)).rejects.toMatchObject({ code: 3 });
    expect(storedToken()).toBe(OLD_TOKEN);
    expect(scene.requests.filter((request) => request.startsWith('DELETE'))).toEqual([`DELETE ${SECRETS}/deployer-token-new`]);
    expect(scene.secrets[0]).toEqual({ name: 'deployer-token-abc12' });
  });

  it('is thrown away where it cannot be stored, and the old one stays', async () => {
    live.home.disturb = (request) => {
      if (request.startsWith('update Secret')) throw new Error('the disk is full');
    };
    await expect(rotateAuth(context, { server: stub.url }, call)).rejects.toThrow('the disk is full');
    expect(storedToken()).toBe(OLD_TOKEN);
    expect(scene.requests.at(-1)).toBe(`DELETE ${SECRETS}/deployer-token-new`);
  });
});

function answerAs(
  scene: Scene,
  { method, path: full, token, body }: { method: string; path: string; token: string; body: string },
): { readonly code: number; readonly body: object } {
  const path = full.split('?')[0] ?? '';
  if (!scene.accepted.has(token)) return refusal(401, 'Unauthorized');
  if (path === '/version') return { code: 200, body: { gitVersion: 'v1.30.1' } };
  const secret = (name: string, value: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'system', name, annotations: { 'kubernetes.io/service-account.name': 'deployer' } },
    data: { token: Buffer.from(value).toString('base64') },
  });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'system', name: 'deployer' } };
  if (method === 'POST' && path === SECRETS) {
    const { metadata } = JSON.parse(body) as { metadata: { generateName: string } };
    scene.requests.push(`POST ${path} ${metadata.generateName}`);
    return { code: 201, body: secret('deployer-token-new', '') };
  }
  scene.requests.push(`${method} ${path}`);
  if (path === ACCOUNT) {
    if (method === 'PUT') scene.secrets = (JSON.parse(body) as { secrets: { name: string }[] }).secrets;
    return { code: 200, body: { ...account, secrets: scene.secrets } };
  }
  if (path === `${SECRETS}/deployer-token-new`) return { code: 200, body: secret('deployer-token-new', NEW_TOKEN) };
  if (path === `${SECRETS}/deployer-token-abc12`) return { code: 200, body: secret('deployer-token-abc12', OLD_TOKEN) };
  return refusal(404, 'NotFound');
}

function refusal(code: number, reason: string): { readonly code: number; readonly body: object } {
  return { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message: reason, code } };
}

/** A token as the cluster writes it into a Secret; nobody checks the signature. */
function tokenOf(secret: string): string {
  const claims = {
    'kubernetes.io/serviceaccount/namespace': 'system',
    'kubernetes.io/serviceaccount/service-account.name': 'deployer',
    'kubernetes.io/serviceaccount/secret.name': secret,
  };
  return ['{}', JSON.stringify(claims), 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.');
}
