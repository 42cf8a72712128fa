/** One field of a message: its number, and its value as a number or as bytes, by its wire type. */
export type WireField = { readonly number: number } & ({ readonly integer: bigint } | { readonly bytes: Uint8Array });

export class WireError extends Error {}

/** The fields of a message in their order. Throws WireError for bytes that are no message. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  let position = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[position];
      if (byte === undefined) throw new WireError('unexpected EOF');
      position += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('integer overflow');
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - position) throw new WireError('unexpected EOF');
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (wireType === 0) yield { number, integer: varint() };
    else if (wireType === 2) yield { number, bytes: take(Number(varint())) };
    else if (wireType === 1) take(8);
    else if (wireType === 5) take(4);
    else throw new WireError(`illegal wireType ${wireType}`);
  }
}
