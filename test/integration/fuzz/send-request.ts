import type { ContractAnswer } from '../../support/contract-call.ts';
import { callGrpc, callRoute, toRestCall } from '../../support/contract-call.ts';
import type { GrpcClient } from '../../support/grpc-client.ts';
import type { JsonValue } from '../../../src/contract/index.ts';
import type { FuzzRequest } from './fuzz-request.ts';

export interface Server {
  readonly url: string;
  readonly client: GrpcClient;
  readonly token: string;
}

/** A stream that says nothing is let go soon: there are others to ask. */
const SILENCE_MS = 300;
const LIMIT_MS = 60_000;

/** Sends a request as well as it can be written for its transport, and tells what came back; undefined where it cannot be written at all. */
export async function sendRequest(
  server: Server,
  { method, transport, isKnown, content }: FuzzRequest,
): Promise<ContractAnswer | undefined> {
  const token = isKnown ? server.token : undefined;
  if (content.kind === 'bytes') return sendBytes(server, { method, transport, isKnown, content }, content.value);
  if (transport === 'gRPC') {
    const answer = await callGrpc(server.client, method, content.value, { token, silentAfterMs: SILENCE_MS });
    // What our own codec refuses to write never left; as JSON it can.
    if (!answer.text.startsWith('Request message serialization failure')) return answer;
  }
  const binding = method.http[0];
  if (binding === undefined) return undefined;
  const call = toRestCall(binding, withPathValues(binding.path, content.value));
  return call && callRoute(server.url, call, { token, isStream: method.serverStreaming, silentAfterMs: SILENCE_MS });
}

/** A path needs something in each of its places. */
function withPathValues(path: string, request: FuzzRequest['content']['value'] & object): Record<string, JsonValue> {
  const complete = structuredClone(request) as Record<string, JsonValue>;
  for (const [, name = ''] of path.matchAll(/\{([^}=]+)(?:=\*\*)?\}/g)) {
    let holder = complete;
    const parts = name.split('.');
    for (const part of parts.slice(0, -1)) {
      const inner = holder[part];
      holder = (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : (holder[part] = {})) as typeof complete;
    }
    const last = parts.at(-1) ?? '';
    if (holder[last] === undefined || holder[last] === null || holder[last] === '') holder[last] = 'x';
  }
  return complete;
}

async function sendBytes(server: Server, { method, transport, isKnown }: FuzzRequest, bytes: Uint8Array): Promise<ContractAnswer> {
  const binding = method.http[0];
  const isRest = transport === 'REST' && binding !== undefined;
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, bytes.length]), bytes]);
  const path = isRest ? binding.path.replaceAll(/\{[^}]*\}/g, 'x') : method.path;
  const query = isRest && binding.verb === 'GET' ? `?${encodeURIComponent(Buffer.from(bytes).toString('latin1'))}` : '';
  const over = AbortSignal.timeout(method.serverStreaming ? SILENCE_MS : LIMIT_MS);
  try {
    const answer = await fetch(`${server.url}${path}${query}`, {
      method: isRest ? binding.verb : 'POST',
      headers: {
        'content-type': isRest ? 'application/json' : 'application/grpc-web+proto',
        ...(isKnown && (isRest ? { authorization: `Bearer ${server.token}` } : { token: server.token })),
      },
      ...((!isRest || binding.verb !== 'GET') && { body: isRest ? Uint8Array.from(bytes) : Uint8Array.from(frame) }),
      signal: over,
    });
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    const status = answer.headers.get('grpc-status') ?? /grpc-status: ?(\d+)/i.exec(text)?.[1];
    const code = isRest ? (answer.ok ? 0 : Number(/"code":(\d+)/.exec(text)?.[1] ?? answer.status)) : Number(status ?? 0);
    return { code, text: `${decodeURIComponent(answer.headers.get('grpc-message') ?? '')}${text}` };
  } catch (error) {
    if (over.aborted && method.serverStreaming) return { code: 'silent', text: '' };
    throw error;
  }
}
