import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMissing, type Lock } from '../../scripts/lock/complete-lock.ts';
import { npmEnvironment, runNpm } from '../support/packages/npm.ts';
import { integrityOf, type PackageRegistry, type PublishedPackage, startPackageRegistry } from '../support/packages/package-registry.ts';
import { type Outcome, runProgram } from '../support/packages/run-program.ts';
import { writeSmallCheckout } from '../support/packages/small-checkout.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let registry: PackageRegistry;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-install-'));
  registry = await startPackageRegistry();
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('NODE-05: installing from the lock', () => {
  it('takes the package that the lock names, and runs no script of it', async () => {
    const honest = await packSample('honest');
    registry.publish(honest);
    const checkout = writeCheckout(integrityOf(honest.tarball));

    const outcome = await startCheckout(checkout);

    expect(outcome).toMatchObject({ code: 0, stdout: 'the program ran: honest\n' });
    expect(registry.requests).toContain('/-/sample.tgz');
    expect(existsSync(join(checkout, 'node_modules/sample/script-ran'))).toBe(false);
  });

  it('would have run that script without the flag, so the proof above can fail', async () => {
    const honest = await packSample('honest');
    registry.publish(honest);
    const checkout = writeCheckout(integrityOf(honest.tarball));

    const args = ['ci', '--foreground-scripts', '--dangerously-allow-all-scripts'];
    await runNpm(args, { folder: checkout, cache: join(folder, 'cache'), registry: registry.url });

    expect(existsSync(join(checkout, 'node_modules/sample/script-ran'))).toBe(true);
  });

  it('refuses a tampered tarball, even when the registry vouches for it, and does not start', async () => {
    const honest = await packSample('honest');
    const checkout = writeCheckout(integrityOf(honest.tarball));
    registry.publish(await packSample('tampered'));

    const outcome = await startCheckout(checkout);

    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toContain('EINTEGRITY');
    expect(existsSync(join(checkout, 'node_modules/sample'))).toBe(false);
  });
});

describe('NODE-05: our own lock', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const production = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && entry.dev !== true);

  it('has no package for production that needs an install script', () => {
    expect(production.length).toBeGreaterThan(2);
    expect(production.filter(([, entry]) => entry.hasInstallScript === true)).toEqual([]);
  });

  it('pins the content of every package that this machine installs', () => {
    const installed = Object.entries(lock.packages).filter(([path]) => path !== '' && existsSync(join(ROOT, path)));
    expect(installed.length).toBeGreaterThan(2);
    expect(installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path)).toEqual([]);
  });

  it('is complete, so that npm ci accepts it (else: npm run lock)', () => {
    expect(findMissing(lock)).toEqual([]);
  });

  it('names no registry, so that each machine uses its own', () => {
    expect(JSON.stringify(lock)).not.toContain('"resolved":"http');
  });
});

/** Packs a package that says what it is, and that has an install script which leaves a trace. */
async function packSample(nature: string): Promise<PublishedPackage> {
  const source = join(folder, nature);
  mkdirSync(source);
  const manifest = {
    name: 'sample',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    scripts: { postinstall: `node -e "require('fs').writeFileSync('script-ran', '')"` },
  };
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'index.js'), `export const nature = '${nature}';\n`);
  const packed = await runNpm(['pack', '--ignore-scripts'], { folder: source, cache: join(folder, 'cache-for-packing') });
  expect(packed).toMatchObject({ code: 0 });
  return { manifest, tarball: readFileSync(join(source, 'sample-1.0.0.tgz')) };
}

function writeCheckout(integrity: string): string {
  const checkout = join(folder, 'checkout');
  const program = `import { nature } from 'sample';\nprocess.stdout.write(\`the program ran: \${nature as string}\\n\`);\n`;
  writeSmallCheckout({ folder: checkout, program, integrity });
  return checkout;
}

async function startCheckout(checkout: string): Promise<Outcome> {
  const env = npmEnvironment({ cache: join(folder, 'cache'), registry: registry.url });
  return runProgram(process.execPath, ['bin/run.mjs', 'start'], { cwd: checkout, env });
}
