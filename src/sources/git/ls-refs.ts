/**
 * The part of git's protocol, version 2, that asks a server for some of its refs. Git's own command transfers all of them, whatever it
 * was asked for.
 */
import type { GitRef } from './resolve-revision.ts';

const FLUSH = '0000';
const DELIMITER = '0001';

/** Where a conversation stands, from all that the server has said so far. */
export type Conversation =
  /** More is to come. */
  | { readonly state: 'incomplete' }
  /** It knows version 2 and waits for the request. */
  | { readonly state: 'ready'; readonly objectFormat: string }
  | { readonly state: 'refs'; readonly refs: GitRef[] }
  | { readonly state: 'error'; readonly message: string };

/** A request for the refs whose names start so. */
export function formatLsRefs(prefixes: readonly string[], objectFormat: string): string {
  const lines = prefixes.map((prefix) => `ref-prefix ${prefix}\n`);
  return [
    packet('command=ls-refs\n'),
    packet(`object-format=${objectFormat}\n`),
    DELIMITER,
    ...['peel\n', ...lines].map(packet),
    FLUSH,
  ].join('');
}

/** Reads what a server has said: its capabilities, then its answer; or at once all refs, if it knows only version 0. */
export function readConversation(output: Buffer): Conversation {
  const first = readSection(output, 0);
  if (first === undefined) return { state: 'incomplete' };
  const failure = first.lines.find((line) => line.startsWith('ERR '));
  if (failure !== undefined) return { state: 'error', message: failure.slice(4).trim() };
  if (first.lines[0]?.trim() !== 'version 2') return { state: 'refs', refs: parseAdvertisement(first.lines) };
  const second = readSection(output, first.end);
  if (second !== undefined) return { state: 'refs', refs: second.lines.flatMap(parseRef) };
  const format = first.lines.find((line) => line.startsWith('object-format='))?.slice('object-format='.length);
  return { state: 'ready', objectFormat: format?.trim() ?? 'sha1' };
}

/** The refs in what a server answers to a request alone; undefined where it refuses, or says less than all. */
export function readRefs(answer: Buffer): GitRef[] | undefined {
  const section = readSection(answer, 0);
  return section === undefined || section.lines.some((line) => line.startsWith('ERR ')) ? undefined : section.lines.flatMap(parseRef);
}

/** Over HTTP some servers say first which service answers. */
export function withoutServiceLine(output: Buffer): Buffer {
  const first = readSection(output, 0);
  return first?.lines.length === 1 && first.lines[0]?.startsWith('# service=') === true ? output.subarray(first.end) : output;
}

/** The packets up to the next flush; undefined while some are missing. */
function readSection(bytes: Buffer, from: number): { lines: string[]; end: number } | undefined {
  const lines: string[] = [];
  for (let at = from; at + 4 <= bytes.length;) {
    const size = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(size)) return { lines: [`ERR the server does not speak git's protocol`], end: bytes.length };
    if (size === 0) return { lines, end: at + 4 };
    if (size < 4) {
      at += 4;
      continue;
    }
    if (at + size > bytes.length) return undefined;
    lines.push(bytes.toString('utf8', at + 4, at + size));
    at += size;
  }
  return undefined;
}

function parseRef(line: string): GitRef[] {
  const [id = '', name = '', ...attributes] = line.trimEnd().split(' ');
  if (!/^[0-9a-f]{40,64}$/.test(id)) return [];
  const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'))?.slice('peeled:'.length);
  return [{ name, commit: peeled ?? id, ...(peeled !== undefined && { tagId: id }) }];
}

/** In version 0 the first line carries capabilities, and what a tag points to has a line of its own after it. */
function parseAdvertisement(lines: readonly string[]): GitRef[] {
  const refs = new Map<string, GitRef>();
  for (const line of lines) {
    const [id = '', written = ''] = (line.split('\0')[0] ?? '').trimEnd().split(' ');
    if (!/^[0-9a-f]{40,64}$/.test(id) || written === 'capabilities^{}') continue;
    const name = written.replace(/\^\{\}$/, '');
    refs.set(name, { name, commit: id, ...(name !== written && { tagId: refs.get(name)?.commit ?? '' }) });
  }
  return [...refs.values()];
}

function packet(line: string): string {
  return `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`;
}
