/** The admin account as earlier versions kept it, in files of the data folder: it moves into the home API with the first start. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormerAdmin } from '../settings/index.ts';
import { describeSystemError, StartError } from './start-error.ts';

const accountFile = 'admin.json';
const passwordFile = 'initial-admin-password';

export interface FormerAccount {
  readonly admin: FormerAdmin;
  /** Ids of ended sessions, and when they expire in seconds since the epoch. */
  readonly revoked: ReadonlyMap<string, number>;
  /** Removes the files, once what they said is stored elsewhere. */
  forget(): Promise<void>;
}

/** Undefined where there is none. Throws StartError for one that cannot be read: a new password in its place would surprise its owner. */
export async function readFormerAccount(dataDir: string): Promise<FormerAccount | undefined> {
  const path = join(dataDir, accountFile);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const record = parseRecord(text);
  if (record === undefined) throw new StartError(`${path} is damaged; remove it to start with a new admin password`);
  const initialPassword = (await readIfThere(join(dataDir, passwordFile)))?.trim();
  return {
    admin: { ...record, initialPassword: initialPassword === '' ? undefined : initialPassword },
    revoked: record.revoked,
    async forget() {
      await rm(join(dataDir, passwordFile), { force: true });
      await rm(path, { force: true });
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartError(`cannot read ${path}: ${describeSystemError(error)}`);
  }
}

type AccountRecord = Omit<FormerAdmin, 'initialPassword'> & { readonly revoked: ReadonlyMap<string, number> };

function parseRecord(text: string): AccountRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { passwordHash, passwordChangedAt, signingKey, revoked } = value as Record<string, unknown>;
  if (typeof passwordHash !== 'string' || typeof passwordChangedAt !== 'number' || typeof signingKey !== 'string') return undefined;
  const key = Buffer.from(signingKey, 'base64');
  if (key.length < 32 || typeof revoked !== 'object' || revoked === null) return undefined;
  const entries = Object.entries(revoked).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { passwordHash, passwordChangedAt, signingKey: key, revoked: new Map(entries) };
}
