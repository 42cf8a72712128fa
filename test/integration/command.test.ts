import { hash } from '@node-rs/bcrypt';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runFairway, startFairway, type Fairway } from '../support/fairway.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairway-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function login(fairway: Fairway, password: string): Promise<{ status: number; token: string }> {
  const response = await fetch(`${fairway.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const body = (await response.json()) as { token?: string };
  return { status: response.status, token: body.token ?? '' };
}

async function listAccounts(fairway: Fairway, token: string): Promise<number> {
  const response = await fetch(`${fairway.url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

describe('a running fairway', () => {
  let fairway: Fairway;
  beforeAll(async () => {
    fairway = await startFairway({ args: ['--metrics-listen', '127.0.0.1:0'] });
  });
  afterAll(() => fairway.stop());

  it('says once that it is ready, and writes only JSON besides', () => {
    const lines = fairway.output().trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('ready '))).toEqual([`ready ${fairway.url}`]);
    for (const line of lines.filter((text) => !text.startsWith('ready '))) {
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) as string, level: 'info', message: expect.any(String) as string });
    }
  });

  it('is healthy', async () => {
    const response = await fetch(`${fairway.url}/healthz`);
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
  });

  it('keeps the password out of what it writes', async () => {
    expect((await login(fairway, fairway.adminPassword)).status).toBe(200);
    // Both lines that it leaves, so that neither comes among those of the next test.
    await expect.poll(() => fairway.output()).toMatch(/"message":"signed in".*\n.*"message":"audit".*\n/);
    expect(fairway.output()).not.toContain(fairway.adminPassword);
  });

  it('AUTH-07: writes clean lines about a login with a hostile name, one for what happened and one for the record', async () => {
    const before = fairway.output().length;
    const response = await fetch(`${fairway.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'a\r\nready http://evil\u001b[2J\u0000', password: 'x' }),
    });
    expect([response.status, await response.json()]).toMatchObject([401, { code: 16, message: 'Invalid username or password' }]);
    const linesSince = (): string[] => fairway.output().slice(before).split('\n').slice(0, -1);
    await expect.poll(() => linesSince().length).toBe(2);
    expect(linesSince().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { message: 'sign-in refused', username: 'a\\u000d\\u000aready http://evil\\u001b[2J\\u0000' },
      { message: 'audit', call: '/session.SessionService/Create', user: '' },
    ]);
  });

  it('INFO-01, INFO-02: tells strangers little', async () => {
    expect(await (await fetch(`${fairway.url}/api/version`)).json()).toEqual({
      Version: expect.stringMatching(/^v3\.5\.6\+fairway\./) as string,
    });
    expect(await (await fetch(`${fairway.url}/api/v1/settings`)).json()).not.toHaveProperty('passwordPattern');
    expect((await fetch(`${fairway.url}/api/v1/settings/plugins`)).status).toBe(401);
  });

  it('INFO-05: shows its metrics to this machine and to who is signed in, not through a proxy', async () => {
    const metrics = await (await fetch(`${fairway.url}/metrics`)).text();
    expect(metrics).toMatch(/^fairway_connections \d+$/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
    const headers = { 'x-forwarded-for': '10.0.0.1' };
    expect((await fetch(`${fairway.url}/metrics`, { headers })).status).toBe(401);
    const { token } = await login(fairway, fairway.adminPassword);
    expect((await fetch(`${fairway.url}/metrics`, { headers: { ...headers, authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it('INFO-05: serves metrics and health, and nothing else, on the second port', async () => {
    const address = /"message":"serving metrics","address":"([^"]+)"/.exec(fairway.output())?.[1] ?? '';
    expect(await (await fetch(address)).text()).toContain('fairway_logins_total{result="success"}');
    expect(await (await fetch(address.replace('/metrics', '/healthz'))).text()).toBe('ok\n');
    expect((await fetch(address.replace('/metrics', '/api/version'))).status).toBe(404);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  });

  it('WEB-12: shows the pages about the API', async () => {
    expect((await fetch(`${fairway.url}/docs`)).status).toBe(200);
    expect((await fetch(`${fairway.url}/openapi.json`)).status).toBe(200);
  });

  it('logs out for good', async () => {
    const { token } = await login(fairway, fairway.adminPassword);
    expect(await listAccounts(fairway, token)).toBe(200);
    const response = await fetch(`${fairway.url}/auth/logout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `argocd.token=${token}` },
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(response.headers.get('set-cookie')).toMatch(/^argocd\.token=; /);
    expect(await listAccounts(fairway, token)).toBe(401);
    expect((await fetch(`${fairway.url}/auth/logout`, { redirect: 'manual' })).status).toBe(400);
  });
});

