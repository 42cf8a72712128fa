/** `npm run check`: every check there is, in order; all of them run, so that one look shows all that is wrong. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareFolders } from './compare-folders.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = join(ROOT, 'src/contract/gen');
const STEP_MS_MAX = 10 * 60 * 1000;

/** Returns what is wrong; nothing when all is well. */
type Step = readonly [name: string, run: () => string | undefined];

const steps: readonly Step[] = [
  ['generated code is up to date', compareGenerated],
  ['format', () => runTool('oxfmt', '--check')],
  ['lint', () => runTool('oxlint', '--type-aware', '--deny-warnings')],
  ['types', () => runTool('tsc', '-p', '.')],
  ['types of the web interface', () => runTool('tsc', '-p', 'src/ui')],
  ['types of the launcher', () => runTool('tsc', '-p', 'bin')],
  ['tidy', () => runTool('node', 'scripts/tidy/main.ts')],
  ['dead code', () => runTool('knip')],
  ['unit tests', () => runTool('vitest', 'run', '--project', 'unit')],
];

const failed = steps.filter(([name, run]) => {
  const startedAt = performance.now();
  const problem = run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (problem !== undefined) console.log(problem.replace(/^/gm, '        '));
  return problem !== undefined;
});
console.log(failed.length === 0 ? `all ${steps.length} checks passed` : `${failed.length} of ${steps.length} checks failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function compareGenerated(): string | undefined {
  const fresh = mkdtempSync(join(tmpdir(), 'fairway-generate-'));
  try {
    const problem = runTool('node', 'scripts/generate/main.ts', '--out', fresh);
    if (problem !== undefined) return problem;
    const differences = compareFolders(fresh, GENERATED);
    return differences.length === 0 ? undefined : `${differences.join('\n')}\nrun: npm run generate`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The launcher has put our tools and the right Node first on the path. */
function runTool(command: string, ...args: string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: STEP_MS_MAX,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (status === 0) return undefined;
  return [`${[command, ...args].join(' ')} ended with ${error?.message ?? String(status)}`, stdout, stderr].join('\n').trim();
}
