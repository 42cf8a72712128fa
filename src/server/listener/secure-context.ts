import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '../../base/index.ts';
import type { CertificatePair, CertificateSource } from './certificate.ts';
import { createExpiryWarning } from './expiry-warning.ts';

const POLL_MS = 2_000;

export interface SecureContextHolder {
  readonly current: SecureContext;
  stop(): void;
}

/** Loads the certificate and keeps it fresh: what changed at its source is taken, and what is bad there changes nothing. */
export async function openSecureContext(source: CertificateSource, log: Logger): Promise<SecureContextHolder> {
  let seen = await readPair(source);
  let current = load(seen);
  let used = seen.certificate;
  const warnOfExpiry = createExpiryWarning(log);
  warnOfExpiry(used);
  const poll = async (): Promise<void> => {
    const found = await readPair(source);
    if (found.certificate === seen.certificate && found.key === seen.key) return;
    seen = found;
    current = load(found);
    used = found.certificate;
    log.info('the certificate was reloaded');
  };
  let polling = false;
  let failure: string | undefined;
  /** What fails each time, as while a Secret is gone, is said once. */
  const noteFailure = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== failure) log.error('the certificate could not be reloaded, the old one stays in use', { error });
    failure = reason;
  };
  const timer = setInterval(() => {
    warnOfExpiry(used);
    if (polling) return;
    polling = true;
    poll()
      .then(() => (failure = undefined), noteFailure)
      .finally(() => (polling = false));
  }, POLL_MS);
  timer.unref();
  return {
    get current() {
      return current;
    },
    stop: () => clearInterval(timer),
  };
}

async function readPair(source: CertificateSource): Promise<CertificatePair> {
  if (source.kind === 'provided') return source.read();
  const [certificate, key] = await Promise.all([readFile(source.certificateFile, 'utf8'), readFile(source.keyFile, 'utf8')]);
  return { certificate, key };
}

function load({ certificate: cert, key }: CertificatePair): SecureContext {
  // A key that belongs to another certificate would make every handshake fail; say so now.
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not belong to the certificate');
  return createSecureContext({ cert, key, minVersion: 'TLSv1.2' });
}
