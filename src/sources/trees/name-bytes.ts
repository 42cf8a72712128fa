const ESCAPED = 0xdc00;

/**
 * Names of files are bytes, and need not be UTF-8. Each is a text of its own here: a byte that is part of no character is half of a
 * pair of code units, of which there is no other in such a text. Two names that read alike would be one otherwise, and only one of them be
 * looked at.
 */
export function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // What stands for a byte that cannot be read may also be in a name itself.
  if (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes)) return text;
  const characters: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const character = readCharacter(bytes, at);
    characters.push(character ?? String.fromCharCode(ESCAPED + (bytes[at] ?? 0)));
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return characters.join('');
}

/** The bytes of a name that was read so. */
export function encodeName(name: string): Buffer {
  const bytesOf = (character: string): Buffer =>
    character.isWellFormed() ? Buffer.from(character) : Buffer.from([character.charCodeAt(0) - ESCAPED]);
  return Buffer.concat(Array.from(name, bytesOf));
}

/** The one character that begins there. */
function readCharacter(bytes: Buffer, at: number): string | undefined {
  return [1, 2, 3, 4]
    .map((length) => bytes.toString('utf8', at, at + length))
    .find((text) => Array.from(text).length === 1 && bytes.subarray(at, at + Buffer.byteLength(text)).equals(Buffer.from(text)));
}
