/** Writes ASN.1 in DER, as far as a certificate needs it. */

function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...encodeLength(content.length)]), content]);
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => encode(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => encode(0x31, ...items);
export const octetString = (content: Uint8Array): Buffer => encode(0x04, content);
export const utf8String = (text: string): Buffer => encode(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean): Buffer => encode(0x01, Buffer.from([value ? 0xff : 0]));
/** Context-specific; constructed unless it holds bytes of a primitive type. */
export const tagged = (number: number, content: Uint8Array, kind: 'constructed' | 'primitive' = 'constructed'): Buffer =>
  encode((kind === 'constructed' ? 0xa0 : 0x80) | number, content);
/** A positive number, big-endian. */
export const integer = (bytes: Uint8Array): Buffer =>
  encode(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
export const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer => encode(0x03, Buffer.from([unusedBits]), bytes);

/** An object identifier in its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80);
    bytes.push(...digits);
  }
  return encode(0x06, Buffer.from(bytes));
}

/** To the second; certificates write years before 2050 with two digits. */
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050 ? encode(0x17, Buffer.from(digits.slice(2), 'latin1')) : encode(0x18, Buffer.from(digits, 'latin1'));
}
