import { ApiError, Code } from '../../../base/index.ts';
import type { RepositoryCertificate } from '../../../contract/index.ts';
import { fingerprintOf, lineOf, type KnownHostLine } from './known-hosts.ts';
import { parsePemCertificates, summarizeCertificates } from './pem-certificates.ts';

const KNOWN_HOSTS_MAX = 256;
const HOST = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i;

/** A name or an address, with a port only in brackets. */
export function isHostName(name: string): boolean {
  if (name.length > 260) return false;
  const inBrackets = /^\[([^\]]+)\]:\d{1,5}$/.exec(name)?.[1];
  const host = inBrackets ?? name;
  return HOST.test(host) || /^[0-9a-f:]*:[0-9a-f:.]*$/i.test(host);
}

/** Adds a key to the lines. Undefined where it is there already. */
export function addKnownHost(
  lines: KnownHostLine[],
  certificate: RepositoryCertificate,
  upsert: boolean,
): RepositoryCertificate | undefined {
  const { serverName, certSubType } = certificate;
  const wanted = { host: serverName, keyType: certSubType, key: textOf(certificate) };
  const certInfo = /^[a-z0-9@.-]+$/i.test(certSubType) ? fingerprintOf(wanted) : undefined;
  if (certInfo === undefined)
    throw new ApiError(Code.InvalidArgument, `the data for '${serverName}' is no key of the type ${JSON.stringify(certSubType)}`);
  const place = lines.findIndex(({ known }) => known?.host === serverName && known.keyType === certSubType);
  if (lines[place]?.known?.key === wanted.key) return undefined;
  if (place >= 0 && !upsert) {
    const what = `key for '${serverName}' (subtype: '${certSubType}')`;
    throw new ApiError(Code.AlreadyExists, `${what} already exists, and upsert was not specified`);
  }
  if (place >= 0) lines[place] = lineOf(wanted);
  else if (lines.filter(({ known }) => known !== undefined).length >= KNOWN_HOSTS_MAX)
    throw new ApiError(Code.ResourceExhausted, `there are ${KNOWN_HOSTS_MAX} known hosts already`);
  else lines.push(lineOf(wanted));
  return { ...certificate, certInfo };
}

/** Sets the certificates of a server, which count instead of those that the system trusts. Undefined where they are the same. */
export function addTlsCertificate(
  data: Map<string, string>,
  certificate: RepositoryCertificate,
  upsert: boolean,
): RepositoryCertificate | undefined {
  const { serverName } = certificate;
  // Keys of a ConfigMap, and names under which certificates are looked up.
  if (!/^[-._a-zA-Z0-9]+$/.test(serverName)) throw new ApiError(Code.InvalidArgument, `invalid hostname in request: ${serverName}`);
  const text = `${parsePemCertificates(textOf(certificate)).join('\n')}\n`;
  const before = data.get(serverName);
  if (before === text) return undefined;
  if (before !== undefined && !upsert)
    throw new ApiError(Code.AlreadyExists, `TLS certificate for server '${serverName}' already exists, and upsert was not specified`);
  data.set(serverName, text);
  const [first] = summarizeCertificates(text);
  return { ...certificate, certSubType: first?.subType ?? '', certInfo: first?.info ?? '' };
}

/** Bytes are base64 in messages. */
function textOf({ certData }: RepositoryCertificate): string {
  return Buffer.from(certData ?? '', 'base64').toString();
}
