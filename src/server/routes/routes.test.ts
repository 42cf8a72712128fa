import { describe, expect, it } from 'vitest';
import type { Caller, Sessions } from '../../access/index.ts';
import { ApiError, Code, createLogger } from '../../base/index.ts';
import { statusError } from '../../objects/index.ts';
import type { HttpRequest } from '../http.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { createHealthRoute } from './healthz.ts';
import { createLogoutRoute } from './logout.ts';
import { createGuardedMetricsRoute, createMetricsRoute } from './metrics.ts';

const ask = (change: Partial<HttpRequest> = {}): HttpRequest => ({
  verb: 'GET',
  path: '/',
  query: '',
  headers: {},
  remoteAddress: '127.0.0.1',
  secure: false,
  signal: new AbortController().signal,
  readBody: async () => Buffer.alloc(0),
  ...change,
});

describe('/healthz', () => {
  it('says ok while it is, and 503 while it stops', async () => {
    let healthy = true;
    const route = createHealthRoute(() => healthy);
    expect(await route(ask())).toMatchObject({ status: 200, body: 'ok\n' });
    healthy = false;
    expect(await route(ask())).toEqual({ status: 503 });
  });
});

describe('/auth/logout', () => {
  function setUp(failure?: Error) {
    const revoked: string[] = [];
    const sessions = {
      async authenticate(token: string) {
        if (token !== 'good') throw new ApiError(Code.Unauthenticated, 'invalid session: no');
        return { username: 'ada', tokenId: 'id' } as Caller;
      },
      async revoke(caller: Caller) {
        if (failure !== undefined) throw failure;
        revoked.push(caller.tokenId);
      },
    } as unknown as Sessions;
    const lines: string[] = [];
    const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
    return { route: createLogoutRoute({ sessions, sso: { findLogoutAddress: () => undefined }, log }), revoked, lines };
  }

  it.each(['GET', 'POST'])('revokes the session, expires its cookies and leads home (%s)', async (verb) => {
    const { route, revoked, lines } = setUp();
    const reply = await route(ask({ verb, headers: { cookie: 'argocd.token=2:go; argocd.token-1=od; x=y' } }));
    expect(reply.status).toBe(303);
    expect(reply.headers).toEqual({
      location: '/',
      'set-cookie': [
        'argocd.token=; Max-Age=0; path=/; SameSite=lax; httpOnly',
        'argocd.token-1=; Max-Age=0; path=/; SameSite=lax; httpOnly',
      ],
    });
    expect(revoked).toEqual(['id']);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { message: 'audit', user: 'ada', call: `${verb} /auth/logout`, decision: 'done' },
    ]);
  });

  it.each([
    ['a link on another site', { verb: 'GET', site: 'cross-site' }, 403],
    ['a link on a sibling site', { verb: 'GET', site: 'same-site' }, 403],
    ['a HEAD request', { verb: 'HEAD', site: 'same-origin' }, 405],
    ['a page of this server', { verb: 'GET', site: 'same-origin' }, 303],
    ['a typed address', { verb: 'GET', site: 'none' }, 303],
  ])('WEB-06: answers %s as it should', async (_name, { verb, site }, status) => {
    const { route, revoked } = setUp();
    const reply = await route(ask({ verb, headers: { cookie: 'argocd.token=good', 'sec-fetch-site': site } }));
    expect(reply.status).toBe(status);
    expect(revoked).toEqual(status === 303 ? ['id'] : []);
  });

  it('also clears the cookie of a session that is over', async () => {
    const { route, revoked } = setUp();
    expect(await route(ask({ headers: { cookie: 'argocd.token=bad' } }))).toMatchObject({ status: 303 });
    expect(revoked).toEqual([]);
  });

  it.each([new ApiError(Code.Unavailable, 'the home does not answer'), statusError('ServiceUnavailable', 'etcd has no leader')])(
    'does not say that a session is over that could not be ended: %s',
    async (failure) => {
      const { route, lines } = setUp(failure);
      const reply = await route(ask({ headers: { cookie: 'argocd.token=good' } }));
      expect(reply).toMatchObject({ status: 503, body: expect.stringContaining('other replicas may still accept its token') as string });
      expect(reply.headers?.['set-cookie']).toEqual(['argocd.token=; Max-Age=0; path=/; SameSite=lax; httpOnly']);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 'warn', message: 'a session could not be ended' }]);
    },
  );

  it('answers 400 without a cookie', async () => {
    const reply = await setUp().route(ask({ headers: { authorization: 'Bearer good' } }));
    expect(reply).toMatchObject({ status: 400, body: expect.stringMatching(/^Failed to retrieve ArgoCD auth token: /) as string });
  });
});

describe('INFO-05: /metrics on the main port', () => {
  const metrics = { render: () => 'figures' } as ServerMetrics;
  const guarded = createGuardedMetricsRoute(metrics, async ({ headers }) => {
    if (headers['authorization'] === 'bad') throw new ApiError(Code.Unauthenticated, 'invalid session: no');
    if (headers['authorization'] === 'of one project') return 'denied';
    return headers['authorization'] === 'good' ? 'allowed' : 'stranger';
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('is shown to this machine: %s', async (remoteAddress) => {
    expect(await guarded(ask({ remoteAddress }))).toMatchObject({ status: 200, body: 'figures' });
  });

  it.each(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', 'garbage'])('is not shown to others: %s', async (remoteAddress) => {
    expect(await guarded(ask({ remoteAddress }))).toMatchObject({ status: 401 });
    expect(await guarded(ask({ remoteAddress, headers: { authorization: 'bad' } }))).toMatchObject({ status: 401 });
    expect(await guarded(ask({ remoteAddress, headers: { authorization: 'good' } }))).toMatchObject({ status: 200, body: 'figures' });
  });

  it('ENUM-07: is not shown to those who may not see everything that it names', async () => {
    const reply = await guarded(ask({ remoteAddress: '10.0.0.1', headers: { authorization: 'of one project' } }));
    expect(reply).toMatchObject({ status: 403, body: expect.not.stringContaining('figures') as string });
  });

  it('is not shown to strangers behind a proxy of this machine', async () => {
    expect(await guarded(ask({ headers: { 'x-forwarded-for': '10.0.0.1' } }))).toMatchObject({ status: 401 });
    expect(await guarded(ask({ headers: { forwarded: 'for=10.0.0.1' } }))).toMatchObject({ status: 401 });
  });

  it('is open to all on a port of its own', async () => {
    expect(await createMetricsRoute(metrics)(ask({ remoteAddress: '10.0.0.1' }))).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  });
});
