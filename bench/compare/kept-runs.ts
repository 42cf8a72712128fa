import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ContenderName } from './contenders.ts';
import type { Figures } from './workload.ts';

const FOLDER = new URL('./runs/', import.meta.url);

/** What was measured of one task in one run, of all contenders one after the other, and when and where. */
export interface KeptRun {
  readonly date: string;
  /** Of the sources of Fairway, as git names it. */
  readonly version: string;
  /** Such as `2 processors (…), 24 GB, Node 24`. */
  readonly machine: string;
  /** Load averages seen before each contender began. */
  readonly loads: readonly number[];
  /** With what shares its installation. */
  readonly minutes: number;
  readonly figures: Readonly<Partial<Record<ContenderName, Figures>>>;
}

/** A whole comparison takes hours: runs are kept one by one, so that those of several days can be looked at together. */
export function readKeptRuns(key: string): readonly KeptRun[] {
  try {
    return JSON.parse(readFileSync(fileOf(key), 'utf8')) as KeptRun[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function writeKeptRuns(key: string, runs: readonly KeptRun[]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(key), `${JSON.stringify(runs, undefined, 2)}\n`);
}

function fileOf(key: string): URL {
  return new URL(`${key}.json`, FOLDER);
}
