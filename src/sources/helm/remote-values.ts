import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError, Code, LruMap, isRecent } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { SourceLimits } from '../limits.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { RenderRequest } from '../sources.ts';

export interface RemoteFile {
  readonly content: Buffer;
  /** Of what is in it. */
  readonly id: string;
}

/** Value files that are fetched from an address, and remembered for as long as a resolved revision is. */
export interface RemoteValues {
  read(url: string, request: Pick<RenderRequest, 'application' | 'hard' | 'signal'>): Promise<RemoteFile>;
}

export interface RemoteValuesOptions {
  readonly get: HttpGet;
  readonly accessTo: (url: string, project: string) => RepositoryAccess;
  readonly limits: SourceLimits;
  readonly clock: Clock;
}

const FILES_MAX = 100;
const FILE_BYTES_MAX = 1 << 20;

export function createRemoteValues({ get, accessTo, limits, clock }: RemoteValuesOptions): RemoteValues {
  const known = new LruMap<string, { readonly file: RemoteFile; readonly atMs: number }>(FILES_MAX);
  const reading = createSingleFlight<RemoteFile>();

  async function fetchFile(url: string, project: string): Promise<RemoteFile> {
    // What is trusted for the host, and its proxy; never credentials: whoever writes an application may name any address.
    const access = { ...accessTo(url, project), url, owner: '' };
    const { status, body } = await get({ url, access, withCertificate: false, bytesMax: FILE_BYTES_MAX, limitMs: limits.listRefsMs });
    const { origin, pathname } = new URL(url);
    if (status !== 200)
      throw new ApiError(Code.Unknown, `failed to fetch ${origin}${pathname} : ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd());
    return { content: body, id: createHash('sha256').update(body).digest('hex') };
  }

  return {
    async read(url, { application: { project }, hard = false, signal }) {
      const key = JSON.stringify([url, project]);
      const before = known.get(key);
      const isKnown = before !== undefined && isRecent(before.atMs, { nowMs: clock.nowMs(), withinMs: limits.revisionMs });
      if (isKnown && !hard) return before.file;
      const start = async (): Promise<RemoteFile> => {
        const atMs = clock.nowMs();
        const file = await fetchFile(url, project);
        known.set(key, { file, atMs });
        return file;
      };
      return await reading.join(key, start, signal);
    },
  };
}
