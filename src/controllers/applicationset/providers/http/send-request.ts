import { lookup as lookUp } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { ProviderError } from './provider-error.ts';

export interface TlsTrust {
  /** PEM that is trusted besides the authorities of the machine. */
  readonly certificates: readonly string[];
  readonly insecure: boolean;
  /** For services of the machine itself that hand out credentials. */
  readonly allowLinkLocal?: boolean;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
}

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Connections of one run of a generator. */
export interface Connections {
  send(request: OutgoingRequest): Promise<RawAnswer>;
  close(): void;
}

/** Where a machine keeps what nobody outside may read: the metadata services of clouds are here. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

export function openConnections(
  trust: TlsTrust,
  options: { readonly connectionsMax: number; readonly proxyEnvironment: Readonly<Record<string, string>> },
): Connections {
  const lookup = trust.allowLinkLocal === true ? undefined : checkedLookup;
  const common = {
    keepAlive: true,
    maxSockets: options.connectionsMax,
    proxyEnv: options.proxyEnvironment,
    ...(lookup && { lookup }),
  };
  const ca = trust.certificates.length === 0 ? undefined : [...getCACertificates('default'), ...trust.certificates];
  const http = new HttpAgent(common);
  const https = new HttpsAgent({ ...common, rejectUnauthorized: !trust.insecure, ...(ca && { ca }) });
  return {
    async send({ url, method, headers, body, bodyBytesMax, signal }) {
      if (trust.allowLinkLocal !== true) checkAddress(url.hostname.replace(/^\[|\]$/g, ''));
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          signal,
        };
        const outgoing =
          url.protocol === 'https:'
            ? requestHttps(url, { ...options, agent: https }, resolve)
            : requestHttp(url, { ...options, agent: http }, resolve);
        outgoing.on('error', reject);
        outgoing.end(body);
      });
      const content = await readBounded(answer, bodyBytesMax);
      return { status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? '', headers: answer.headers, body: content };
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

async function readBounded(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > bytesMax) {
      answer.destroy();
      throw new ProviderError(`the answer is larger than ${bytesMax} bytes`, { status: 400 });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** It is the address that counts, not the name that led to it. */
const checkedLookup: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, '', 0);
    try {
      for (const { address } of addresses) checkAddress(address);
    } catch (refused) {
      return done(refused as Error, '', 0);
    }
    if (options.all === true) return done(null, addresses);
    return done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
  });
};

function checkAddress(address: string): void {
  const family = isIP(address);
  if (family !== 0 && linkLocal.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    throw new ProviderError('addresses of the local link are not allowed', { status: 400 });
}
