import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { ApiError, Code, writeFileAtomically } from '../../base/index.ts';

const KEY_LINE = /^[0-9a-f]{64}$/;

/** The keys in a file, the newest first; undefined when there is no such file. A key that others can read is refused. */
export async function readKeyFile(path: string): Promise<readonly Uint8Array[] | undefined> {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new ApiError(Code.FailedPrecondition, `${path} must be readable by its owner only (mode 0600)`);
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => KEY_LINE.test(line)))
    throw new ApiError(Code.FailedPrecondition, `${path} does not hold encryption keys`);
  return lines.map((line) => Buffer.from(line, 'hex'));
}

export async function writeKeyFile(path: string, keys: readonly Uint8Array[]): Promise<void> {
  await writeFileAtomically(path, keys.map((key) => `${Buffer.from(key).toString('hex')}\n`).join(''));
}

export function createKey(): Uint8Array {
  return randomBytes(32);
}
