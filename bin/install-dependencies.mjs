/** Makes `node_modules` what the lock says, when it is not so already. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdLock } from './hold-lock.mjs';
import { runNpm } from './run-npm.mjs';

/**
 * What a task needs: `production` is what the server runs with, `all` adds the development tools.
 * @typedef {'production' | 'all'} Scope
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {'nothing' | 'production' | 'all' | 'other'} Installed
 */

const STAMP = 'node_modules/.fairway-stamp';
const INSTALL_LOCK = '.install-lock';

/**
 * Installs the dependencies of the checkout when they are missing or not those of the lock.
 * @param {string} root
 * @param {Scope} scope
 * @returns {Promise<void>}
 */
export async function installDependencies(root, scope) {
  if (isEnough(readStamp(root), scope)) return;
  await holdLock(join(root, INSTALL_LOCK), async () => {
    // Whoever held the lock before us may have done the work.
    const stamped = readStamp(root);
    if (isEnough(stamped, scope)) return;
    const installed = stamped === 'nothing' ? readInstalled(root) : stamped;
    if (!isEnough(installed, scope)) await install(root, scope, installed);
    writeStamp(root, isEnough(installed, 'all') ? 'all' : scope);
  });
}

/**
 * @param {string} root
 * @param {Scope} scope
 * @param {Installed} installed
 */
async function install(root, scope, installed) {
  const kind = scope === 'all' ? 'dependencies and development tools' : 'dependencies';
  process.stderr.write(`fairway: installing ${kind} from package-lock.json\n`);
  const scopeFlag = scope === 'all' ? '--include=dev' : '--omit=dev';
  // `npm ci` starts by emptying node_modules. A server that runs from it survives when tools are only added.
  const command = installed === 'production' ? ['install', '--no-save'] : ['ci'];
  await runNpm([...command, scopeFlag, '--ignore-scripts', '--no-audit', '--no-fund'], root);
}

/**
 * @param {Installed} installed
 * @param {Scope} scope
 */
function isEnough(installed, scope) {
  return installed === 'all' || installed === scope;
}

/**
 * What our own stamp says is there; `nothing` when there is no stamp for this lock and this machine.
 * @param {string} root
 * @returns {Installed}
 */
function readStamp(root) {
  const path = join(root, STAMP);
  if (!existsSync(path)) return 'nothing';
  const [key, scope] = readFileSync(path, 'utf8').trim().split(' ');
  if (key !== stampKey(root)) return 'nothing';
  return scope === 'all' || scope === 'production' ? scope : 'nothing';
}

/**
 * @param {string} root
 * @param {Scope} scope
 */
function writeStamp(root, scope) {
  writeFileSync(join(root, STAMP), `${stampKey(root)} ${scope}\n`);
}

/** @param {string} root */
function stampKey(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

/**
 * What npm's own record says is there, so that a `node_modules` installed by hand is not installed again.
 * @param {string} root
 * @returns {Installed}
 */
function readInstalled(root) {
  const recordPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordPath)) return 'nothing';
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(recordPath);
  const has = (/** @type {[string, LockedPackage]} */ [path, wanted]) => {
    const found = installed[path];
    return found === undefined ? isOptional(wanted) : found.integrity === wanted.integrity && found.version === wanted.version;
  };
  const wanted = Object.entries(locked).filter(([path]) => path !== '');
  const extra = Object.keys(installed).some((path) => locked[path] === undefined);
  if (extra || !wanted.filter(([, entry]) => !isDevelopment(entry)).every(has)) return 'other';
  return wanted.filter(([, entry]) => isDevelopment(entry)).every(has) ? 'all' : 'production';
}

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(path) {
  const lock = /** @type {{ packages?: Record<string, LockedPackage> }} */ (JSON.parse(readFileSync(path, 'utf8')));
  return lock.packages ?? {};
}

/** @param {LockedPackage} entry */
function isOptional(entry) {
  return entry.optional === true || entry.devOptional === true;
}

/** @param {LockedPackage} entry */
function isDevelopment(entry) {
  return entry.dev === true || entry.devOptional === true;
}
