import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessScene, type AccessScene } from '../support/access-scene.ts';
import { startFairway } from '../support/fairway.ts';
import { createGrpcClient } from '../support/grpc-client.ts';
import { callerWith, signInAsAdmin } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'correct horse battery';
/** Each takes up to a second and two hashes: the 200 of the catalogue with `AUTH_TIMED_PAIRS=200`, some of them in every run. */
const TIMED_PAIRS = Number(process.env['AUTH_TIMED_PAIRS'] ?? 50);
const TIMED_AT_ONCE = 24;
const GUESSED = Array.from({ length: 40 }, (_, index) => `guessed-${index}`);

let scene: AccessScene;

beforeAll(async () => {
  const accounts = Object.fromEntries([...GUESSED, 'alice', 'bob'].map((name) => [name, 'login, apiKey']));
  scene = await openAccessScene(accounts, ['p, role:everyone, projects, get, default, allow']);
  for (const name of ['alice', 'bob']) await scene.setPassword(name, PASSWORD);
});
afterAll(async () => {
  await scene?.close();
});

const tokenIn = async (answer: Response): Promise<string> => ((await answer.json()) as { token: string }).token;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly iat: number; readonly exp: number };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const whoIs = async (headers: Record<string, string>) => (await fetch(`${scene.fairway.url}/api/v1/session/userinfo`, { headers })).json();
const get = (path: string, headers: Record<string, string>) => fetch(`${scene.fairway.url}${path}`, { headers });

describe('signing in', () => {
  it(`AUTH-01: tells in ${TIMED_PAIRS} timed pairs neither by its words nor by its time who exists`, { timeout: 120_000 }, async () => {
    const attempts = Array.from({ length: TIMED_PAIRS * 2 }, (_, index) => {
      const name = GUESSED[Math.floor(index / 2) % GUESSED.length] ?? '';
      return index % 2 === 0 ? { name, known: true } : { name: name.replace('guessed', 'unknown'), known: false };
    });
    const durations = { known: [] as number[], unknown: [] as number[] };
    const bodies = new Set<string>();
    await inTurns(attempts, TIMED_AT_ONCE, async ({ name, known }) => {
      const startMs = performance.now();
      const answer = await scene.signIn(name, 'wrong');
      bodies.add(`${answer.status} ${await answer.text()}`);
      durations[known ? 'known' : 'unknown'].push(performance.now() - startMs);
    });
    expect([...bodies]).toEqual(['401 {"error":"Invalid username or password","code":16,"message":"Invalid username or password"}']);
    // Uniform over half a second, with a deviation of 144 ms: limits that chance alone passes once in a thousand runs or less.
    const spread = Math.sqrt(2 / TIMED_PAIRS);
    const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    expect(Math.abs(mean(durations.known) - mean(durations.unknown))).toBeLessThan(4 * 144 * spread);
    expect(largestGap(durations.known, durations.unknown)).toBeLessThan(1.95 * spread);
    expect(Math.min(...durations.known, ...durations.unknown)).toBeGreaterThan(490);
  });

  it('AUTH-06: of 200 at once refuses most without a hash, and keeps nobody else waiting', async () => {
    const startMs = performance.now();
    const logins = Array.from({ length: 200 }, async () => {
      const { status } = await scene.signIn('alice', PASSWORD);
      return { status, afterMs: performance.now() - startMs };
    });
    const waits: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const askedMs = performance.now();
      await (await get('/api/version', {})).arrayBuffer();
      waits.push(performance.now() - askedMs);
    }
    const answers = await Promise.all(logins);
    const waitedFor = (wanted: number) => answers.filter(({ status }) => status === wanted).map(({ afterMs }) => afterMs);
    const [granted, refused] = [waitedFor(200), waitedFor(401)];
    expect(granted.length).toBeGreaterThanOrEqual(50);
    expect(refused.length).toBeGreaterThan(50);
    expect(granted.length + refused.length).toBe(200);
    // Whoever is refused does not wait for a hash: they hear of it while the others still do.
    expect(median(refused)).toBeLessThan(median(granted));
    expect(median(waits)).toBeLessThan(500);
  });

  it('AUTH-12: lasts as long as settings say; as long as before where they say nonsense, a day where they always did, and never without an end', async () => {
    const lifetime = async () => {
      const { iat, exp } = claimsOf(await tokenIn(await scene.signIn('alice', PASSWORD)));
      return exp - iat;
    };
    expect(await lifetime()).toBe(86_400);
    const set = (duration: string | null) => scene.configure('argocd-cm', { 'users.session.duration': duration });
    const becomes = (seconds: number) => waitUntil(async () => (await lifetime()) === seconds);
    const warnings = (kept: string): number =>
      scene.fairway
        .output()
        .split('\n')
        .filter((line) => line.includes('users.session.duration') && line.includes(`${kept} is in force`)).length;
    for (const nonsense of ['garbage', '-1h'])
      for (const [before, seconds, kept] of [
        ['10m', 600, 'the value from before'],
        [null, 86_400, 'the default'],
      ] as const) {
        await set(before);
        await becomes(seconds);
        const warned = warnings(kept);
        await set(nonsense);
        await waitUntil(() => warnings(kept) > warned);
        expect({ nonsense, before, seconds: await lifetime() }).toEqual({ nonsense, before, seconds });
      }
    await set('10m');
    await becomes(600);
    await set('0s');
    await becomes(86_400);
    await scene.configure('argocd-cm', { 'users.session.duration': null });
  });
});

