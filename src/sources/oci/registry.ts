import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError, Code } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { ArchiveForm } from '../charts/read-archive.ts';
import type { HttpAnswer, HttpGet } from '../http/http-request.ts';
import type { SourceLimits } from '../limits.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { SignInToRegistry } from '../sign-in/sign-in.ts';
import { parseAuthChallenge } from './auth-challenge.ts';
import { readJson } from './read-json.ts';
import { isDigest } from './registry-place.ts';
import type { RegistryPlace } from './registry-place.ts';
import { createRegistryTokens } from './registry-tokens.ts';

export interface RegistryCall {
  readonly access: RepositoryAccess;
  readonly place: RegistryPlace;
  readonly signal?: AbortSignal | undefined;
}

export interface Manifest {
  readonly digest: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

export interface BlobDescriptor {
  readonly digest: string;
  readonly sizeBytes: number;
  /** Whether it is a packed chart, whose files are all in one folder that is left out. */
  readonly isChart: boolean;
}

/** A registry as the distribution specification describes it. What it sends is what its digest says, or it is refused. */
export interface Registry {
  /** Throws where it does not answer, or does not take the credentials. */
  ping(call: RegistryCall): Promise<void>;
  /** All tags, in the order of the registry. */
  tags(call: RegistryCall): Promise<string[]>;
  /** What a tag stands for; a RegistryError with status 404 where there is none. Registries do not count this as a download. */
  digest(call: RegistryCall, tag: string): Promise<string>;
  /** By tag or digest; a RegistryError with status 404 where there is none. */
  manifest(call: RegistryCall, reference: string): Promise<Manifest>;
  blob(call: RegistryCall, descriptor: BlobDescriptor): Promise<Buffer>;
}

/** A registry answered, but not with what was asked for. */
export class RegistryError extends ApiError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(Code.Unknown, message);
    this.status = status;
  }
}

const MANIFEST_BYTES_MAX = 4 << 20;
const TAGS_PAGE_BYTES_MAX = 8 << 20;
const TAGS_PER_PAGE = 1_000;
const PAGES_MAX = 500;
const TAGS_MAX = 200_000;
const MANIFEST_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');

interface Ask extends RegistryCall {
  readonly url: string;
  readonly accept?: string;
  readonly head?: boolean;
  readonly bytesMax: number;
}

export interface RegistryOptions {
  readonly get: HttpGet;
  readonly clock: Clock;
  readonly limits: SourceLimits;
  readonly signIn: SignInToRegistry;
  /** How large an archive may be. */
  readonly bytesMaxOf: (form: ArchiveForm) => number;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { get, limits, signIn, bytesMaxOf } = options;
  const tokens = createRegistryTokens(options);

  /** Asks as it was asked last, and where the registry wants to be asked in another way, in that way, once. */
  async function ask({ access: given, place, signal, url, accept, head = false, bytesMax }: Ask): Promise<HttpAnswer> {
    const access = await signIn(given, place.origin);
    const scope = place.repository === '' ? '' : `repository:${place.repository}:pull`;
    const request = { access, origin: place.origin, scope, limitMs: limits.listRefsMs, signal };
    const headers = accept === undefined ? {} : { accept };
    const send = (authorization: string | undefined): Promise<HttpAnswer> =>
      get({ url, access, authorization, withCertificate: true, headers, head, bytesMax, limitMs: limits.toolMs, signal });
    const answer = await send(tokens.known(request));
    if (answer.status !== 401) return answer;
    const authorization = await tokens.obtain(request, parseAuthChallenge(answer.headers['www-authenticate']));
    return authorization === undefined ? answer : await send(authorization);
  }

  async function askOk(request: Ask): Promise<HttpAnswer> {
    const answer = await ask(request);
    if (answer.status === 200) return answer;
    const url = new URL(request.url);
    const what = describeErrors(answer.body) || STATUS_CODES[answer.status] || 'unknown';
    throw new RegistryError(
      answer.status,
      `${request.head === true ? 'HEAD' : 'GET'} "${url.origin}${url.pathname}": response status code ${answer.status}: ${what}`,
    );
  }

