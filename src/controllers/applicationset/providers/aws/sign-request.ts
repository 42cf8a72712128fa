import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface AwsRequest {
  readonly url: URL;
  readonly method: string;
  /** Lower-case names; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SigningScope {
  readonly credentials: AwsCredentials;
  readonly region: string;
  readonly service: string;
  readonly nowMs: number;
}

/** The headers that a request to AWS needs besides its own (Signature Version 4). */
export function signAwsRequest(request: AwsRequest, { credentials, region, service, nowMs }: SigningScope): Record<string, string> {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const added = {
    'x-amz-date': time,
    ...(credentials.sessionToken !== '' && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const headers: Record<string, string> = { ...request.headers, ...added, host: request.url.host };
  const names = Object.keys(headers).toSorted();
  const canonical = [
    request.method,
    request.url.pathname,
    formatQuery(request.url.searchParams),
    ...names.map((name) => `${name}:${headers[name]?.trim().replaceAll(/\s+/g, ' ') ?? ''}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...added, authorization };
}

function formatQuery(query: URLSearchParams): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
