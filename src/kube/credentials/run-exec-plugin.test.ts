import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { runExecPlugin } from './run-exec-plugin.ts';

const API_VERSION = 'client.authentication.k8s.io/v1';

describe('an exec plugin', () => {
  let folder: string;
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => lines.push(line) });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairway-plugin-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string, timeoutMs = 10_000) =>
    runExecPlugin({
      plugin: {
        apiVersion: API_VERSION,
        command: '/bin/sh',
        args: ['-c', script],
        env: [],
        provideClusterInfo: false,
        installHint: 'Ask Anna',
      },
      cluster: {},
      environment: { PATH: '/usr/bin:/bin' },
      timeoutMs,
      log,
    });
  const print = (status: object, apiVersion = API_VERSION) =>
    `printf '%s' '${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}'`;

  it('prints a token, a certificate and a time', async () => {
    expect(await run(print({ token: 't', expirationTimestamp: '2026-01-01T00:00:00Z' }))).toEqual({
      token: 't',
      expiresAtMs: Date.UTC(2026, 0, 1),
    });
    expect(await run(print({ clientCertificateData: 'c', clientKeyData: 'k' }))).toEqual({ certificate: { certificate: 'c', key: 'k' } });
  });

  it.each([
    ['echo hush-hush >&2; exit 3', 'ended with exit code 3. Ask Anna'],
    ['echo secret-value', 'printed something that is not JSON'],
    ['echo "{}"', 'printed something that is no ExecCredential'],
    [print({ token: 't' }, 'client.authentication.k8s.io/v1beta1'), 'of another version'],
    [print({}), 'neither a token nor a client certificate'],
    [print({ clientCertificateData: 'c' }), 'only one of'],
    [print({ token: 't', expirationTimestamp: 'soon' }), 'an expiry that is no time'],
    ['yes', 'printed far too much'],
    ['kill -9 $$', 'was ended by SIGKILL'],
  ])('may fail: %s', async (script, message) => {
    const failure = await run(script).catch((error: unknown) => String(error));
    expect(failure).toContain(message);
    expect(failure).not.toMatch(/hush-hush|secret-value/);
  });

  it('says in the log what it complained of', () => {
    expect(lines.join('')).toContain('hush-hush');
  });

  it('may be missing', async () => {
    const plugin = { apiVersion: API_VERSION, command: 'no-such-program', args: [], env: [], provideClusterInfo: false } as const;
    await expect(runExecPlugin({ plugin, cluster: {}, environment: { PATH: '/usr/bin' }, timeoutMs: 1000, log })).rejects.toThrow(
      'the exec plugin no-such-program was not found',
    );
  });

  it('is ended with all that it started when its time is over', async () => {
    const pidFile = join(folder, 'pid');
    await expect(run(`sleep 60 & echo $! > ${pidFile}; wait`, 500)).rejects.toThrow('printed no credential within 0.5 seconds');
    expect(existsSync(pidFile)).toBe(true);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    // A process that has ended and that nobody has asked after yet is still listed.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
