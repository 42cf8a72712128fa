import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import type { CertificatePair } from './certificate.ts';
import { createSelfSigned } from './self-signed.ts';

/** A certificate of our own is replaced when it has less than this left. */
const RENEW_BEFORE_MS = 7 * 86_400_000;

/** A self-signed certificate for a server that listens on `host`: for that name, this machine's, and loopback. */
export function createServerCertificate(host: string, now: Date): CertificatePair {
  const isAddressOfAll = host === '0.0.0.0' || host === '::' || host === '';
  return createSelfSigned([...new Set(['localhost', '127.0.0.1', '::1', isAddressOfAll ? hostname() : host])], now);
}

/** Whether a certificate is one of our own that expires soon. Others are their owners' to renew. */
export function isRenewalDue(certificate: string, now: Date): boolean {
  try {
    const { subject, issuer, validToDate } = new X509Certificate(certificate);
    return subject === 'O=Fairway' && issuer === subject && validToDate.getTime() - now.getTime() < RENEW_BEFORE_MS;
  } catch {
    // Damaged, so not known to be ours: using it says what is wrong.
    return false;
  }
}
