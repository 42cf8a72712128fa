#!/usr/bin/env node
/** `npm start`, `npm test` and the other tasks of a checkout: sets up what the task needs, then does it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { keepMemorySmall } from './keep-memory-small.mjs';
import { reportFailure, startProgram } from './start-program.mjs';
import { isUiCurrent } from './ui-stamp.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Task
 * @property {'production' | 'all'} needs
 * @property {string} script
 * @property {readonly string[]} args come before those of the command line
 * @property {boolean} [servesUi] whether the web interface is to be built first
 */

/** @type {Readonly<Record<string, Task>>} */
const TASKS = {
  start: { needs: 'production', script: 'src/main/fairway.ts', args: ['up'], servesUi: true },
  kubeconfig: { needs: 'production', script: 'src/main/fairway.ts', args: ['kubeconfig'] },
  tools: { needs: 'production', script: 'src/main/fairway.ts', args: ['tools', 'install'] },
  fairway: { needs: 'production', script: 'src/main/fairway.ts', args: [] },
  test: { needs: 'all', script: 'node_modules/vitest/vitest.mjs', args: ['run'] },
  check: { needs: 'all', script: 'scripts/check/main.ts', args: [] },
  soak: { needs: 'all', script: 'scripts/soak.ts', args: [] },
  bench: { needs: 'all', script: 'bench/main.ts', args: [] },
  generate: { needs: 'all', script: 'scripts/generate/main.ts', args: [] },
  format: { needs: 'all', script: 'node_modules/oxfmt/bin/oxfmt', args: [] },
  cluster: { needs: 'all', script: 'scripts/cluster.ts', args: [] },
  lock: { needs: 'all', script: 'scripts/lock/main.ts', args: [] },
  build: { needs: 'all', script: 'scripts/build/main.ts', args: [] },
};

await run(process.argv.slice(2)).catch(reportFailure);

/** @param {readonly string[]} args */
async function run([name = '', ...args]) {
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (!task) throw new Error(`there is no task ${JSON.stringify(name)}; there are ${Object.keys(TASKS).join(', ')}`);
  if (task.servesUi) {
    // Told before the first module of ours is read: one that is not in the cache brings in what strips its types, some 15 MB.
    process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'fairway');
    keepMemorySmall();
  }
  await installDependencies(ROOT, task.needs);
  if (task.servesUi && !isUiCurrent(ROOT)) await buildUi();
  const script = join(ROOT, task.script);
  if (!existsSync(script)) throw new Error(`the task ${name} needs ${task.script}, which is not there`);
  await startProgram(script, [...task.args, ...args], [join(ROOT, 'node_modules', '.bin')]);
}

/** The server is of use without its pages, so a build that fails is told and not more. */
async function buildUi() {
  try {
    await installDependencies(ROOT, 'all');
    process.stderr.write('fairway: building the web interface\n');
    execFileSync(await findNode(), [join(ROOT, 'scripts/ui/main.ts')], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    process.stderr.write(`fairway: the web interface could not be built: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
