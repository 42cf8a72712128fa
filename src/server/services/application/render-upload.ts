import { hash } from 'node:crypto';
import { ApiError, Code, createSemaphore } from '../../../base/index.ts';
import type { ApplicationManifestQueryWithFilesWrapper, ManifestResponse } from '../../../contract/index.ts';
import { parseQuantity, QuantityError, quantityToInteger } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

/** The largest archive that is taken where settings do not say so; they may say less, and a little more: it is held in memory. */
const archiveBytesUsual = 100_000_000;
const archiveBytesMax = 512 << 20;
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
    // Over REST what has to be there may be missing.
    const announced: string = (query as Partial<typeof query>).checksum ?? '';
    const { application } = await findApplication(context, call, { ...query, action: 'get' });
    const rendered = semaphore.tryRun(async () => {
      const upload = await collect(pieces, readLimit(context.settings.current.parameters.uploadArchiveSizeMax));
      const found = hash('sha256', upload, 'hex');
      if (found !== announced.toLowerCase())
        throw new ApiError(Code.InvalidArgument, `file checksum validation error: calc ${found} sent ${announced.slice(0, 64)}`);
      return context.inspector.manifests(application, { upload, signal: call.signal });
    });
    if (rendered === undefined) throw new ApiError(Code.ResourceExhausted, 'too many files are being sent, please try again');
    return rendered;
  };
}

function readLimit(text: string): number {
  try {
    const bytes = Number(quantityToInteger(parseQuantity(text)));
    return bytes <= 0 ? archiveBytesMax : Math.min(bytes, archiveBytesMax);
  } catch (error) {
    if (error instanceof QuantityError) return archiveBytesUsual;
    throw error;
  }
}

async function collect(pieces: AsyncIterator<ApplicationManifestQueryWithFilesWrapper>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    // On the wire as bytes, and here as their base64, as all bytes of the contract are.
    const chunk = Buffer.from(next.value.chunk?.chunk ?? '', 'base64');
    size += chunk.length;
    if (size > bytesMax) throw new ApiError(Code.InvalidArgument, `file exceeded max size of ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
