import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError, Code } from '../../../base/index.ts';
import type { HttpGet } from '../../http/http-request.ts';
import type { SourceLimits } from '../../limits.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import { writeWhole } from '../../write-whole.ts';
import type { LfsServer } from './lfs-server.ts';
import type { LfsPointer } from './parse-pointer.ts';

export interface DownloadOptions {
  readonly get: HttpGet;
  readonly limits: SourceLimits;
  readonly access: RepositoryAccess;
  /** Asked for only where something is missing. */
  readonly findServer: () => Promise<LfsServer>;
  /** Where the objects are kept: with the mirror, so that what one access fetched is not there for another. */
  readonly store: string;
  readonly signal: AbortSignal | undefined;
}

interface Action {
  readonly href: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MEDIA_TYPE = 'application/vnd.git-lfs+json';
const BATCH_MAX = 100;
const BATCH_BYTES_MAX = 4 << 20;

/** Where an object is kept. */
export function placeOfObject(store: string, oid: string): string {
  return join(store, oid.slice(0, 2), oid);
}

/** Gets the objects that are not here yet. Each is what its pointer says, or is refused. */
export async function downloadObjects(options: DownloadOptions, pointers: readonly LfsPointer[]): Promise<void> {
  const missing = new Map(pointers.map((pointer) => [pointer.oid, pointer]));
  for (const [oid, { sizeBytes }] of missing) {
    // One that a machine without power left empty or cut short is not here.
    if (statSync(placeOfObject(options.store, oid), { throwIfNoEntry: false })?.size === sizeBytes) missing.delete(oid);
  }
  if (missing.size === 0) return;
  checkSizes([...missing.values()], options.limits);
  const server = await options.findServer();
  const waiting = [...missing.values()];
  while (waiting.length > 0) {
    const batch = waiting.splice(0, BATCH_MAX);
    const actions = await askForActions(options, server, batch);
    for (const pointer of batch) await downloadObject(options, server, pointer, actions.get(pointer.oid));
  }
}

function checkSizes(pointers: readonly LfsPointer[], { lfsObjectBytesMax, treeBytesMax }: SourceLimits): void {
  const largest = Math.max(...pointers.map((pointer) => pointer.sizeBytes));
  const total = pointers.reduce((sum, pointer) => sum + pointer.sizeBytes, 0);
  if (largest > lfsObjectBytesMax || total > treeBytesMax)
    throw new ApiError(
      Code.ResourceExhausted,
      `the revision has objects of git LFS with more than ${lfsObjectBytesMax} bytes, or more than ${treeBytesMax} in all`,
    );
}

async function askForActions(
  { get, access, limits, signal }: DownloadOptions,
  server: LfsServer,
  batch: readonly LfsPointer[],
): Promise<Map<string, Action>> {
  const objects = batch.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes }));
  const answer = await get({
    url: `${server.url}/objects/batch`,
    access,
    authorization: server.authorization,
    withCertificate: true,
    headers: { ...server.headers, accept: MEDIA_TYPE },
    body: { type: MEDIA_TYPE, text: JSON.stringify({ operation: 'download', transfers: ['basic'], objects }) },
    bytesMax: BATCH_BYTES_MAX,
    limitMs: limits.listRefsMs,
    signal,
  });
  if (answer.status !== 200) throw refuse(`the server answered with the status ${answer.status}`);
  return readActions(answer.body);
}

function readActions(body: Buffer): Map<string, Action> {
  const actions = new Map<string, Action>();
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw refuse('the server did not answer with JSON');
  }
  const objects = field(parsed, 'objects');
  for (const object of Array.isArray(objects) ? objects : []) {
    const oid = field(object, 'oid');
    const download = field(field(object, 'actions'), 'download');
    const href = field(download, 'href');
    if (typeof oid !== 'string' || typeof href !== 'string') continue;
    const given = field(download, 'header');
    const headers = typeof given === 'object' && given !== null ? Object.entries(given) : [];
    const texts = headers.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    actions.set(oid, { href, headers: Object.fromEntries(texts) });
  }
  return actions;
}

async function downloadObject(
  { get, access, limits, signal, store }: DownloadOptions,
  server: LfsServer,
  { oid, sizeBytes }: LfsPointer,
  action: Action | undefined,
): Promise<void> {
  if (action === undefined) throw refuse(`the server does not have the object ${oid}`);
  const address = URL.canParse(action.href) ? new URL(action.href) : undefined;
  if (address === undefined) throw refuse(`the server has no address for the object ${oid}`);
  const isSameOrigin = address.origin === new URL(server.url).origin;
  const signsIn = Object.keys(action.headers).some((name) => name.toLowerCase() === 'authorization');
  const answer = await get({
    url: action.href,
    access: isSameOrigin ? access : { ...access, insecure: false, certificateAuthorities: '' },
    // Credentials of the repository are for its own server only, whatever that says.
    authorization: isSameOrigin && !signsIn ? server.authorization : undefined,
    withCertificate: isSameOrigin,
    headers: action.headers,
    bytesMax: sizeBytes,
    limitMs: limits.toolMs,
    signal,
  });
  if (answer.status !== 200) throw refuse(`the server of the object ${oid} answered with the status ${answer.status}`);
  if (createHash('sha256').update(answer.body).digest('hex') !== oid || answer.body.length !== sizeBytes)
    throw refuse(`the object ${oid} is not what its pointer says`);
  const place = placeOfObject(store, oid);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await writeWhole(place, answer.body);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.Unknown, `git LFS: ${reason}`);
}
