import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import type { Caller } from '../../access/index.ts';
import { createLogger, systemClock } from '../../base/index.ts';
import { createKubernetesRoutes } from './kubernetes-routes.ts';

const callers: Readonly<Record<string, Caller>> = Object.fromEntries(
  ['admin', 'eve'].map((username) => [
    `a.token.of-${username}`,
    { username, issuer: 'argocd', groups: [], capability: 'login', tokenId: 'id', issuedAt: 0, expiresAt: undefined },
  ]),
);

describe('The record of what is done through /k8s', () => {
  let home: EmbeddedHome;
  let lines: string[] = [];

  beforeAll(async () => {
    home = await openEmbeddedHome();
  });
  afterAll(() => home.close());

  /** The status, and what was recorded. */
  async function ask(username: string, verb: string, address: string, body?: object) {
    const [path = '', query = ''] = address.split('?');
    lines = [];
    const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
    const authenticate = async (token: string | undefined) => callers[token ?? ''];
    const [, route] = createKubernetesRoutes({ api: home.embedded, authenticate, clock: systemClock, log });
    const { status } = await route!.handler({
      verb,
      path: `/k8s${path}`,
      query,
      headers: { authorization: `Bearer a.token.of-${username}`, 'content-type': 'application/json' },
      remoteAddress: '127.0.0.1',
      secure: false,
      signal: new AbortController().signal,
      readBody: async () => Buffer.from(JSON.stringify(body ?? {})),
    });
    return { status, records: lines.map((line) => JSON.parse(line) as unknown) };
  }

  const secrets = '/api/v1/namespaces/default/secrets';
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, stringData: { password: 'planted-password' } };

  it('AUD-01: has writes, done and failed, and none of their content', async () => {
    const target = { group: '', version: 'v1', plural: 'secrets', namespace: 'default', name: 'one' };
    const created = await ask('admin', 'POST', secrets, secret);
    expect(created).toMatchObject({ status: 201, records: [{ user: 'admin', call: 'POST /k8s', decision: 'done', target, security: 1 }] });
    expect(lines.join('')).not.toContain('planted');
    const again = await ask('admin', 'POST', secrets, secret);
    expect(again).toMatchObject({ status: 409, records: [{ decision: 'failed', code: 'AlreadyExists', target }] });
    const deleted = await ask('admin', 'DELETE', `${secrets}/one`);
    expect(deleted).toMatchObject({
      status: 200,
      records: [{ call: 'DELETE /k8s', decision: 'done', target }],
    });
    const named = await ask('admin', 'POST', secrets, { ...secret, metadata: { generateName: 'made-' } });
    expect(named.records).toMatchObject([{ target: { name: expect.stringMatching(/^made-.+/) as string } }]);
  });

  it('AUD-01: says of what is only tried that it is, and of nothing else', async () => {
    const tried = { decision: 'done', target: { plural: 'secrets', name: 'two', dryRun: true } };
    const two = { ...secret, metadata: { name: 'two' } };
    expect(await ask('admin', 'POST', `${secrets}?dryRun=All`, two)).toMatchObject({ status: 201, records: [tried] });
    await ask('admin', 'POST', secrets, two);
    const byBody = await ask('admin', 'DELETE', `${secrets}/two`, { dryRun: ['All'] });
    expect(byBody).toMatchObject({ status: 200, records: [tried] });
    // What counts is what the API does: of the two places the body is read.
    const done = await ask('admin', 'DELETE', `${secrets}/two?dryRun=All`, { dryRun: [] });
    expect(done.records).toMatchObject([{ decision: 'done', target: { name: 'two' } }]);
    expect(lines.join('')).not.toContain('dryRun');
    expect((await ask('admin', 'GET', `${secrets}/two`)).status).toBe(404);
  });

  it('AUD-01: says of an eviction that is only tried that it is, and which Pod was bound', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await ask('admin', 'POST', pods, pod)).status).toBe(201);
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'one' }, target: { kind: 'Node', name: 'node' } };
    const bound = await ask('admin', 'POST', '/api/v1/namespaces/default/bindings', binding);
    expect(bound).toMatchObject({ status: 201, records: [{ decision: 'done', target: { plural: 'bindings', name: 'one' } }] });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'one' } };
    const tried = await ask('admin', 'POST', `${pods}/one/eviction`, { ...eviction, deleteOptions: { dryRun: ['All'] } });
    expect(tried).toMatchObject({ status: 201, records: [{ target: { name: 'one', subresource: 'eviction', dryRun: true } }] });
    expect((await ask('admin', 'POST', `${pods}/one/eviction`, eviction)).status).toBe(201);
    expect(lines.join('')).not.toContain('dryRun');
  });

  it('AUD-01: has whoever is denied, also to read', async () => {
    const denied = { status: 403, records: [{ user: 'eve', decision: 'denied', target: { plural: 'secrets' }, security: 2 }] };
    expect(await ask('eve', 'GET', secrets)).toMatchObject(denied);
    expect(await ask('eve', 'POST', secrets, secret)).toMatchObject(denied);
  });

  it('has nothing of reads, reviews and callers whom nobody knows', async () => {
    expect(await ask('admin', 'GET', secrets)).toEqual({ status: 200, records: [] });
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get' } },
    };
    expect(await ask('admin', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)).toEqual({
      status: 201,
      records: [],
    });
    expect(await ask('nobody', 'POST', secrets, secret)).toEqual({ status: 401, records: [] });
  });
});
