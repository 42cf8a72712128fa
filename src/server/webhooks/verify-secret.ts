import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export function sameSecret(one: string, other: string): boolean {
  // Hashes have one length, whatever the texts have.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Whether a signature is that of exactly these bytes; `prefix` stands before the hexadecimal digits. */
export function isSignedWith(secret: string, body: Uint8Array, signature: string | undefined, prefix = ''): boolean {
  if (signature === undefined) return false;
  return sameSecret(signature, prefix + createHmac('sha256', secret).update(body).digest('hex'));
}
