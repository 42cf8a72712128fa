/**
 * Go strings are bytes. Ours are JavaScript strings in which a byte that belongs to no valid UTF-8 is a lone surrogate from U+DC80
 * to U+DCFF, so that nothing is lost between functions that cut or decode.
 */
const ASCII = /^[\0-\x7f]*$/;
const STRAY = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toBytes(text: string): Buffer {
  if (text.search(STRAY) < 0) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(STRAY)) {
    const code = text.charCodeAt(index);
    if (code < 0xdc80 || code > 0xdcff) continue;
    parts.push(Buffer.from(text.slice(from, index), 'utf8'), Buffer.of(code - 0xdc00));
    from = index + 1;
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

export function fromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeWithStrays(bytes);
  }
}

export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : toBytes(text).length;
}

/** The bytes from one place up to another. */
export function sliceBytes(text: string, start: number, end: number): string {
  return ASCII.test(text) ? text.slice(start, end) : fromBytes(toBytes(text).subarray(start, end));
}

/** The text as it leaves: what is not UTF-8 becomes the replacement character. */
export function toWellFormed(text: string): string {
  return text.toWellFormed();
}

function decodeWithStrays(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : decoder.decode(bytes.subarray(at, at + length));
    at += length || 1;
  }
  return text;
}

/** The length of the valid sequence at a place, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  try {
    decoder.decode(bytes.subarray(at, at + length));
    return at + length <= bytes.length ? length : 0;
  } catch {
    return 0;
  }
}

/** The code points of a text, which Go calls runes. */
export function runes(text: string): string[] {
  return Array.from(text);
}
