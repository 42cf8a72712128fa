import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '../../base/index.ts';
import type { CertificateSource } from './certificate.ts';
import { createSelfSigned, type CertificatePair } from './self-signed.ts';

const POLL_MS = 2_000;
/** A certificate of our own is replaced when it has less than this left. */
const RENEW_BEFORE_MS = 7 * 86_400_000;

export interface SecureContextHolder {
  readonly current: SecureContext;
  stop(): void;
}

/** Loads the certificate and keeps it fresh: what changed on disk is read again, and what is bad there changes nothing. */
export async function openSecureContext(source: CertificateSource, log: Logger): Promise<SecureContextHolder> {
  const files =
    source.kind === 'files' ? source : { certificateFile: join(source.folder, 'tls.crt'), keyFile: join(source.folder, 'tls.key') };
  if (source.kind === 'self-signed') await ensureSelfSigned(source, files);
  let seen = await fingerprint(files);
  let current = await load(files);
  const poll = async (): Promise<void> => {
    if (source.kind === 'self-signed') await ensureSelfSigned(source, files);
    const found = await fingerprint(files);
    if (found === seen) return;
    seen = found;
    current = await load(files);
    log.info('the certificate was reloaded');
  };
  let polling = false;
  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    poll()
      .catch((error: unknown) => log.error('the certificate could not be reloaded, the old one stays in use', { error }))
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

interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

async function load({ certificateFile, keyFile }: CertificateFiles): Promise<SecureContext> {
  const [cert, key] = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')]);
  // A key that belongs to another certificate would make every handshake fail; say so now.
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not belong to the certificate');
  return createSecureContext({ cert, key, minVersion: 'TLSv1.2' });
}

/** Changes whenever one of the files does. */
async function fingerprint({ certificateFile, keyFile }: CertificateFiles): Promise<string> {
  const found = await Promise.all([stat(certificateFile), stat(keyFile)]);
  return found.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join(' ');
}

async function ensureSelfSigned({ folder, host }: { folder: string; host: string }, files: CertificateFiles): Promise<void> {
  const now = new Date();
  if (await isUsable(files, now)) return;
  const isAddressOfAll = host === '0.0.0.0' || host === '::' || host === '';
  const names = [...new Set(['localhost', '127.0.0.1', '::1', isAddressOfAll ? hostname() : host])];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await save(files, createSelfSigned(names, now));
}

/** The key first: a certificate without its key is found not usable and made again. */
async function save({ certificateFile, keyFile }: CertificateFiles, pair: CertificatePair): Promise<void> {
  await writeFile(`${keyFile}.new`, pair.key, { mode: 0o600 });
  await writeFile(`${certificateFile}.new`, pair.certificate, { mode: 0o644 });
  await rename(`${keyFile}.new`, keyFile);
  await rename(`${certificateFile}.new`, certificateFile);
}

async function isUsable({ certificateFile, keyFile }: CertificateFiles, now: Date): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(certificateFile));
    const lasts = Date.parse(certificate.validTo) - now.getTime() > RENEW_BEFORE_MS;
    return lasts && certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile)));
  } catch {
    // Not there yet, or damaged: either way a new one is needed.
    return false;
  }
}