describe('over TLS', () => {
  it('WEB-08: says so in its address, and marks the cookie as secure', async () => {
    const fairway = await startFairway({ tls: 'on' });
    try {
      expect(fairway.url).toMatch(/^https:/);
      expect(await readSessionCookie(fairway)).toMatch(/^argocd\.token=[^;]+; path=\/; SameSite=lax; httpOnly; Secure$/);
    } finally {
      await fairway.stop();
    }
  });
});

/** The certificate is self-signed, which fetch cannot be told to accept. */
function readSessionCookie({ url, adminPassword }: Fairway): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, rejectUnauthorized: false, agent: false } as const;
    const sent = request(`${url}/api/v1/session`, options, (response) => {
      response.resume().once('end', () => resolve(response.headers['set-cookie']?.[0]));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ username: 'admin', password: adminPassword }));
  });
}

/** Each of these starts the program several times. */
describe('the data folder', { timeout: 60_000 }, () => {
  it('keeps a made-up password, shows it to its owner whether the server runs or not, and keeps it out of the log', async () => {
    const fairway = await startFairway({ dataDir: folder, env: { FAIRWAY_ADMIN_PASSWORD: '' } });
    const ask = () => runFairway(['admin', 'initial-password', '--data', folder]);
    try {
      const { stdout, code } = await ask();
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{16}\n$/)]);
      const password = stdout.trimEnd();
      expect(fairway.output()).not.toContain(password);
      expect((await login(fairway, password)).status).toBe(200);
      await fairway.stop();
      expect(await ask()).toEqual({ code: 0, stdout, stderr: '' });
      for (const name of await readdir(folder)) expect(await readFile(join(folder, name), 'latin1')).not.toContain(password);
    } finally {
      await fairway.stop();
    }
  });

  it('is not exported in part without a word: a full disk is an error, and a reader that goes away is none', async () => {
    await (await startFairway({ dataDir: folder })).stop();
    const full = await open('/dev/full', 'w');
    try {
      const result = await runFairway(['export', '--secrets', '--data', folder], {}, { stdout: full.fd });
      expect(result).toMatchObject({ code: 1, stderr: 'fairway: cannot write all of the output: the disk is full\n' });
    } finally {
      await full.close();
    }
    const closed = await runFairway(['export', '--secrets', '--data', folder], {}, { onStart: (child) => child.stdout?.destroy() });
    expect(closed).toMatchObject({ code: 0, stderr: '' });
  });

  it('says so where there is no password to show', async () => {
    const args = ['admin', 'initial-password', '--data', folder];
    expect(await runFairway(args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`nothing in the data folder ${folder}`) as string,
    });
    await (await startFairway({ dataDir: folder })).stop();
    expect(await runFairway(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('chosen by hand') as string });
  });

  it('holds a kubeconfig for its owner while the server runs, and gives it out', async () => {
    const file = join(folder, 'kubeconfig');
    const print = () => runFairway(['kubeconfig', '--data', folder]);
    const fairway = await startFairway({ dataDir: folder });
    try {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await print()).toEqual({ code: 0, stdout: await readFile(file, 'utf8'), stderr: '' });
      process.kill(fairway.pid, 'SIGKILL');
      await waitFor(() => !isAlive(fairway.pid));
      expect(await print()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no server') as string });
    } finally {
      await fairway.stop();
    }
    await (await startFairway({ dataDir: folder })).stop();
    expect(await readdir(folder)).not.toContain('kubeconfig');
  });

  it('of a version that kept the admin in a file is taken over: password, sessions and logouts', async () => {
    const signingKey = randomBytes(32);
    const issue = (jti: string) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: 'argocd', sub: 'admin:login', iat: now, nbf: now, exp: now + 3600, jti };
      const body = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${body}.${createHmac('sha256', signingKey).update(body).digest('base64url')}`;
    };
    const revoked = { ended: Math.floor(Date.now() / 1000) + 3600 };
    const record = {
      passwordHash: await hash('the former one', { cost: 4 }),
      passwordChangedAt: 1_700_000_000,
      signingKey: signingKey.toString('base64'),
      revoked,
    };
    await writeFile(join(folder, 'admin.json'), JSON.stringify(record));
    await writeFile(join(folder, 'initial-admin-password'), 'the former one\n');
    for (const round of ['first', 'second']) {
      const fairway = await startFairway({ dataDir: folder });
      try {
        expect([round, await listAccounts(fairway, issue('kept'))]).toEqual([round, 200]);
        expect([round, await listAccounts(fairway, issue('ended'))]).toEqual([round, 401]);
        expect((await login(fairway, 'the former one')).status).toBe(200);
        expect((await runFairway(['admin', 'initial-password', '--data', folder])).stdout).toBe('the former one\n');
        expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['admin.json']));
        expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['initial-admin-password']));
      } finally {
        await fairway.stop();
      }
    }
  });

  it('outlives the process: password, sessions and logouts stay, and a later FAIRWAY_ADMIN_PASSWORD changes nothing', async () => {
    const first = await startFairway({ dataDir: folder });
    const kept = await login(first, first.adminPassword);
    const ended = await login(first, first.adminPassword);
    await fetch(`${first.url}/api/v1/session`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ended.token}` },
    });
    process.kill(first.pid, 'SIGKILL');
    await first.stop();

    const second = await startFairway({ dataDir: folder, env: { FAIRWAY_ADMIN_PASSWORD: 'another password' } });
    try {
      expect(await listAccounts(second, kept.token)).toBe(200);
      expect(await listAccounts(second, ended.token)).toBe(401);
      expect((await login(second, first.adminPassword)).status).toBe(200);
      expect((await login(second, 'another password')).status).toBe(401);
    } finally {
      await second.stop();
    }
  });

  it('belongs to one process at a time', async () => {
    const first = await startFairway({ dataDir: folder });
    const second = await runFairway(['--listen', '127.0.0.1:0', '--data', folder]);
    await first.stop();
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toBe(
      `fairway: the data folder ${folder} is in use by another fairway (process ${first.pid}); stop it, or give this one another folder with --data\n`,
    );
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('finishes the request at hand on %s, then ends', async (signal) => {
    const fairway = await startFairway();
    // A wrong password is answered after half a second or more.
    const answer = login(fairway, 'wrong');
    await waitFor(() => fairway.output().includes('sign-in refused'));
    process.kill(fairway.pid, signal);
    expect((await answer).status).toBe(401);
    await waitFor(() => fairway.output().includes('"stopped"'));
    await fairway.stop();
    expect(fairway.output()).toMatch(/"message":"stopping"(?:.*\n)+.*"message":"stopped"/);
    await expect(fetch(`${fairway.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('happens at once on the second signal', async () => {
    const fairway = await startFairway();
    const answer = login(fairway, 'wrong').catch(() => 'cut off');
    await waitFor(() => fairway.output().includes('sign-in refused'));
    process.kill(fairway.pid, 'SIGTERM');
    await waitFor(() => fairway.output().includes('"stopping"'));
    await fairway.stop();
    expect(await answer).toBe('cut off');
    expect(fairway.output()).not.toContain('"stopped"');
  });
});

describe('NODE-01: an error that nothing catches', () => {
  /** Runs inside the program before its own code. */
  const plant = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

  it('is logged and counted, and the process goes on', async () => {
    const code = `process.on('SIGUSR2', () => { Promise.reject(new Error('planted rejection')); setTimeout(() => { throw new Error('planted exception'); }); });`;
    const fairway = await startFairway({ env: plant(code) });
    try {
      process.kill(fairway.pid, 'SIGUSR2');
      await waitFor(() => fairway.output().includes('planted exception') && fairway.output().includes('planted rejection'));
      const metrics = await (await fetch(`${fairway.url}/metrics`)).text();
      expect(metrics).toContain('fairway_uncaught_errors_total{kind="exception"} 1\n');
      expect(metrics).toContain('fairway_uncaught_errors_total{kind="rejection"} 1\n');
      expect((await login(fairway, fairway.adminPassword)).status).toBe(200);
    } finally {
      await fairway.stop();
    }
  });

  it('ends a start that has not come far', async () => {
    const code = `const on = process.on; process.on = function (name, ...rest) { on.call(process, name, ...rest); if (name === 'unhandledRejection') setTimeout(() => { throw new Error('planted'); }); return process; };`;
    const result = await runFairway(['--listen', '127.0.0.1:0', '--data', folder], plant(code));
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('"message":"uncaught error"');
    expect(result.stdout).not.toContain('ready');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 20_000, interval: 10 }).toBe(true);
}
