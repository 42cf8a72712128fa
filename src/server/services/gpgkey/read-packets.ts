/** A piece of OpenPGP data. */
export interface Packet {
  readonly tag: number;
  readonly body: Uint8Array;
  /** Where it begins and ends, with its head. */
  readonly start: number;
  readonly end: number;
}

const PACKETS_MAX = 10_000;

/** Throws an Error in plain words for what is cut off or no such data. */
export function readPackets(data: Uint8Array): readonly Packet[] {
  const packets: Packet[] = [];
  for (let start = 0; start < data.length;) {
    const packet = readPacket(data, start);
    packets.push(packet);
    if (packets.length > PACKETS_MAX) throw new Error('the key has too many parts');
    start = packet.end;
  }
  return packets;
}

function readPacket(data: Uint8Array, start: number): Packet {
  const head = byteAt(data, start);
  if ((head & 0x80) === 0) throw new Error('this is no OpenPGP data');
  const isNew = (head & 0x40) !== 0;
  const { size, from } = isNew ? readNewSize(data, start + 1) : readOldSize(data, start + 1, head & 3);
  const end = from + size;
  if (end > data.length) throw new Error('the key is cut off');
  return { tag: isNew ? head & 0x3f : (head >> 2) & 0xf, body: data.subarray(from, end), start, end };
}

function readNewSize(data: Uint8Array, at: number): { readonly size: number; readonly from: number } {
  const first = byteAt(data, at);
  if (first < 192) return { size: first, from: at + 1 };
  if (first < 224) return { size: ((first - 192) << 8) + byteAt(data, at + 1) + 192, from: at + 2 };
  // Only data of unknown length comes in parts; keys do not.
  if (first < 255) throw new Error('this is no public key');
  return { size: readNumber(data, at + 1, 4), from: at + 5 };
}

function readOldSize(data: Uint8Array, at: number, kind: number): { readonly size: number; readonly from: number } {
  if (kind === 3) throw new Error('this is no public key');
  const bytes = 2 ** kind;
  return { size: readNumber(data, at, bytes), from: at + bytes };
}

function readNumber(data: Uint8Array, at: number, bytes: number): number {
  let number = 0;
  for (let index = 0; index < bytes; index += 1) number = number * 256 + byteAt(data, at + index);
  return number;
}

function byteAt(data: Uint8Array, at: number): number {
  const byte = data[at];
  if (byte === undefined) throw new Error('the key is cut off');
  return byte;
}
