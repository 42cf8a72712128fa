import { Buffer, isUtf8 } from 'node:buffer';
import { ApiError, Code } from '../../base/index.ts';
import { MESSAGE_DEPTH_MAX } from './json-value.ts';

/** Many times what any request of ours holds. */
const MESSAGES_MAX = 1_000_000;
/** Below this length a loop over the bytes is quicker than a call into the runtime. */
const SHORT_TEXT = 32;
/** A power of two. */
const REMEMBERED_TEXTS = 2048;
const remembered: string[] = Array.from({ length: REMEMBERED_TEXTS }, () => '');

export const WireType = { Varint: 0, Fixed64: 1, Bytes: 2, StartGroup: 3, EndGroup: 4, Fixed32: 5 } as const;

/** Reads protobuf bytes front to back. Whatever is wrong with them is an ApiError that says at which byte. */
export class Reader {
  readonly #buffer: Buffer;
  position = 0;
  /** No read goes beyond it: the end of the innermost message that is being read. */
  end: number;
  #messagesLeft = MESSAGES_MAX;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** To be called for every nested message: an empty one takes two bytes here and fifty in memory. */
  countMessage(): void {
    if (this.#messagesLeft-- === 0) this.fail(`there are more than ${MESSAGES_MAX} messages in one`);
  }

  fail(problem: string): never {
    throw new ApiError(Code.InvalidArgument, `${problem} at byte ${this.position}`);
  }

  /** A number of up to 32 bits, unsigned; what lies above 32 bits is cut off, as protobuf wants it. */
  uint32(): number {
    const buffer = this.#buffer;
    if (this.position >= this.end) this.fail('the message is truncated');
    const first = buffer[this.position++]!;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      if (this.position >= this.end) this.fail('the message is truncated');
      const byte = buffer[this.position++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    return this.fail('a number is longer than ten bytes');
  }

  /** A field's number and wire type. */
  tag(): number {
    const start = this.position;
    const tag = this.uint32();
    if (tag >>> 3 === 0 || this.position - start > 5) this.fail('there is no valid field number');
    return tag;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    if (this.position >= this.end) this.fail('the message is truncated');
    const first = this.#buffer[this.position]!;
    if (first < 0x80) {
      this.position++;
      return first !== 0;
    }
    const { low, high } = this.#varint64();
    return (low | high) !== 0;
  }

  /** A signed number of 64 bits, if JavaScript can hold it exactly. */
  int64(): number {
    if (this.position >= this.end) this.fail('the message is truncated');
    const first = this.#buffer[this.position]!;
    if (first < 0x80) {
      this.position++;
      return first;
    }
    const { low, high } = this.#varint64();
    const value = (high | 0) * 0x1_0000_0000 + low;
    if (!Number.isSafeInteger(value)) this.fail('a number is beyond ±(2^53 - 1), the range of exact numbers in JSON,');
    return value;
  }

  #varint64(): { low: number; high: number } {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.end) this.fail('the message is truncated');
      const byte = this.#buffer[this.position++]!;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28 && shift < 64) high |= bits << (shift - 32);
      if (byte < 0x80) return { low: low >>> 0, high: high >>> 0 };
    }
    return this.fail('a number is longer than ten bytes');
  }

  /** Where the length-prefixed piece that starts here ends. */
  limit(): number {
    const size = this.uint32();
    if (size > this.end - this.position)
      this.fail(`the message is truncated: ${size} bytes are announced, ${this.end - this.position} are left`);
    return this.position + size;
  }

  /**
   * Most short texts of the API are few words over and over (kinds, states, namespaces): each is remembered in one slot of a
   * small table, and met again it is the same string, which is quicker than a new one and keeps lists small in memory.
   */
  string(): string {
    const end = this.limit();
    const start = this.position;
    const length = end - start;
    if (length === 0) return '';
    if (length >= SHORT_TEXT) return this.#text(end);
    const slot = slotOf(this.#buffer, start, length);
    const known = remembered[slot]!;
    if (known.length === length && isSameText(known, this.#buffer, start)) {
      this.position = end;
      return known;
    }
    const text = this.#text(end);
    // Only ASCII has as many characters as bytes, and only there may characters be compared with bytes.
    if (text.length === length) remembered[slot] = text;
    return text;
  }

  #text(end: number): string {
    const start = this.position;
    this.position = end;
    const text = this.#buffer.toString('utf8', start, end);
    // A broken sequence is decoded as U+FFFD; only then is it worth looking whether the sender wrote that character.
    if (text.includes('\uFFFD') && !isUtf8(this.#buffer.subarray(start, end))) this.fail('a string is not valid UTF-8');
    return text;
  }

  /** A view of the bytes, not a copy. */
  bytes(): Buffer {
    const end = this.limit();
    const view = this.#buffer.subarray(this.position, end);
    this.position = end;
    return view;
  }

  /** Passes over the value of a field that is not of interest. */
  skip(tag: number, depth: number): void {
    switch (tag & 7) {
      case WireType.Varint:
        this.uint32();
        return;
      case WireType.Fixed64:
        this.#advance(8);
        return;
      case WireType.Bytes:
        this.position = this.limit();
        return;
      case WireType.StartGroup:
        this.#skipGroup(tag >>> 3, depth);
        return;
      case WireType.Fixed32:
        this.#advance(4);
        return;
      default:
        this.fail('there is no valid wire type');
    }
  }

  #skipGroup(number: number, depth: number): void {
    if (depth >= MESSAGE_DEPTH_MAX) this.fail(`messages are nested more than ${MESSAGE_DEPTH_MAX} deep`);
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) !== WireType.EndGroup) {
        this.skip(tag, depth + 1);
        continue;
      }
      if (tag >>> 3 !== number) this.fail('a group does not end as it began');
      return;
    }
  }

  #advance(size: number): void {
    if (size > this.end - this.position) this.fail('the message is truncated');
    this.position += size;
  }
}

/** A few bytes of a text tell it apart well enough: a slot that is shared only costs the remembering. */
function slotOf(buffer: Buffer, start: number, length: number): number {
  const ends = buffer[start]! + buffer[start + length - 1]! * 127;
  const middle = buffer[start + (length >>> 1)]! * 7 + buffer[start + ((length * 3) >>> 2)]! * 31;
  const sum = ends + middle + length * 61;
  return (sum ^ (sum >>> 11)) & (REMEMBERED_TEXTS - 1);
}

function isSameText(text: string, buffer: Buffer, start: number): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== buffer[start + index]) return false;
  return true;
}
