const NEWLINE = 0x0a;

export interface LineSplitter {
  /** The lines that are complete now, without their newline; empty ones are left out. */
  push(chunk: Buffer): Buffer[];
  /** Bytes of a line that has not ended. */
  pendingBytes(): number;
}

/** Cuts bytes into lines wherever the chunks happen to end. A long line is put together once, when its end is there. */
export function createLineSplitter(): LineSplitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  return {
    pendingBytes: () => pendingBytes,
    push: (chunk) => {
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const tail = chunk.subarray(start, end);
        const line = pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
        if (line.length > 0) lines.push(line);
        pending = [];
        pendingBytes = 0;
        start = end + 1;
      }
      if (start < chunk.length) {
        pending.push(chunk.subarray(start));
        pendingBytes += chunk.length - start;
      }
      return lines;
    },
  };
}
