/** Starts a program with the right Node and lets it speak for us: streams, signals and exit code. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, isRunningNodeNewEnough } from './find-node.mjs';
import { followNpm } from './follow-npm.mjs';
import { smallFlags } from './keep-memory-small.mjs';

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a script of ours with its arguments; the folders come first on its PATH. When the running Node will do, the
 * script runs in this process: one process fewer to start, to signal and to keep in memory.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {readonly string[]} pathFolders
 * @returns {Promise<void>}
 */
export async function startProgram(script, args, pathFolders = []) {
  followNpm();
  const node = await findNode();
  process.env.PATH = [...pathFolders, dirname(node), process.env.PATH ?? ''].join(delimiter);
  if (isRunningNodeNewEnough()) {
    process.argv = [node, script, ...args];
    import(pathToFileURL(script).href).catch(failAsTheProgram);
    return;
  }
  await runChild(node, [...smallFlags(), script, ...args]);
}

/**
 * Ends with one line for a person instead of a stack.
 * @param {unknown} error
 */
export function reportFailure(error) {
  process.stderr.write(`fairway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/**
 * A failure of the program itself keeps its stack, as if the program had been started by its own name.
 * @param {unknown} error
 */
function failAsTheProgram(error) {
  setImmediate(() => {
    throw error;
  });
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 */
async function runChild(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // On a terminal Ctrl-C reaches the whole group; a second one from here would mean "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 1);
      resolve(undefined);
    });
  });
}
