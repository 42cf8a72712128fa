import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSelfSigned } from './self-signed.ts';
import { createServerCertificate, isRenewalDue } from './server-certificate.ts';

const now = new Date('2026-01-01T00:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);

describe('a certificate for a server', () => {
  it.each(['fairway.example', '0.0.0.0', '::1'])('that listens on %s is good for loopback', (host) => {
    const certificate = new X509Certificate(createServerCertificate(host, now).certificate);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('0.0.0.0')).toBeUndefined();
  });

  it('is good for the name that it listens on', () => {
    const certificate = new X509Certificate(createServerCertificate('fairway.example', now).certificate);
    expect(certificate.checkHost('fairway.example')).toBe('fairway.example');
  });

  it('is due for renewal in its last week, and for ever after', () => {
    const { certificate } = createSelfSigned(['x'], now);
    expect([1, 357, 359, 366, 1_000].map((days) => isRenewalDue(certificate, later(days)))).toEqual([false, false, true, true, true]);
  });

  it('is left to its owner when it is not ours', () => {
    expect(isRenewalDue('not a certificate', later(1_000))).toBe(false);
  });
});
