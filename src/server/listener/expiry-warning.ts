import { X509Certificate } from 'node:crypto';
import { systemClock, type Logger } from '../../base/index.ts';

const DAY_MS = 86_400_000;
/** One of our own is replaced a week before its end: where this is said of it, it could not be. */
const SOON_MS = 3 * DAY_MS;

/** To be called now and then with the certificate in use: says once a day that its end is near, or past. */
export function createExpiryWarning(log: Logger): (certificate: string) => void {
  let known = '';
  let expiresAtMs = Infinity;
  let saidAtMs = -Infinity;
  return (certificate) => {
    if (certificate !== known) {
      known = certificate;
      expiresAtMs = new X509Certificate(certificate).validToDate.getTime();
      saidAtMs = -Infinity;
    }
    const nowMs = systemClock.nowMs();
    if (expiresAtMs - nowMs > SOON_MS || nowMs - saidAtMs < DAY_MS) return;
    saidAtMs = nowMs;
    const fields = { expiresAt: new Date(expiresAtMs).toISOString() };
    if (expiresAtMs > nowMs) log.warn('the certificate of the server expires soon', fields);
    else log.error('the certificate of the server has expired, clients refuse it', fields);
  };
}
