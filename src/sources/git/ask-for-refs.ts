import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ApiError, Code, LruMap, trimEndOf } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { HttpAnswer, HttpGet } from '../http/http-request.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { authorizationHeader } from './git-access.ts';
import { GitError } from './git.ts';
import type { GitUrl } from './git-url.ts';
import { formatLsRefs, readConversation, readRefs, withoutServiceLine } from './ls-refs.ts';
import type { GitRef } from './resolve-revision.ts';

export interface AskForRefsOptions {
  /** What the names start with; those that only start so are in the answer too. */
  readonly prefixes: readonly string[];
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a server for some of its refs without starting a program: that is what is asked most often by far, and the program costs more
 * than all the rest. Undefined where git itself has to be asked: it knows older servers, and says what is wrong.
 */
export type AskForRefs = (access: RepositoryAccess, url: GitUrl, options: AskForRefsOptions) => Promise<GitRef[] | undefined>;

/** What is known of a server: how it names objects, or that it is not for us. */
type Known = { readonly atMs: number } & ({ readonly objectFormat: string } | { readonly isLeftToGit: true });

const KNOWN_MAX = 10_000;
/** Servers are replaced by others now and then. */
const KNOWN_MS = 10 * 60_000;
const CAPABILITIES_BYTES_MAX = 64 << 10;
const REFS_BYTES_MAX = 128 << 20;
const SERVICE = 'git-upload-pack';
const VERSION_2 = { 'git-protocol': 'version=2' };

export function createAskForRefs({ get, clock }: { readonly get: HttpGet; readonly clock: Clock }): AskForRefs {
  const servers = new LruMap<string, Known>(KNOWN_MAX);

  function knownOf(key: string): Known | undefined {
    const known = servers.get(key);
    return known === undefined || clock.nowMs() - known.atMs > KNOWN_MS ? undefined : known;
  }

  return async (access, url, { prefixes, limitMs, signal }) => {
    if ((url.transport !== 'http' && url.transport !== 'https') || url.url.includes('?')) return undefined;
    const key = `${url.url}\0${access.owner}`;
    const known = knownOf(key);
    if (known !== undefined && 'isLeftToGit' in known) return undefined;
    const startMs = clock.nowMs();
    const agent = new (url.transport === 'https' ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    const place = trimEndOf(url.url, '/');
    const authorization = authorizationHeader(access, url);
    const request = { access, authorization, withCertificate: true, followsRedirects: false, agent, limitMs, signal };
    const ask = async (objectFormat: string): Promise<GitRef[] | undefined> => {
      const body = { type: `application/x-${SERVICE}-request`, text: formatLsRefs(prefixes, objectFormat) };
      const headers = { ...VERSION_2, accept: `application/x-${SERVICE}-result` };
      const leftMs = Math.max(1, limitMs - (clock.nowMs() - startMs));
      const answer = await get({ ...request, url: `${place}/${SERVICE}`, headers, body, bytesMax: REFS_BYTES_MAX, limitMs: leftMs });
      const isResult = answer.status === 200 && String(answer.headers['content-type']).startsWith(`application/x-${SERVICE}-result`);
      return isResult ? readRefs(answer.body) : undefined;
    };
    try {
      let objectFormat = known?.objectFormat;
      if (objectFormat === undefined) {
        const address = `${place}/info/refs?service=${SERVICE}`;
        const answer = await get({ ...request, url: address, headers: VERSION_2, bytesMax: CAPABILITIES_BYTES_MAX });
        objectFormat = readObjectFormat(answer);
        if (answer.status === 200 && objectFormat === undefined) servers.set(key, { atMs: clock.nowMs(), isLeftToGit: true });
        if (objectFormat === undefined) return undefined;
        servers.set(key, { atMs: clock.nowMs(), objectFormat });
      }
      const refs = await ask(objectFormat);
      if (refs === undefined) servers.delete(key);
      return refs;
    } catch (error) {
      servers.delete(key);
      if (!(error instanceof ApiError) || error.code === Code.Canceled) throw error;
      // It was given its time already.
      if (error.message.endsWith('context deadline exceeded'))
        throw new GitError(`"${url.url}/info/refs?service=${SERVICE}": context deadline exceeded`, '');
      return undefined;
    } finally {
      agent.destroy();
    }
  };
}

/** Undefined where the server does not know version 2, or did not answer at all. */
function readObjectFormat({ status, headers, body }: HttpAnswer): string | undefined {
  if (status !== 200 || !String(headers['content-type']).startsWith(`application/x-${SERVICE}-advertisement`)) return undefined;
  const conversation = readConversation(withoutServiceLine(body));
  return conversation.state === 'ready' ? conversation.objectFormat : undefined;
}
