const BLOCK = 512;
const NAME_BYTES_MAX = 100;
const TYPES = { file: '0', symlink: '2', folder: '5', more: 'x' } as const;

export interface TarEntry {
  /** From the root of the archive, without a slash at its end. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symlink';
  readonly sizeBytes: number;
  readonly isExecutable: boolean;
  /** Of a symbolic link. */
  readonly target?: string;
}

/** What stands before the contents of an entry. Owners and times are left out: the same files give the same archive. */
export function formatTarHeader(entry: TarEntry): Buffer {
  const { kind, sizeBytes, isExecutable, target = '' } = entry;
  const path = kind === 'folder' ? `${entry.path}/` : entry.path;
  const records = [...paxRecord('path', path), ...paxRecord('linkpath', target)].join('');
  const mode = kind === 'folder' || isExecutable ? 0o755 : 0o644;
  const own = formatBlock({ path, target, sizeBytes, mode, type: TYPES[kind] });
  if (records === '') return own;
  const text = Buffer.from(records, 'utf8');
  const more = formatBlock({ path: 'more', target: '', sizeBytes: text.length, mode: 0o644, type: TYPES.more });
  return Buffer.concat([more, text, paddingAfter(text.length), own]);
}

/** What fills up the last block of an entry. */
export function paddingAfter(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK - (sizeBytes % BLOCK)) % BLOCK);
}

/** What stands at the end of an archive. */
export function formatTarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK);
}

/** A value that does not fit into a header stands before it, with its own length in front of it. */
function paxRecord(name: string, value: string): string[] {
  const bytes = Buffer.byteLength(value);
  if (bytes <= NAME_BYTES_MAX && bytes === value.length) return [];
  const rest = ` ${name}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length = String(length).length + Buffer.byteLength(rest);
  return [`${length}${rest}`];
}

interface Block {
  readonly path: string;
  readonly target: string;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly type: string;
}

function formatBlock({ path, target, sizeBytes, mode, type }: Block): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(cut(path), 0, NAME_BYTES_MAX, 'utf8');
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(sizeBytes, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(type, 156);
  block.write(cut(target), 157, NAME_BYTES_MAX, 'utf8');
  block.write('ustar\x0000', 257, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** In a header of its own the whole name stands before it; here only what fits. */
function cut(text: string): string {
  return text.slice(0, NAME_BYTES_MAX);
}
