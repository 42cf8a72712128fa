import { systemClock, systemTimers, type Logger } from '../base/index.ts';
import { isLoopback, type UpOptions } from '../cli/index.ts';
import { createServerCertificate, isRenewalDue, type TlsOptions } from '../server/index.ts';
import { renewCertificate, type CertificateMaker, type Settings } from '../settings/index.ts';
import type { Component } from './control-plane.ts';
import type { Home } from './home.ts';

const renewalCheckMs = 6 * 60 * 60 * 1000;

/** With `auto`, what only this machine can reach needs no encryption. */
export function isTlsOn({ tls, listen }: UpOptions): boolean {
  return tls === 'on' || (tls === 'auto' && !isLoopback(listen.host));
}

/** What makes the server's certificate; undefined where it needs none, or was given one in files. */
export function chooseCertificateMaker(options: UpOptions): CertificateMaker | undefined {
  if (!isTlsOn(options) || options.tlsCert !== undefined) return undefined;
  const now = () => new Date(systemClock.nowMs());
  return {
    make: () => createServerCertificate(options.listen.host, now()),
    isRenewalDue: (certificate) => isRenewalDue(certificate, now()),
  };
}

/** The certificate of the files that were given, or else the one of the home. */
export function chooseTls(options: UpOptions, settings: Settings): TlsOptions {
  const { tlsCert, tlsKey } = options;
  if (!isTlsOn(options)) return { mode: 'off' };
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { mode: 'on', certificate: { kind: 'files', certificateFile: tlsCert, keyFile: tlsKey } };
  }
  return { mode: 'on', certificate: { kind: 'provided', read: () => readStored(settings) } };
}

function readStored(settings: Settings): { certificate: string; key: string } {
  const stored = settings.current.certificate;
  if (stored === undefined) throw new Error('the Secret argocd-secret has no tls.crt with tls.key');
  return { certificate: stored.certificate, key: stored.key.reveal() };
}

/** Replaces a certificate of our own before it expires. */
export function createCertificateRenewal(home: Home, maker: CertificateMaker, log: Logger): Component {
  let cancel: () => void = () => undefined;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    try {
      await renewCertificate(home.api, home.namespace, maker);
    } catch (error) {
      log.warn('the certificate could not be renewed', { error });
    }
  };
  const checkLater = (): void => {
    cancel = systemTimers.schedule(renewalCheckMs, () => {
      renewing = renew();
      checkLater();
    });
  };
  return {
    name: 'certificate renewal',
    start: checkLater,
    async stop() {
      cancel();
      await renewing;
    },
  };
}
