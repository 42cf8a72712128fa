import { hash } from 'node:crypto';
import { ApiError, Code, LruMap, type Clock } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { secretNames, secretType } from './home-objects.ts';
import { modifyObject, type Home } from './modify-object.ts';
import { encodeSecretText } from './object-data.ts';
import { readRevokedTokens } from './read-secret-stores.ts';

/** So many fit into a Secret several times over. */
const tokensMax = 10_000;
const hashesMax = 1_000;

/** Sessions that were ended before their time, known to every replica. */
export interface RevokedTokens {
  has(tokenId: string): boolean;
  /**
   * Ends a session until it would have expired, in seconds since the epoch. It counts here from the first moment, and everywhere when
   * this returns. Throws when it cannot be stored.
   */
  add(tokenId: string, expiresAt: number): Promise<void>;
}

interface RevokedTokensOptions {
  readonly home: Home;
  readonly clock: Clock;
  /** As the last snapshot has them. */
  readonly stored: () => ReadonlyMap<string, number>;
  readonly onWritten: (object: KubeObject) => void;
}

interface StoredTokens extends RevokedTokens {
  /** Resolves when nothing is being written, well or badly. */
  settled(): Promise<void>;
}

export function createRevokedTokens({ home, clock, stored, onWritten }: RevokedTokensOptions): StoredTokens {
  /** Not stored yet, or refused: these count in this process alone. */
  const pending = new Map<string, number>();
  /** Of the tokens in use, which are asked about again and again. */
  const hashes = new LruMap<string, string>(hashesMax);
  let writing: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function write(): Promise<void> {
    queued = undefined;
    dropExpired(pending, clock.nowMs() / 1000);
    const batch = new Map(pending);
    if (batch.size === 0) return;
    // Somebody may have deleted the Secret.
    const all = new Map([...stored(), ...batch]);
    const { object } = await modifyObject(home, {
      type: secretType,
      name: secretNames.revokedTokens,
      change: (secret) => addTokens(secret, all, home, clock),
    });
    if (object !== undefined) onWritten(object);
    for (const id of batch.keys()) pending.delete(id);
  }

  return {
    has(tokenId) {
      const kept = stored();
      // Asked on every call, and most of the time nobody has signed out.
      if (pending.size === 0 && kept.size === 0) return false;
      let id = hashes.get(tokenId);
      if (id === undefined) hashes.set(tokenId, (id = hashTokenId(tokenId)));
      return pending.has(id) || kept.has(id);
    },
    settled: () =>
      writing.catch(() => {
        // Whoever asked for it was told.
      }),
    add(tokenId, expiresAt) {
      if (pending.size >= tokensMax) dropExpired(pending, clock.nowMs() / 1000);
      if (pending.size >= tokensMax) return Promise.reject(tooMany());
      pending.set(hashTokenId(tokenId), expiresAt);
      // Whoever comes while one write is under way shares the next.
      queued ??= writing = writing.then(write, write);
      return queued;
    },
  };
}

/** An id may be any text and may be chosen by a user; a key of a Secret may not, and must not tell a usable id. */
function hashTokenId(tokenId: string): string {
  return hash('sha256', tokenId, 'hex').slice(0, 32);
}

function addTokens(secret: KubeObject | undefined, batch: ReadonlyMap<string, number>, home: Home, clock: Clock): KubeObject | undefined {
  const stored = new Map(readRevokedTokens(secret));
  if ([...batch.keys()].every((id) => stored.has(id))) return undefined;
  const tokens = new Map([...stored, ...batch]);
  // An expired token is refused anyway.
  dropExpired(tokens, clock.nowMs() / 1000);
  if (tokens.size > tokensMax) throw tooMany();
  const data = Object.fromEntries([...tokens].map(([id, expiresAt]) => [id, encodeSecretText(String(Math.ceil(expiresAt)))]));
  if (secret !== undefined) return { ...secret, data };
  const labels = { 'app.kubernetes.io/managed-by': 'fairway' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretNames.revokedTokens, namespace: home.namespace, labels },
    type: 'Opaque',
    data,
  };
}

function dropExpired(tokens: Map<string, number>, nowSeconds: number): void {
  for (const [id, expiresAt] of tokens) if (expiresAt <= nowSeconds) tokens.delete(id);
}

/** Forgetting one to make room for another would let an ended session back in. */
function tooMany(): ApiError {
  return new ApiError(Code.ResourceExhausted, `more than ${tokensMax} sessions were ended before their time; the oldest must expire first`);
}
