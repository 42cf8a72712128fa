import { hash } from 'node:crypto';
import { ApiError, Code, createSemaphore } from '../../../base/index.ts';
import type { ApplicationManifestQueryWithFilesWrapper, ManifestResponse } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

/** The largest archive that is taken. It is held in memory until it is whole. */
const archiveBytesMax = 100 << 20;
/** How many are taken at once, and how many may wait for that. */
const places = { runningMax: 2, waitingMax: 10 };

type Requests = AsyncIterable<ApplicationManifestQueryWithFilesWrapper>;

/** Renders what files that somebody sends would make of an application: first the query, then a packed folder in pieces. */
export function createUploadRenderer(): (context: ApplicationServiceOptions, requests: Requests, call: Call) => Promise<ManifestResponse> {
  const semaphore = createSemaphore(places);
  return async (context, requests, call) => {
    const pieces = requests[Symbol.asyncIterator]();
    const first = await pieces.next();
    const query = first.done === true ? undefined : first.value.query;
    if (query?.name === undefined || query.name === '')
      throw new ApiError(Code.InvalidArgument, 'error getting query: the first message has no query');
    const { application } = await findApplication(context, call, { ...query, action: 'get' });
    const rendered = semaphore.tryRun(async () => {
      const upload = await collect(pieces);
      const found = hash('sha256', upload, 'hex');
      if (found !== query.checksum.toLowerCase())
        throw new ApiError(Code.InvalidArgument, `file checksum validation error: calc ${found} sent ${query.checksum.slice(0, 64)}`);
      return context.inspector.manifests(application, { upload, signal: call.signal });
    });
    if (rendered === undefined) throw new ApiError(Code.ResourceExhausted, 'too many files are being sent, please try again');
    return rendered;
  };
}

async function collect(pieces: AsyncIterator<ApplicationManifestQueryWithFilesWrapper>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    // On the wire as bytes, and here as their base64, as all bytes of the contract are.
    const chunk = Buffer.from(next.value.chunk?.chunk ?? '', 'base64');
    size += chunk.length;
    if (size > archiveBytesMax) throw new ApiError(Code.InvalidArgument, `file exceeded max size of ${archiveBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
