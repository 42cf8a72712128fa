import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ApiError, Code } from '../../base/index.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A text that only the holder of a key can read or change. */
export interface Sealed {
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

/** Seals texts with the newest key and opens what any known key has sealed. */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly keyId: string;

  /** The newest key first. */
  constructor(keys: readonly Uint8Array[]) {
    const [newest] = keys;
    if (newest === undefined) throw new ApiError(Code.InvalidArgument, 'an encryption key is needed');
    for (const key of keys)
      if (key.byteLength !== KEY_BYTES)
        throw new ApiError(Code.InvalidArgument, `an encryption key has ${KEY_BYTES} bytes, not ${key.byteLength}`);
    this.#keys = new Map(keys.map((key) => [keyIdOf(key), key]));
    this.keyId = keyIdOf(newest);
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** `place` binds the text to where it stands: moved elsewhere, it does not open. */
  seal(text: string, place: string): Sealed {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key(this.keyId), nonce).setAAD(Buffer.from(place));
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { keyId: this.keyId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), content]) };
  }

  open({ keyId, bytes }: Sealed, place: string): string {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key(keyId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  }

  #key(keyId: string): Uint8Array {
    const key = this.#keys.get(keyId);
    if (key === undefined) throw new ApiError(Code.FailedPrecondition, `a record is sealed with the key ${keyId}, which is not at hand`);
    return key;
  }
}

/** Says which key it is and nothing about it. */
function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('fairway key id').update(key).digest('hex').slice(0, 12);
}
