/**
 * `npm run soak`: what takes too long for every run of the tests, in order; all of it runs, so that one look shows all that is wrong.
 * `npm run soak -- --minutes N [--seed N]`: only everything at once, for so long.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Soak {
  readonly name: string;
  readonly files: readonly string[];
  /** What the environment says already counts. */
  readonly env: Readonly<Record<string, string>>;
}

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const MINUTES = values.minutes ?? '30';
const SEED = values.seed ?? String(Date.now() % 100_000);

/** Commits, drift, syncs, rollbacks, application sets, clients, outages and kills, all of the same seed. */
const everything: Soak = {
  name: `everything at once for ${MINUTES} minutes, seed ${SEED}`,
  files: ['test/integration/soak.test.ts'],
  env: { SOAK_MINUTES: MINUTES, SOAK_SEED: SEED, SOAK_APPLICATIONS: '24' },
};

const others: readonly Soak[] = [
  {
    name: '200 rounds of kill -9 under load',
    files: ['test/integration/embedded-crash.test.ts'],
    env: { EMBEDDED_CRASH_ROUNDS: '200' },
  },
  {
    name: 'kill -9 at 200 moments of a sync with hooks, waves and prunes',
    files: ['test/integration/applications-crash.test.ts'],
    env: { APPLICATION_CRASH_ROUNDS: '200', APPLICATION_CRASH_SEED: String(Date.now() % 100_000) },
  },
  {
    name: 'a move of 255 applications from Argo CD and back',
    files: ['test/integration/take-over.test.ts'],
    env: { TAKE_OVER_SIZE: 'whole' },
  },
  { name: '1,000 reconnects of a cache', files: ['test/integration/kube-leaks.test.ts'], env: { KUBE_LEAK_RECONNECTS: '1000' } },
  {
    name: '100,000 random requests decided as casbin decides them',
    files: ['test/integration/access-policy-oracle.test.ts'],
    env: { POLICY_ORACLE_REQUESTS: '100000' },
  },
  {
    name: '100,000 requests that nobody would make, to every method over REST and gRPC',
    files: ['test/integration/fuzz'],
    env: { FUZZ_REQUESTS: '100000', FUZZ_SEED: String(Date.now() % 1_000_000) },
  },
  { name: '200 timed pairs of logins', files: ['test/integration/access-sessions.test.ts'], env: { AUTH_TIMED_PAIRS: '200' } },
  {
    name: 'properties with values that no run has drawn before',
    files: [
      'src/objects',
      'src/contract',
      'test/conformance/objects-oracle',
      'test/conformance/apply-oracle',
      'test/conformance/structural-oracle',
    ],
    env: { FAIRWAY_TEST_SEED: 'random' },
  },
];

const soaks = values.minutes === undefined ? [...others, everything] : [everything];
const failed = soaks.filter(({ name, files, env }) => {
  const startedAt = performance.now();
  console.log(`soaking: ${name}`);
  const { status } = spawnSync('vitest', ['run', ...files], { cwd: ROOT, stdio: 'inherit', env: { ...env, ...process.env } });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
  return status !== 0;
});
console.log(failed.length === 0 ? `all ${soaks.length} soaks passed` : `${failed.length} of ${soaks.length} soaks failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