  async function manifest(call: RegistryCall, reference: string): Promise<Manifest> {
    const { body, headers } = await askOk({
      ...call,
      url: manifestUrl(call, reference),
      accept: MANIFEST_TYPES,
      bytesMax: MANIFEST_BYTES_MAX,
    });
    const claimed = isDigest(reference) ? reference : String(headers['docker-content-digest'] ?? '');
    const digest = digestOf(body, claimed.split(':')[0]);
    if (claimed !== '' && claimed !== digest) throw mismatch('manifest', claimed);
    return { digest, mediaType: (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '', body };
  }

  return {
    async ping(call) {
      await askOk({ ...call, url: `${call.place.origin}/v2/`, bytesMax: MANIFEST_BYTES_MAX });
    },
    async tags(call) {
      const list = `${call.place.origin}/v2/${call.place.repository}/tags/list`;
      const tags: string[] = [];
      let url = `${list}?n=${TAGS_PER_PAGE}`;
      for (let page = 1; ; page += 1) {
        const answer = await askOk({ ...call, url, bytesMax: TAGS_PAGE_BYTES_MAX });
        for (const tag of readTags(answer.body)) tags.push(tag);
        const next = nextPage(answer.headers.link, url);
        if (next === undefined) return tags;
        if (page >= PAGES_MAX || tags.length > TAGS_MAX)
          throw new ApiError(
            Code.ResourceExhausted,
            `the registry lists more than ${TAGS_MAX} tags, or more than ${PAGES_MAX} pages of them`,
          );
        if (!next.startsWith(`${list}?`)) throw new ApiError(Code.Unknown, 'the registry continues its list of tags elsewhere');
        url = next;
      }
    },
    async digest(call, tag) {
      const url = manifestUrl(call, tag);
      const { headers } = await askOk({ ...call, url, accept: MANIFEST_TYPES, head: true, bytesMax: MANIFEST_BYTES_MAX });
      const digest = String(headers['docker-content-digest'] ?? '');
      // Not every registry says it.
      return isDigest(digest) ? digest : (await manifest(call, tag)).digest;
    },
    manifest,
    async blob(call, { digest, sizeBytes, isChart }) {
      if (!isDigest(digest)) throw new ApiError(Code.Unknown, 'a layer has no digest that can be checked');
      const bytesMax = bytesMaxOf(isChart ? 'chart' : 'artifact');
      if (sizeBytes > bytesMax) throw new ApiError(Code.ResourceExhausted, `the layer ${digest} is larger than ${bytesMax} bytes`);
      const url = `${call.place.origin}/v2/${call.place.repository}/blobs/${digest}`;
      const { body } = await askOk({ ...call, url, bytesMax: sizeBytes });
      if (body.length !== sizeBytes || digestOf(body, digest.split(':')[0]) !== digest) throw mismatch('layer', digest);
      return body;
    },
  };
}

function manifestUrl({ place }: RegistryCall, reference: string): string {
  return `${place.origin}/v2/${place.repository}/manifests/${encodeURIComponent(reference).replace('%3A', ':')}`;
}

function digestOf(body: Buffer, algorithm: string | undefined): string {
  const name = algorithm === 'sha512' ? 'sha512' : 'sha256';
  return `${name}:${createHash(name).update(body).digest('hex')}`;
}

function mismatch(what: string, digest: string): ApiError {
  return new ApiError(Code.Unknown, `the ${what} that the registry sent is not ${isDigest(digest) ? digest : 'what it says it is'}`);
}

function readTags(body: Buffer): string[] {
  const answer = readJson(body);
  const tags = isJsonObject(answer) ? answer['tags'] : undefined;
  if (tags === null || tags === undefined) return [];
  if (!isJsonArray(tags)) throw new ApiError(Code.Unknown, 'what the registry answers is no list of tags');
  return tags.filter((tag) => typeof tag === 'string');
}

function nextPage(link: string | string[] | undefined, url: string): string | undefined {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(String(link ?? ''))?.[1];
  return target === undefined || !URL.canParse(target, url) ? undefined : new URL(target, url).href;
}

/** Only the codes that the specification has: whatever else is in an answer is not ours to show. */
function describeErrors(body: Buffer): string {
  const answer = body.length > 65_536 ? undefined : readJson(body);
  const errors = isJsonObject(answer) && isJsonArray(answer['errors']) ? answer['errors'] : [];
  return errors
    .flatMap((error) => (isJsonObject(error) && typeof error['code'] === 'string' ? [error['code']] : []))
    .filter((code) => /^[A-Z_]{1,40}$/.test(code))
    .map((code) => code.toLowerCase().replaceAll('_', ' '))
    .slice(0, 5)
    .join(', ');
}
