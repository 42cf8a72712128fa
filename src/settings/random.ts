import { randomBytes } from 'node:crypto';

/** Chance, handed in so that tests can set it. */
export interface SettingsRandom {
  /** From 0 up to, and without, 1; for delays, not for secrets. */
  number(): number;
  /** Bytes that nobody can guess. */
  bytes(sizeBytes: number): Uint8Array;
}

export const systemRandom: SettingsRandom = { number: () => Math.random(), bytes: (sizeBytes) => randomBytes(sizeBytes) };
