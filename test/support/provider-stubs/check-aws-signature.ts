import { createHash, createHmac } from 'node:crypto';
import type { StubRequest } from './provider-stub.ts';

/** What is wrong with a signature of AWS (version 4), found by making it anew from what arrived; undefined where nothing is. */
export function checkAwsSignature(request: StubRequest, secrets: Readonly<Record<string, string>>, nowMs: number): string | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, keyId = '', day = '', region = '', service = '', names = '', signature] =
    pattern.exec(request.headers.authorization ?? '') ?? [];
  const secret = secrets[keyId];
  if (signature === undefined || secret === undefined) return 'no signature by a known key';
  const time = String(request.headers['x-amz-date']);
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const signedMs = Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute), Number(second));
  if (!(Math.abs(signedMs - nowMs) < 300_000) || !time.startsWith(day)) return 'the signature is of another time';
  for (const needed of ['host', 'x-amz-date']) if (!names.split(';').includes(needed)) return `${needed} is not signed`;
  const lines = names.split(';').map((name) => `${name}:${String(request.headers[name])}\n`);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const canonical = `${request.method}\n${request.url.pathname}\n${request.url.search.slice(1)}\n${lines.join('')}\n${names}\n${hash(request.body)}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/${service}/aws4_request\n${hash(canonical)}`;
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of [day, region, service, 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex') === signature ? undefined : 'the signature does not match';
}
