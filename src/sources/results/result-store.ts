import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Logger, Timers } from '../../base/index.ts';
import type { SourceLimits } from '../limits.ts';
import { describeShortage } from '../shortage.ts';
import { evictResults, UNFINISHED } from './evict-results.ts';
import type { ResultShelf } from './evict-results.ts';
import { createSeal } from './seal-text.ts';
import type { Seal } from './seal-text.ts';

/**
 * Texts on disk by what they were made from, for all processes that have the secret. What is not there, damaged, or of another secret is
 * merely not found, and what cannot be written is merely not kept: nothing here ever fails a render.
 */
export interface ResultStore {
  read(key: string, shelf: ResultShelf): Promise<string | undefined>;
  write(key: string, shelf: ResultShelf, text: string): Promise<void>;
  /** Says that something was used, so that it stays. */
  touch(key: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ResultStoreOptions {
  readonly folder: string;
  /** Undefined where there is none at the moment: then nothing is kept. */
  readonly secret: () => Uint8Array | undefined;
  /** What another version of the program made is not used. */
  readonly version: string;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}

/** How much may be written before it is looked whether all is within its bounds. */
const WRITES_BETWEEN_SWEEPS = 500;
const SWEEP_EVERY_MS = 3_600_000;
const COMPLAINT_EVERY_MS = 60_000;
/** What was used so lately need not be marked as used again. */
const TOUCH_EVERY_MS = 60_000;

export function createResultStore({ folder, secret, version, limits, clock, timers, log }: ResultStoreOptions): ResultStore {
  let sealed: { readonly secret: Uint8Array; readonly seal: Seal } | undefined;
  let writesLeft = 0;
  let bytesLeft = 0;
  let sweeping: Promise<void> | undefined;
  let complainedAtMs = -Infinity;
  let stopped = false;
  let cancelSweep: (() => void) | undefined;

  function currentSeal(): Seal | undefined {
    const current = secret();
    if (current === undefined || current.length === 0) return undefined;
    if (sealed === undefined || !Buffer.from(sealed.secret).equals(current))
      sealed = { secret: current.slice(), seal: createSeal(current, version, limits.resultBytesMax) };
    return sealed.seal;
  }

  function complain(what: string, error: unknown): void {
    if (timers.nowMs() - complainedAtMs < COMPLAINT_EVERY_MS) return;
    complainedAtMs = timers.nowMs();
    log.warn(what, { error });
  }

  function sweepLater(): void {
    if (stopped || sweeping !== undefined) return;
    writesLeft = WRITES_BETWEEN_SWEEPS;
    bytesLeft = limits.resultsDiskBytesMax / 16;
    cancelSweep?.();
    cancelSweep = timers.schedule(SWEEP_EVERY_MS, sweepLater);
    sweeping = evictResults({
      folder,
      nowMs: clock.nowMs(),
      lifetimesMs: { kept: limits.resultUnusedMs, brief: limits.pluginResultMs },
      filesMax: limits.resultsDiskMax,
      bytesMax: limits.resultsDiskBytesMax,
    })
      .catch((error: unknown) => complain('stored results could not be swept', error))
      .finally(() => {
        sweeping = undefined;
      });
  }

  async function put(place: string, bytes: Buffer): Promise<void> {
    const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
    try {
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx' });
      const now = new Date(clock.nowMs());
      await utimes(unfinished, now, now);
      await rename(unfinished, place);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  const placeOf = (shelf: ResultShelf, name: string): string => join(folder, shelf, name.slice(0, 2), name);

  return {
    async read(key, shelf) {
      const seal = currentSeal();
      if (seal === undefined || stopped) return undefined;
      // What became too old while nothing ran goes even if nothing new is ever written.
      if (cancelSweep === undefined) sweepLater();
      const name = seal.nameOf(key);
      const place = placeOf(shelf, name);
      try {
        const stored = await readWhole(place, limits.resultBytesMax);
        if (stored === undefined) return undefined;
        const text = await seal.open(name, stored.bytes);
        const nowMs = clock.nowMs();
        if (shelf === 'kept' && Math.abs(nowMs - stored.usedAtMs) >= TOUCH_EVERY_MS) await touchFile(place, nowMs);
        return text;
      } catch (error) {
        // It may be as it should be, and is merely not found this time.
        if (describeShortage(error) !== undefined) return undefined;
        complain('a stored result cannot be read, and is thrown away', error);
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
        return undefined;
      }
    },
    async write(key, shelf, text) {
      const seal = currentSeal();
      if (seal === undefined || stopped || Buffer.byteLength(text) > limits.resultBytesMax) return;
      try {
        const name = seal.nameOf(key);
        const bytes = await seal.close(name, text);
        await put(placeOf(shelf, name), bytes);
        writesLeft -= 1;
        bytesLeft -= bytes.length;
      } catch (error) {
        complain('a result could not be stored', error);
      }
      if (writesLeft <= 0 || bytesLeft <= 0) sweepLater();
    },
    async touch(key) {
      const seal = currentSeal();
      if (seal !== undefined) await touchFile(placeOf('kept', seal.nameOf(key)), clock.nowMs());
    },
    async stop() {
      stopped = true;
      cancelSweep?.();
      await sweeping;
    },
  };
}

/** Undefined where there is none. */
async function readWhole(place: string, bytesMax: number): Promise<{ bytes: Buffer; usedAtMs: number } | undefined> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const state = await file.stat();
    if (!state.isFile() || state.size > bytesMax) throw new Error('not a stored result');
    return { bytes: await file.readFile(), usedAtMs: state.mtimeMs };
  } finally {
    await file.close();
  }
}

async function touchFile(place: string, nowMs: number): Promise<void> {
  // Where another process has removed it, there is nothing to keep.
  await utimes(place, new Date(nowMs), new Date(nowMs)).catch(() => undefined);
}