describe('a session', () => {
  it('AUTH-17: is over for its cookie and its token once it is ended, in either way', async () => {
    for (const end of ['DELETE /api/v1/session', 'POST /auth/logout']) {
      const token = await tokenIn(await scene.signIn('alice', PASSWORD));
      const [bearer, cookie] = [{ authorization: `Bearer ${token}` }, { cookie: `argocd.token=${token}` }];
      for (const headers of [bearer, cookie]) expect(await whoIs(headers)).toMatchObject({ loggedIn: true, username: 'alice' });
      const [method = '', path = ''] = end.split(' ');
      const headers = { ...cookie, 'content-type': 'application/json' };
      const ended = await fetch(`${scene.fairway.url}${path}`, { method, headers, redirect: 'manual' });
      expect([200, 303]).toContain(ended.status);
      for (const one of [bearer, cookie]) {
        expect(await whoIs(one)).toEqual({});
        const answer = await get('/api/v1/account', one);
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ message: 'invalid session: token is revoked, please re-login' });
      }
    }
  });

  it('AUTH-30: is not looked for in what is far too long, and not for long', async () => {
    for (const token of [`${'x'.repeat(12_000)}.y.z`, '.'.repeat(12_000), `${encode(nest(2_000))}.e30.x`]) {
      const startMs = performance.now();
      const { status } = await get('/api/v1/account', { 'grpc-metadata-token': token });
      expect(status).toBe(401);
      expect(performance.now() - startMs).toBeLessThan(1_000);
    }
    const huge = await get('/api/v1/account', { authorization: `Bearer ${'x'.repeat(1024 * 1024)}.y.z` }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    expect([401, 431, 'cut off']).toContain(huge);
  });

  it('AUTH-32: is taken from the cookie where what is in the header is no token, and from nowhere else', async () => {
    const token = await tokenIn(await scene.signIn('alice', PASSWORD));
    for (const authorization of ['Bearer nothing', 'Bearer', 'bearer x', 'Basic YWRtaW46YWRtaW4=', `Bearer ${token} x`]) {
      expect(await whoIs({ authorization, cookie: `argocd.token=${token}` })).toMatchObject({ username: 'alice' });
      const without = await get('/api/v1/account', { authorization });
      expect(without.status).toBe(401);
      expect(await without.json()).toMatchObject({ message: 'no session information' });
    }
  });

  it('AUTH-40: is not put together from parts that are missing, too many or of two sessions', async () => {
    const [one, other] = [await tokenIn(await scene.signIn('alice', PASSWORD)), await tokenIn(await scene.signIn('bob', PASSWORD))];
    const half = (token: string, index: number) => (index === 0 ? token.slice(0, token.length / 2) : token.slice(token.length / 2));
    const cookies = [
      'argocd.token=99999999:x',
      `argocd.token=2:${half(one, 0)}`,
      `argocd.token=2:${half(one, 0)}; argocd.token-1=${half(other, 1)}`,
      `argocd.token=3:${half(one, 0)}; argocd.token-1=${half(one, 1)}`,
      Array.from({ length: 900 }, (_, index) => `argocd.token-${index}=x`).join('; '),
    ];
    for (const cookie of cookies) expect((await get('/api/v1/account', { cookie })).status).toBe(401);
    const whole = `argocd.token=2:${half(one, 0)}; argocd.token-1=${half(one, 1)}`;
    expect(await whoIs({ cookie: whole })).toMatchObject({ username: 'alice' });
  });

  it('RBAC-17: that is ended ends the streams that it opened', { timeout: 60_000 }, async () => {
    const token = await tokenIn(await scene.signIn('admin', scene.fairway.adminPassword));
    const client = createGrpcClient(scene.fairway.address);
    try {
      const metadata = { token };
      const stream = client.serverStream('/application.ApplicationService/Watch', {}, { metadata });
      const ended = (async () => {
        for await (const event of stream) expect(event).toBeTypeOf('object');
      })();
      const outcome = ended.then(
        () => 'ended well',
        (error: unknown) => error,
      );
      await client.unary('/session.SessionService/Delete', {}, { metadata });
      expect(await outcome).toMatchObject({ code: 16, details: 'invalid session: token is revoked, please re-login' });
    } finally {
      client.close();
    }
  });
});

