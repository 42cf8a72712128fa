const ESCAPED = 0xdc00;
const ESCAPES: readonly string[] = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(ESCAPED + byte));

/**
 * Names of files are bytes, and need not be UTF-8. Each is a text of its own here: a byte that is part of no character is half of a
 * pair of code units, of which there is no other in such a text. Two names that read alike would be one otherwise, and only one of them be
 * looked at.
 */
export function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // What stands for a byte that cannot be read may also be in a name itself.
  if (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes)) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      if (from < at) parts.push(bytes.toString('utf8', from, at));
      parts.push(ESCAPES[bytes[at] ?? 0] ?? '');
      from = at + 1;
    }
    at += length === 0 ? 1 : length;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** The bytes of a name that was read so. */
export function encodeName(name: string): Buffer {
  const bytesOf = (character: string): Buffer =>
    character.isWellFormed() ? Buffer.from(character) : Buffer.from([character.charCodeAt(0) - ESCAPED]);
  return Buffer.concat(Array.from(name, bytesOf));
}

/** How many bytes the character takes that begins there; 0 where none does. A repository may have a hundred megabytes of such names. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !isSecond(first, bytes[at + 1] ?? 0)) return 0;
  if (first < 0xe0) return 2;
  if (!isFurther(bytes[at + 2] ?? 0)) return 0;
  if (first < 0xf0) return 3;
  return isFurther(bytes[at + 3] ?? 0) ? 4 : 0;
}

/** With others a character would be longer than it need be, half of a pair, or beyond the last. */
function isSecond(first: number, byte: number): boolean {
  if (first === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
  if (first === 0xed) return byte >= 0x80 && byte <= 0x9f;
  if (first === 0xf0) return byte >= 0x90 && byte <= 0xbf;
  if (first === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  return isFurther(byte);
}

function isFurther(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}
