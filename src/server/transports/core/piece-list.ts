/** Pieces below this size are copied together. */
const SMALL_BYTES_MAX = 16_384;
const ROOM_BYTES_MIN = 512;
const ROOM_BYTES_MAX = 65_536;

/**
 * The pieces in which something arrives, kept until they are joined. Whoever sends decides how small they are, and each is
 * an object that keeps alive the whole block it was read into: a megabyte in single bytes would take a few hundred.
 */
export class PieceList {
  #pieces: Buffer[] = [];
  /** Where small pieces are copied to, the first `#used` bytes of it; it comes after `#pieces`. */
  #room: Buffer | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(piece: Buffer): void {
    const isFirst = this.#length === 0;
    this.#length += piece.length;
    // The first one is often the only one.
    if (isFirst || piece.length >= SMALL_BYTES_MAX) {
      this.#leaveRoom();
      this.#pieces.push(piece);
      return;
    }
    if (this.#room !== undefined && this.#used + piece.length > this.#room.length) this.#leaveRoom();
    // No larger than what is there already: room must not cost a sender less than it costs us.
    this.#room ??= Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES_MIN, piece.length, Math.min(ROOM_BYTES_MAX, this.#length)));
    this.#used += piece.copy(this.#room, this.#used);
  }

  /** Everything as one buffer. */
  join(): Buffer {
    this.#leaveRoom();
    if (this.#pieces.length !== 1) this.#pieces = [Buffer.concat(this.#pieces, this.#length)];
    return this.#pieces[0]!;
  }

  /** Forgets everything except, if given, `rest`. */
  reset(rest?: Buffer): void {
    this.#pieces = rest === undefined ? [] : [rest];
    this.#length = rest?.length ?? 0;
    this.#room = undefined;
    this.#used = 0;
  }

  #leaveRoom(): void {
    if (this.#room === undefined) return;
    const filled = this.#room.subarray(0, this.#used);
    this.#pieces.push(this.#used < this.#room.length / 2 ? Buffer.from(filled) : filled);
    this.#room = undefined;
    this.#used = 0;
  }
}
