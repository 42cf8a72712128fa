import { ApiError } from '../base/index.ts';
import { StatusError } from '../objects/index.ts';

/** The program cannot start, for a reason that whoever started it can do something about. */
export class StartError extends Error {}

/** Another process has the data folder. */
export class FolderInUse extends StartError {}

/** A refusal of an API becomes one of the start, with what was to be done before it; anything else stays what it is. */
export function toStartError(error: unknown, what: string): unknown {
  return error instanceof ApiError || error instanceof StatusError ? new StartError(`${what}: ${describeSystemError(error)}`) : error;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'another program is using it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTFOUND: 'there is no machine of that name',
  EPERM: 'permission denied',
  EROFS: 'it can only be read',
};

/** What a failed system call means to a person, in a few words on one line. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? error.message.replaceAll(/\s+/g, ' ');
}
