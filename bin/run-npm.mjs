/** Runs npm quietly: its words are shown only when it fails. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NPM_MS_MAX = 15 * 60 * 1000;
const OUTPUT_CHARACTERS_MAX = 16_384;
const OUTPUT_LINES_MAX = 30;

/** Settings of an outer `npm …` that would make an inner one do something else: install elsewhere, less, or nothing. */
const OUTER_SETTINGS =
  /^npm_config_(dry_run|global|location|local_prefix|prefix|omit|include|only|also|production|workspaces?|package_lock|package_lock_only|save|json)$/i;

/**
 * Runs npm with the given arguments in a folder; fails with npm's own words.
 * @param {readonly string[]} args
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function runNpm(args, folder) {
  const [command, first, shell] = findNpm();
  const child = spawn(command, [...first, ...args, '--prefix', shell ? `"${folder}"` : folder, '--loglevel=error', '--no-progress'], {
    cwd: folder,
    env: environmentForNpm(),
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: NPM_MS_MAX,
  });
  let output = '';
  const collect = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk.toString()).slice(0, OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        if (code === 0) resolve(undefined);
        else reject(new Error(`npm ${args.join(' ')} failed (${signal ?? `exit code ${code}`})\n${firstLines(output)}`));
      });
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/**
 * The npm that started us, else the one beside the running Node, else the one on the path.
 * @returns {[command: string, first: string[], shell: boolean]}
 */
function findNpm() {
  const folder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? '',
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
  if (script) return [process.execPath, [script], false];
  return process.platform === 'win32' ? ['npm.cmd', [], true] : ['npm', [], false];
}

/**
 * npm says the cause first and its whole manual after it.
 * @param {string} output
 */
function firstLines(output) {
  return output.trim().split('\n').slice(0, OUTPUT_LINES_MAX).join('\n');
}

/** Without the settings of Fairway, too: a first password is nothing for npm to know. */
function environmentForNpm() {
  const wanted = Object.entries(process.env).filter(([name]) => !OUTER_SETTINGS.test(name) && !name.startsWith('FAIRWAY_'));
  return Object.fromEntries(wanted);
}
