import { Buffer } from 'node:buffer';

/** Below this length a loop over the characters is quicker than a call into the runtime. */
const SHORT_TEXT = 40;
/** What is kept between two messages; a larger buffer is given away with its message. */
const KEPT_BYTES_MAX = 1 << 20;
const FIRST_BYTES = 1 << 14;

/**
 * Writes protobuf from the end to the beginning: when a message's length is due, its bytes are already there,
 * so nothing is measured beforehand or moved afterwards. Call its methods in reverse order of the wire.
 */
export class Writer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** The largest buffer that was small enough to be kept. */
  #kept = this.#buffer;
  #position = FIRST_BYTES;
  /** What the last message that was too large to keep its buffer took: mostly another like it follows. */
  #largeBytes = 0;

  /** How many bytes were written so far. */
  get used(): number {
    return this.#buffer.length - this.#position;
  }

  /** Forgets what was written. */
  reset(): void {
    this.#position = this.#buffer.length;
  }

  /** What was written, as bytes of the caller's own; the writer is empty again. */
  take(): Uint8Array {
    const buffer = this.#buffer;
    const written = buffer.subarray(this.#position);
    if (buffer.length > KEPT_BYTES_MAX) {
      this.#buffer = this.#kept;
      this.reset();
      this.#largeBytes = written.length + (written.length >>> 4);
      // Almost full: not worth a copy. Otherwise a copy, so that the caller does not hold twice what it needs.
      return written.length > buffer.length * 0.75 ? written : Uint8Array.prototype.slice.call(written);
    }
    this.reset();
    return Uint8Array.prototype.slice.call(written);
  }

  /** An unsigned number below 2^32. */
  uint32(value: number): void {
    if (this.#position < 5) this.#grow(5);
    const buffer = this.#buffer;
    if (value < 0x80) {
      buffer[--this.#position] = value;
      return;
    }
    let at = (this.#position -= value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5);
    while (value > 0x7f) {
      buffer[at++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    buffer[at] = value;
  }

  /** A whole number that JavaScript can hold exactly. Negative numbers take ten bytes, as protobuf wants it. */
  int64(value: number): void {
    if (value >= 0 && value <= 0xffff_ffff) {
      this.uint32(value);
      return;
    }
    if (this.#position < 10) this.#grow(10);
    let low = value >>> 0;
    let high = Math.floor(value / 0x1_0000_0000) >>> 0;
    const size = Math.ceil((64 - Math.clz32(high)) / 7);
    const buffer = this.#buffer;
    let at = (this.#position -= size);
    for (let rest = size; rest > 1; rest--) {
      buffer[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    buffer[at] = low & 0x7f;
  }

  /** A string with its length in front. */
  string(text: string): void {
    const length = text.length;
    if (length < SHORT_TEXT) {
      if (this.#position < SHORT_TEXT) this.#grow(SHORT_TEXT);
      const buffer = this.#buffer;
      const start = this.#position - length;
      let index = 0;
      for (; index < length; index++) {
        const code = text.charCodeAt(index);
        if (code > 0x7f) break;
        buffer[start + index] = code;
      }
      if (index === length) {
        this.#position = start;
        this.uint32(length);
        return;
      }
    }
    const size = Buffer.byteLength(text);
    if (this.#position < size) this.#grow(size);
    this.#position -= size;
    // Without a character beyond ASCII, the bytes are the characters.
    if (size === length) this.#buffer.write(text, this.#position, size, 'latin1');
    else this.#buffer.write(text, this.#position, size, 'utf8');
    this.uint32(size);
  }

  /** Bytes with their length in front. */
  bytes(bytes: Uint8Array): void {
    const size = bytes.length;
    if (this.#position < size) this.#grow(size);
    this.#position -= size;
    this.#buffer.set(bytes, this.#position);
    this.uint32(size);
  }

  #grow(needed: number): void {
    const old = this.#buffer;
    const used = this.used;
    const likely = old.length < KEPT_BYTES_MAX ? 0 : this.#largeBytes;
    const size = Math.max(old.length * 2, likely, used + needed + FIRST_BYTES);
    this.#buffer = Buffer.allocUnsafeSlow(size);
    if (size <= KEPT_BYTES_MAX) this.#kept = this.#buffer;
    this.#position = size - used;
    old.copy(this.#buffer, this.#position, old.length - used);
  }
}
