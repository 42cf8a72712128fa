import { ApiError, Code } from '../base/index.ts';

const SHORTAGES: ReadonlyMap<unknown, string> = new Map([
  ['EMFILE', 'this process has too many open files'],
  ['ENFILE', 'this machine has too many open files'],
  ['ENOMEM', 'this machine has no memory left'],
  ['EAGAIN', 'this machine lets no more processes begin'],
]);

/** What this machine has too little of at the moment, which says nothing about what was asked for; undefined for any other failure. */
export function describeShortage(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const what = SHORTAGES.get(code);
  return what === undefined ? undefined : `${what} (${String(code)})`;
}

/** Throws where this machine has too little of something: what could not be read is not damaged then. */
export function throwShortage(error: unknown): void {
  const shortage = describeShortage(error);
  if (shortage !== undefined) throw new ApiError(Code.ResourceExhausted, shortage);
}

/** Whether there was no room on the disk, be it a program that says so. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ENOSPC') return true;
  return 'stderr' in error && typeof error.stderr === 'string' && error.stderr.includes('No space left on device');
}
