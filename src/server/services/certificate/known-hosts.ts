import { createHash } from 'node:crypto';

/** A line of a file of known hosts that names one key. */
export interface KnownHost {
  /** As the file writes it: `host`, or `[host]:port`. */
  readonly host: string;
  /** For example `ssh-ed25519`. */
  readonly keyType: string;
  /** Base64. */
  readonly key: string;
}

/** A line as it stands; without a host where it says something that only its writer understands, which is kept as it is. */
export interface KnownHostLine {
  readonly text: string;
  readonly known: KnownHost | undefined;
}

export function parseKnownHosts(text: string): KnownHostLine[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => ({ text: line, known: parseLine(line) }));
}

export function formatKnownHosts(lines: readonly KnownHostLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

export function lineOf(known: KnownHost): KnownHostLine {
  return { text: `${known.host} ${known.keyType} ${known.key}`, known };
}

/** The fingerprint without its prefix; undefined for what is no key of this type. */
export function fingerprintOf({ keyType, key }: KnownHost): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return undefined;
  const blob = Buffer.from(key, 'base64');
  // A key begins with the length and the name of its type.
  const isOfType = blob.length > 4 && blob.readUInt32BE(0) === keyType.length && blob.toString('latin1', 4, 4 + keyType.length) === keyType;
  return isOfType ? createHash('sha256').update(blob).digest('base64').replace(/=+$/, '') : undefined;
}

/** Comments, blank lines, and lines with markers name no key that is trusted for a host. */
function parseLine(line: string): KnownHost | undefined {
  const [host = '', keyType = '', key = ''] = line.trim().split(/\s+/);
  return key === '' || host.startsWith('#') || host.startsWith('@') ? undefined : { host, keyType, key };
}
