import { canonicalJson } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';

/** The alphabet of generated names: without vowels and look-alikes, so that no word comes of it by chance. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * The suffix that a pod template gives to its ReplicaSet or revision: the digits of a hash in the alphabet of generated names. The value
 * is our own, as the real one comes from the memory layout of a Go program; its look is the same.
 */
export function templateHash(template: JsonObject, collisions = 0): string {
  const hash = hashText(canonicalJson(template) + (collisions === 0 ? '' : `#${collisions}`));
  return String(hash)
    .split('')
    .map((digit) => ALPHABET.charAt(digit.charCodeAt(0) % ALPHABET.length))
    .join('');
}
