/** A checkout as small as can be: our own launcher, a project with one dependency, and a program in place of Fairway. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallCheckout {
  folder: string;
  /** The source text of src/main/fairway.ts. */
  program: string;
  /** The integrity of the package `sample` in the lock. */
  integrity: string;
}

const PROJECT = { name: 'checkout', version: '1.0.0', dependencies: { sample: '1.0.0' } };
const LAUNCHER = new URL('../../../bin/', import.meta.url);

export function writeSmallCheckout({ folder, program, integrity }: SmallCheckout): void {
  mkdirSync(join(folder, 'src/main'), { recursive: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of readdirSync(LAUNCHER)) {
    if (name.endsWith('.mjs')) copyFileSync(new URL(name, LAUNCHER), join(folder, 'bin', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...PROJECT, type: 'module' }));
  writeFileSync(join(folder, 'src/main/fairway.ts'), program);
  writeLock(folder, integrity);
}

/** Also what a `git pull` with a new lock does. */
export function writeLock(folder: string, integrity: string): void {
  const sample = { version: '1.0.0', integrity, hasInstallScript: true };
  const lock = { name: PROJECT.name, lockfileVersion: 3, requires: true, packages: { '': PROJECT, 'node_modules/sample': sample } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}
