import { gzipSync } from 'node:zlib';

export interface ArchiveEntry {
  readonly path: string;
  readonly content?: string | Buffer;
  /** Of the header: `0` is a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
  readonly type?: string;
  readonly target?: string;
  /** Instead of the true one. */
  readonly size?: string;
}

/** A tar archive with exactly these entries, however bad they are. */
export function makeTar(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = '0', target = '', size }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write('0000644\0', 100);
    header.write(size ?? bytes.length.toString(8).padStart(11, '0'), 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(target, 157, 100);
    header.write('ustar\u000000', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    const body = Buffer.alloc(Math.ceil(bytes.length / 512) * 512);
    bytes.copy(body);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** The same, packed. */
export function makeTarball(files: Readonly<Record<string, string>> | readonly ArchiveEntry[]): Buffer {
  const entries = Array.isArray(files)
    ? (files as ArchiveEntry[])
    : Object.entries(files).map(([path, content]) => ({ path, content: String(content) }));
  return gzipSync(makeTar(entries));
}
