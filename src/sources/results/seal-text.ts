import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** Names texts, and makes of them what can lie on a disk: small, unreadable without the secret, and unusable once anything of it is changed. */
export interface Seal {
  /** Says nothing of what it names to those who do not have the secret. */
  nameOf(key: string): string;
  close(name: string, text: string): Promise<Buffer>;
  /** Throws where it is not what was closed under this name. */
  open(name: string, bytes: Buffer): Promise<string>;
}

/** Says how the rest is to be read. */
const FORM = Buffer.from('FWR1');
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

const compress = promisify<Buffer, { readonly level: number }, Buffer>(deflateRaw);
const decompress = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

/** `context` keeps apart what must not be mixed up although the secret is the same. */
export function createSeal(secret: Uint8Array, context: string, textBytesMax: number): Seal {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', `fairway results ${context}`, 2 * KEY_BYTES));
  const [cipherKey, nameKey] = [keys.subarray(0, KEY_BYTES), keys.subarray(KEY_BYTES)];
  return {
    nameOf: (key) => createHmac('sha256', nameKey).update(key).digest('hex'),
    async close(name, text) {
      // The quickest level makes a tenth of most manifests, and the others make little less.
      const packed = await compress(Buffer.from(text), { level: 1 });
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(name));
      const body = cipher.update(packed);
      cipher.final();
      return Buffer.concat([FORM, nonce, cipher.getAuthTag(), body]);
    },
    async open(name, bytes) {
      const [nonceAt, tagAt, bodyAt] = [FORM.length, FORM.length + NONCE_BYTES, FORM.length + NONCE_BYTES + TAG_BYTES];
      if (bytes.length < bodyAt || !bytes.subarray(0, nonceAt).equals(FORM)) throw new Error('not a stored result');
      const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(tagAt, bodyAt));
      const packed = decipher.update(bytes.subarray(bodyAt));
      decipher.final();
      return (await decompress(packed, { maxOutputLength: textBytesMax })).toString('utf8');
    },
  };
}
