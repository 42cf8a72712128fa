import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically, type Clock } from '../base/index.ts';
import { hashPassword } from './password.ts';

/** The admin account and what its sessions need, kept in one file until there is a home API to keep it in. */
export interface AdminFile {
  readonly passwordHash: string;
  /** Seconds since the epoch. Sessions from before are void. */
  readonly passwordChangedAt: number;
  readonly signingKey: Uint8Array;
  isRevoked(tokenId: string): boolean;
  /** Returns when the revocation has reached the disk; it counts from the first moment. */
  revoke(tokenId: string, expiresAt: number): Promise<void>;
}

export interface AdminFileOptions {
  readonly dataDir: string;
  /** The admin password of a first start; random when not given. Ignored when the account exists. */
  readonly firstPassword: string | undefined;
  /** Receives a random password, before the account exists: should telling it fail, the next start tries anew. */
  readonly reveal: (password: string) => Promise<void>;
  readonly clock: Clock;
}

interface AdminRecord {
  readonly passwordHash: string;
  readonly passwordChangedAt: number;
  /** Base64. */
  readonly signingKey: string;
  /** Token id to expiry, in seconds since the epoch. */
  readonly revoked: Readonly<Record<string, number>>;
}

const passwordLength = 16;
/** Without letters and digits that are easily taken for one another. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-';

export async function openAdminFile(options: AdminFileOptions): Promise<AdminFile> {
  const { dataDir, firstPassword, reveal, clock } = options;
  const path = join(dataDir, 'admin.json');
  const existing = await readRecord(path);
  if (existing !== undefined) return createAdminFile(path, existing, clock);

  const password = firstPassword ?? generatePassword();
  const record: AdminRecord = {
    passwordHash: await hashPassword(password),
    passwordChangedAt: Math.floor(clock.nowMs() / 1000),
    signingKey: randomBytes(32).toString('base64'),
    revoked: {},
  };
  if (firstPassword === undefined) await reveal(password);
  await writeFileAtomically(path, formatRecord(record));
  return createAdminFile(path, record, clock);
}

function createAdminFile(path: string, record: AdminRecord, clock: Clock): AdminFile {
  const { passwordHash, passwordChangedAt, signingKey } = record;
  const revoked = new Map(Object.entries(record.revoked));
  let lastWrite: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    const nowSeconds = clock.nowMs() / 1000;
    // An expired token is refused anyway, so the list stays as short as the sessions are many.
    for (const [tokenId, expiresAt] of revoked) if (expiresAt <= nowSeconds) revoked.delete(tokenId);
    return writeFileAtomically(path, formatRecord({ ...record, revoked: Object.fromEntries(revoked) }));
  }

  return {
    passwordHash,
    passwordChangedAt,
    signingKey: Buffer.from(signingKey, 'base64'),
    isRevoked: (tokenId) => revoked.has(tokenId),
    revoke(tokenId, expiresAt) {
      revoked.set(tokenId, expiresAt);
      // One write after the other; a write that failed is reported to its own caller and does not stop the next.
      lastWrite = lastWrite.then(write, write);
      return lastWrite;
    },
  };
}

async function readRecord(path: string): Promise<AdminRecord | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const record = parseRecord(text);
  if (record === undefined) throw new Error(`${path} is damaged; remove it to start with a new admin password`);
  return record;
}

function parseRecord(text: string): AdminRecord | undefined {
  let value: Partial<Record<keyof AdminRecord, unknown>> | null;
  try {
    value = JSON.parse(text) as Partial<Record<keyof AdminRecord, unknown>> | null;
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { passwordHash, passwordChangedAt, signingKey, revoked } = value;
  if (typeof passwordHash !== 'string' || typeof passwordChangedAt !== 'number' || typeof signingKey !== 'string') return undefined;
  if (Buffer.from(signingKey, 'base64').length < 32 || typeof revoked !== 'object' || revoked === null) return undefined;
  const entries = Object.entries(revoked).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { passwordHash, passwordChangedAt, signingKey, revoked: Object.fromEntries(entries) };
}

function formatRecord(record: AdminRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function generatePassword(): string {
  return Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('');
}
