import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import { runCommand } from '../support/run-command.ts';

const missing = whyMissing();
if (missing !== undefined) process.stderr.write(`SKIPPED: curl: ${missing}\n`);

const WAYS = [
  { title: 'HTTP/1.1', tls: 'off', flags: ['--http1.1'], version: '1.1' },
  { title: 'HTTP/2 without TLS (h2c)', tls: 'off', flags: ['--http2-prior-knowledge'], version: '2' },
  { title: 'HTTP/1.1 over TLS', tls: 'on', flags: ['--http1.1', '--insecure'], version: '1.1' },
  { title: 'HTTP/2 over TLS', tls: 'on', flags: ['--http2', '--insecure'], version: '2' },
] as const;

describe.skipIf(missing !== undefined)(missing === undefined ? 'curl' : `curl [skipped: ${missing}]`, () => {
  const servers = new Map<string, Fairway>();

  beforeAll(async () => {
    for (const tls of ['on', 'off'] as const) servers.set(tls, await startFairway({ tls }));
  });
  afterAll(async () => void (await Promise.all([...servers.values()].map((server) => server.stop()))));

  describe.each(WAYS)('over $title', ({ tls, flags, version }) => {
    const curl = (path: string, ...more: readonly string[]): Promise<Answer> => ask([...flags, ...more, servers.get(tls)!.url + path]);

    it('reads', async () => {
      const { body, ...rest } = await curl('/api/version');
      expect(rest).toEqual({ status: 200, version, contentType: 'application/json' });
      expect(JSON.parse(body)).toEqual({ Version: expect.stringMatching(/^v3\.5\.6\+fairway\./) as unknown });
    });

    it('signs in and is known by the token', async () => {
      const credentials = JSON.stringify({ username: 'admin', password: servers.get(tls)!.adminPassword });
      const session = await curl('/api/v1/session', '--json', credentials);
      expect(session).toMatchObject({ status: 200, version });
      const { token } = JSON.parse(session.body) as { token: string };
      const { status, body } = await curl('/api/v1/session/userinfo', '--oauth2-bearer', token);
      expect({ status, body: JSON.parse(body) as unknown }).toEqual({
        status: 200,
        body: { loggedIn: true, username: 'admin', iss: 'argocd' },
      });
    });

    it('is refused', async () => {
      const { status, body } = await curl('/api/v1/account');
      expect(status).toBe(401);
      expect(JSON.parse(body)).toEqual({ error: 'no session information', code: 16, message: 'no session information' });
    });

    it('gets a large answer whole, compressed or not', async () => {
      const plain = await curl('/openapi.json');
      const compressed = await curl('/openapi.json', '--compressed');
      expect(plain.body.length).toBeGreaterThan(100_000);
      expect(compressed.body).toBe(plain.body);
    });
  });

  it('is sent from HTTP to HTTPS where TLS is on', async () => {
    const { host, port } = servers.get('on')!;
    const { status, body } = await ask(['--dump-header', '-', `http://${host}:${port}/api/version?x=1`]);
    expect(status).toBe(307);
    expect(body.toLowerCase()).toContain(`\r\nlocation: https://${host}:${port}/api/version?x=1\r\n`);
  });

  it('cannot begin TLS where TLS is off', async () => {
    const { host, port } = servers.get('off')!;
    const { code, elapsedMs } = await runCommand('curl', ['--silent', '--insecure', `https://${host}:${port}/`]);
    expect(code).toBe(TLS_CONNECT_ERROR);
    expect(elapsedMs).toBeLessThan(5_000);
  });
});

/** curl's exit code for a handshake that failed. */
const TLS_CONNECT_ERROR = 35;

interface Answer {
  readonly status: number;
  readonly version: string;
  readonly contentType: string;
  readonly body: string;
}

async function ask(args: readonly string[]): Promise<Answer> {
  const format = '\n%{http_code} %{http_version} %{content_type}';
  const { code, stdout, stderr } = await runCommand('curl', ['--silent', '--show-error', '--write-out', format, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const end = stdout.lastIndexOf('\n');
  const [status, version = '', ...contentType] = stdout.slice(end + 1).split(' ');
  return { status: Number(status), version, contentType: contentType.join(' '), body: stdout.slice(0, end) };
}

function whyMissing(): string | undefined {
  const { error, stdout } = spawnSync('curl', ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (error !== undefined) return 'curl is not installed';
  return /\bHTTP2\b/.test(stdout) ? undefined : 'this curl was built without HTTP/2';
}
