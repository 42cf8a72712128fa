import { readFile, stat } from 'node:fs/promises';
import { ApiError, Code, isRecent } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';

const LOOK_EVERY_MS = 1000;
const SIZE_BYTES_MAX = 4 << 20;

/** A small file whose content may be replaced at any time, as mounted tokens and certificates are. */
export interface WatchedFile {
  /** The content, at most a second old; the last good one where the file cannot be read now. */
  read(): Promise<string>;
  /** Lets the next read look at the file whatever its age. */
  expire(): void;
}

export function watchFile(file: string, clock: Clock): WatchedFile {
  let content: string | undefined;
  let mark = '';
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    // Mounted files are swapped by a link, so it is the file behind it whose number changes.
    const { ino, mtimeMs, size } = await stat(file);
    const found = `${ino} ${mtimeMs} ${size}`;
    if (found === mark) return;
    if (size > SIZE_BYTES_MAX) throw new Error('too large');
    content = await readFile(file, 'utf8');
    mark = found;
  }

  return {
    read: async () => {
      if (content !== undefined && isRecent(lookedAtMs, { nowMs: clock.nowMs(), withinMs: LOOK_EVERY_MS })) return content;
      try {
        await look();
      } catch (error) {
        if (content === undefined) throw new ApiError(Code.Unavailable, `the credentials file ${file} cannot be read`, { cause: error });
      }
      lookedAtMs = clock.nowMs();
      return content ?? '';
    },
    expire: () => {
      lookedAtMs = Number.NEGATIVE_INFINITY;
      mark = '';
    },
  };
}
