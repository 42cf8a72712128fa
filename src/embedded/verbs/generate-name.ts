import type { Random } from './verb-context.ts';

/** Without vowels and look-alikes, so that no word comes of it by chance. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const PREFIX_LENGTH_MAX = 63 - SUFFIX_LENGTH;

export function generateName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length)));
  return prefix.slice(0, PREFIX_LENGTH_MAX) + suffix.join('');
}
