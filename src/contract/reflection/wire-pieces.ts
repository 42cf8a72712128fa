/** The few forms of protobuf that descriptors and questions about them need, written one behind the other. */

export function textPiece(field: number, text: string): Uint8Array {
  return bytesPiece(field, Buffer.from(text));
}

export function bytesPiece(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

/** A number that is not negative. */
export function numberPiece(field: number, value: number): Uint8Array {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, value]);
}
