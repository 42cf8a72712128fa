import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFairway, startFairway } from '../support/fairway.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairway-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('flags and variables', () => {
  it('takes its settings from the environment, warns about what it does not know, and lets flags win', async () => {
    const env = { FAIRWAY_DOCS: 'off', FAIRWAY_LOG_FORMAT: 'text', FAIRWAY_LISTEN: '127.0.0.1:1', FAIRWAY_LISTN: 'x' };
    const fairway = await startFairway({ env });
    try {
      expect(fairway.port).not.toBe(1);
      expect(fairway.output()).toMatch(/^\S+ WARN {2}environment .*FAIRWAY_LISTN; did you mean FAIRWAY_LISTEN/m);
      expect((await fetch(`${fairway.url}/docs`)).status).toBe(404);
      expect((await fetch(`${fairway.url}/openapi.json`)).status).toBe(404);
    } finally {
      await fairway.stop();
    }
  });

  it.each([
    [['--lissten', ':0'], 2, 'fairway: unknown flag --lissten; did you mean --listen?\n'],
    [['upp'], 2, "fairway: unknown command 'upp'; did you mean up?\n"],
    [['--listen', 'nonsense'], 2, "fairway: --listen 'nonsense': must be HOST:PORT"],
    [['--tls-cert', 'x'], 2, 'fairway: --tls-cert and --tls-key belong together'],
  ])('refuses %j', async (args, code, message) => {
    const result = await runFairway(args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr.startsWith(message)).toBe(true);
  });

  it('refuses a password that could not be used whole', async () => {
    const result = await runFairway(['--data', folder], { FAIRWAY_ADMIN_PASSWORD: 'x'.repeat(73) });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('FAIRWAY_ADMIN_PASSWORD: must have at most 72 bytes');
    expect(await readdir(folder)).toEqual([]);
  });

  it('helps', async () => {
    expect(await runFairway(['--help'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('--listen HOST:PORT') as string,
    });
    expect(await runFairway(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^fairway \d+\.\d+\.\d+\n$/) as string,
    });
  });
});

describe('a start that cannot be', () => {
  const oneLine = (start: string) => expect.stringMatching(new RegExp(`^fairway: ${start}[^\\n]*\\n$`)) as string;

  it('says so in one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const result = await runFairway(['--listen', `127.0.0.1:${port}`, '--data', folder]);
    other.close();
    expect(result).toMatchObject({ code: 1, stderr: oneLine(`cannot listen on 127.0.0.1:${port}: another program is using it`) });
    expect(result.stdout).not.toContain('ready');
    // Found out before anything was opened, and be it the lead of an installation.
    expect((await readdir(folder)).sort()).toEqual(['lock', 'lock-holder']);
  });

  it('says so in one line when the port for metrics is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const result = await runFairway(['--listen', '127.0.0.1:0', '--metrics-listen', `127.0.0.1:${port}`, '--data', folder]);
    other.close();
    const reason = `cannot listen on 127.0.0.1:${port} for metrics: another program is using it; choose another with --metrics-listen`;
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: oneLine(reason) });
  });

  it('says so in one line, and before anything is opened, when both ports are the same', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    const address = `127.0.0.1:${port}`;
    const result = await runFairway(['--listen', address, '--metrics-listen', address, '--data', folder]);
    const reason = `cannot listen on ${address} for metrics: another program is using it; choose another with --metrics-listen`;
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: oneLine(reason) });
    expect((await readdir(folder)).sort()).toEqual(['lock', 'lock-holder']);
  });

  it('says so in one line when the kubeconfig is a folder', async () => {
    const result = await runFairway(['--listen', '127.0.0.1:0', '--data', join(folder, 'data'), '--kubeconfig', folder]);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: oneLine(`.*the kubeconfig ${folder} cannot be read: EISDIR`) });
  });

  it('says so in one line when the data folder is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const result = await runFairway(['--listen', '127.0.0.1:0', '--data', file]);
    expect(result).toMatchObject({
      code: 1,
      stdout: '',
      stderr: oneLine(`cannot use the data folder ${file}: there is a file of that name`),
    });
  });

  it('says so in one line when the certificate is not there or is none', async () => {
    const missing = join(folder, 'missing.crt');
    const args = ['--listen', '127.0.0.1:0', '--data', folder, '--tls-key', missing, '--tls-cert'];
    expect(await runFairway([...args, missing])).toMatchObject({
      code: 1,
      stderr: oneLine(`cannot use the certificate ${missing}: it does not exist`),
    });
    const garbage = join(folder, 'garbage.crt');
    await writeFile(garbage, 'garbage');
    const result = await runFairway(['--listen', '127.0.0.1:0', '--data', folder, '--tls-key', garbage, '--tls-cert', garbage]);
    expect(result).toMatchObject({ code: 1, stderr: oneLine(`cannot use the certificate ${garbage}`) });
  });

  it('says so in one line when the admin file is damaged', async () => {
    await writeFile(join(folder, 'admin.json'), '{');
    const result = await runFairway(['--listen', '127.0.0.1:0', '--data', folder]);
    expect(result).toMatchObject({ code: 1, stderr: oneLine('.*admin.json is damaged; remove it to start with a new admin password') });
  });
});

describe('a start that is given up', () => {
  it('ends a start that waits for a cluster', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, silentKubeconfig(port));
    const startMs = performance.now();
    const result = await runFairway(
      ['--listen', '127.0.0.1:0', '--data', join(folder, 'data'), '--kubeconfig', kubeconfig],
      {},
      { onStart: (child) => silent.once('connection', () => child.kill('SIGTERM')) },
    );
    silent.close();
    expect(result).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"message":"stopped"') as string });
    expect(performance.now() - startMs).toBeLessThan(14_000);
  });
});

/** Of a cluster that takes connections and says nothing. */
function silentKubeconfig(port: number): string {
  const cluster = { name: 'silent', cluster: { server: `http://127.0.0.1:${port}` } };
  const context = { name: 'silent', context: { cluster: 'silent', user: 'silent' } };
  const users = [{ name: 'silent', user: { token: 'x' } }];
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'silent',
    clusters: [cluster],
    contexts: [context],
    users,
  });
}
