import type { SourceLimits } from '../limits.ts';
import { sizeOf } from '../size-of.ts';
import type { ArchiveSizes } from '../sources.ts';
import type { ArchiveForm } from './read-archive.ts';

/** Archives are held in memory while they are read. */
const BYTES_MAX = 2 ** 31 - 1;

/** How large an archive may be, packed as well as unpacked, as settings are now. */
export function createArchiveLimit(
  { chartBytesMax }: SourceLimits,
  sizes: (() => ArchiveSizes) | undefined,
): (form: ArchiveForm) => number {
  return (form) => {
    const bytes = sizeOf(sizes?.()[form] ?? '') ?? chartBytesMax;
    return bytes <= 0 ? BYTES_MAX : Math.min(bytes, BYTES_MAX);
  };
}
