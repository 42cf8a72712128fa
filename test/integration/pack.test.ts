import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lock } from '../../scripts/lock/complete-lock.ts';
import { npmEnvironment, runNpm } from '../support/packages/npm.ts';
import { type PublishedPackage, startPackageRegistry } from '../support/packages/package-registry.ts';
import { runProgram, startProgram } from '../support/packages/run-program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACK_AND_INSTALL_MS_MAX = 180_000;

let folder: string;
let home: string;

/** Packs as for publishing, and installs into an empty folder as a user would. Nothing leaves this machine. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-pack-'));
  home = join(folder, 'home');
  mkdirSync(home);
  const tarball = await pack(ROOT, []);
  await using registry = await startPackageRegistry();
  for (const path of listProductionPackages()) registry.publish(await packInstalled(path));

  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball];
  const installed = await runNpm(args, { folder: home, cache: join(folder, 'cache'), registry: registry.url });

  expect(installed).toMatchObject({ code: 0 });
}, PACK_AND_INSTALL_MS_MAX);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the packed command', () => {
  it('carries compiled code and no sources or tests', () => {
    const names = readdirSync(join(home, 'node_modules/fairway'), { recursive: true, encoding: 'utf8' });
    expect(names).toContain(join('dist', 'main', 'fairway.js'));
    expect(names.filter((name) => /\.ts$|\.test\.|^src|^test/.test(name))).toEqual([]);
    expect(['LICENSE', 'README.md', 'CHANGELOG.md'].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('explains itself', async () => {
    const outcome = await runProgram(process.execPath, [command(), 'up', '--help'], { cwd: home });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toContain('--listen');
  });

  it('starts from an empty folder, answers, and stops when it is told to', async () => {
    const data = join(folder, 'data');
    const args = [command(), 'up', '--listen', '127.0.0.1:0', '--data', data];
    const server = startProgram(process.execPath, args, { cwd: home, env: npmEnvironment({ cache: join(folder, 'cache') }) });
    try {
      const [, address = ''] = await server.seen(/^ready (\S+)$/m);
      // The last two are assets, which the compiler does not carry over by itself.
      for (const path of ['/healthz', '/openapi.json', '/docs']) {
        const answer = await fetch(new URL(path, address), { signal: AbortSignal.timeout(10_000) });
        expect([path, answer.status]).toEqual([path, 200]);
      }
      expect(existsSync(data)).toBe(true);
    } finally {
      server.child.kill('SIGTERM');
    }
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

function command(): string {
  return join(home, 'node_modules/fairway/bin/fairway.mjs');
}

async function pack(source: string, flags: readonly string[]): Promise<string> {
  const destination = mkdtempSync(join(folder, 'tarball-'));
  const args = ['pack', source, '--pack-destination', destination, ...flags];
  const packed = await runNpm(args, { folder: ROOT, cache: join(folder, 'cache') });
  expect(packed).toMatchObject({ code: 0 });
  return join(destination, readdirSync(destination)[0] ?? '');
}

/** The production packages that this machine has, as paths below the root of the repository. */
function listProductionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const paths = Object.keys(lock.packages).filter((path) => path !== '' && lock.packages[path]?.dev !== true);
  return paths.filter((path) => existsSync(join(ROOT, path)));
}

async function packInstalled(path: string): Promise<PublishedPackage> {
  const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as PublishedPackage['manifest'];
  return { manifest, tarball: readFileSync(await pack(join(ROOT, path), ['--ignore-scripts'])) };
}
