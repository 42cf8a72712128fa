/** What stands in a repository instead of a large file. */
export interface LfsPointer {
  /** SHA-256 in hexadecimal digits. */
  readonly oid: string;
  readonly sizeBytes: number;
}

/** A pointer is never larger. */
export const pointerBytesMax = 1024;

/** Reads a file that may be a pointer: lines of a key and a value, the version first. */
export function parsePointer(content: Buffer): LfsPointer | undefined {
  if (content.length > pointerBytesMax || content.length < 100) return undefined;
  const lines = content.toString('utf8').split('\n');
  if (!/^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1$/.test(lines[0] ?? '')) return undefined;
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  const oid = /^sha256:([0-9a-f]{64})$/.exec(fields.get('oid') ?? '')?.[1];
  const size = fields.get('size') ?? '';
  if (oid === undefined || !/^\d{1,15}$/.test(size)) return undefined;
  return { oid, sizeBytes: Number(size) };
}
