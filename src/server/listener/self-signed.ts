import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificatePair } from './certificate.ts';
import { bitString, boolean, integer, objectIdentifier, octetString, sequence, set, tagged, time, utf8String } from './der.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;

/** A certificate that vouches for itself, for the names and addresses given: ECDSA on P-256, organisation Fairway. */
export function createSelfSigned(names: readonly string[], now: Date): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2')); // ECDSA with SHA-256
  const subject = sequence(attribute('2.5.4.10', 'Fairway'));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  // A clock that is a little behind ours should still accept it.
  const validity = sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + VALID_DAYS * DAY_MS)));
  const version3 = tagged(0, integer(Buffer.from([2])));
  const body = sequence(
    version3,
    integer(serial),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(names),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)));
  return { certificate: toPem('CERTIFICATE', certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function attribute(type: string, value: string): Buffer {
  return set(sequence(objectIdentifier(type), utf8String(value)));
}

function extensions(names: readonly string[]): Buffer {
  const digitalSignature = bitString(Buffer.from([0x80]), 7);
  const serverAuthentication = sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'));
  return tagged(
    3,
    sequence(
      extension('2.5.29.19', true, sequence()), // basic constraints: not an authority
      extension('2.5.29.15', true, digitalSignature),
      extension('2.5.29.37', false, serverAuthentication),
      extension('2.5.29.17', false, sequence(...names.map(generalName))),
    ),
  );
}

function extension(type: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(type), ...(isCritical ? [boolean(true)] : []), octetString(value));
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? tagged(2, Buffer.from(name, 'latin1'), 'primitive') : tagged(7, addressBytes(name), 'primitive');
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes every form of an IPv6 address in one way, with at most one `::` in it.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function toPem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;
}