describe('whoever has no session', () => {
  it('AUTH-24, AUTH-25: has the default role and nothing else where they are let in, whatever their token says', async () => {
    expect((await get('/api/v1/projects/default', {})).status).toBe(401);
    await scene.configure('argocd-cm', { 'users.anonymous.enabled': 'true' });
    await scene.configure('argocd-rbac-cm', { 'policy.default': 'role:everyone' });
    const forged = `${encode({ alg: 'none' })}.${encode({ iss: 'argocd', sub: 'admin:login', groups: ['admins'] })}.`;
    const signed = `${encode({ alg: 'HS256' })}.${encode({ iss: 'argocd', sub: 'admin:login', jti: 'x' })}.AAAA`;
    for (const headers of [
      {},
      { 'grpc-metadata-token': forged },
      { authorization: `Bearer ${signed}` },
      { cookie: `argocd.token=${signed}` },
    ]) {
      await waitUntil(async () => (await get('/api/v1/projects/default', headers)).status === 200);
      expect((await get('/api/v1/projects/other', headers)).status).toBe(403);
      expect(await (await get('/api/v1/account', headers)).json()).toEqual({});
      expect(await whoIs(headers)).toEqual({});
    }
    // The home itself is for nobody without a name.
    expect((await get('/k8s/api/v1/secrets', {})).status).toBe(401);
    await scene.configure('argocd-cm', { 'users.anonymous.enabled': null });
    await scene.configure('argocd-rbac-cm', { 'policy.default': null });
    await waitUntil(async () => (await get('/api/v1/projects/default', {})).status === 401);
  });
});

it('AUTH-04: a lockout outlives a kill -9', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fairway-lockout-'));
  try {
    const first = await startFairway({ dataDir });
    const guess = async (url: string, password: string) =>
      callerWith({ url }, '')('POST', '/api/v1/session', { username: 'admin', password });
    expect((await guess(first.url, first.adminPassword)).status).toBe(200);
    const admin = await signInAsAdmin(first);
    await Promise.all(Array.from({ length: 5 }, () => guess(first.url, 'wrong')));
    expect((await guess(first.url, first.adminPassword)).status).toBe(401);
    await waitUntil(async () => (await admin('GET', '/k8s/api/v1/namespaces/argocd/secrets/fairway-lockouts')).status === 200);
    process.kill(first.pid, 'SIGKILL');
    await first.stop();
    const second = await startFairway({ dataDir });
    try {
      expect((await guess(second.url, second.adminPassword)).status).toBe(401);
    } finally {
      await second.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

async function inTurns<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const run = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** The largest difference between the shares of both that are below a value (Kolmogorov and Smirnov). */
function largestGap(one: readonly number[], other: readonly number[]): number {
  const share = (all: readonly number[], value: number) => all.filter((each) => each <= value).length / all.length;
  return Math.max(...[...one, ...other].map((value) => Math.abs(share(one, value) - share(other, value))));
}

function nest(depth: number): unknown {
  let value: unknown = {};
  for (let count = 0; count < depth; count += 1) value = [value];
  return value;
}
