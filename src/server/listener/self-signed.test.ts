import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSelfSigned } from './self-signed.ts';

const now = new Date('2025-06-01T00:00:00Z');
const names = ['localhost', 'fairway.example', '127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:1.2.3.4'];

describe('createSelfSigned', () => {
  const { certificate: pem, key } = createSelfSigned(names, now);
  const certificate = new X509Certificate(pem);

  it('is a certificate that verifies itself and fits its key', () => {
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
  });

  it('belongs to Fairway, for server authentication, and is no authority', () => {
    expect([certificate.subject, certificate.issuer]).toEqual(['O=Fairway', 'O=Fairway']);
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('holds for every name and address', () => {
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('fairway.example')).toBe('fairway.example');
    expect(certificate.checkHost('other.example')).toBeUndefined();
    for (const address of names.slice(2)) expect(certificate.checkIP(address), address).toBe(address);
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  });

  it('is valid from a day ago for a year, also beyond 2050, where dates are written differently', () => {
    expect([certificate.validFromDate.toISOString(), certificate.validToDate.toISOString()]).toEqual([
      '2025-05-31T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
    ]);
    const late = new X509Certificate(createSelfSigned(['x'], new Date('2049-12-31T12:00:00Z')).certificate);
    expect(late.validToDate.toISOString()).toBe('2050-12-31T12:00:00.000Z');
  });

  it('has another number each time', () => {
    const numbers = Array.from({ length: 20 }, () => new X509Certificate(createSelfSigned(['x'], now).certificate).serialNumber);
    expect(new Set(numbers).size).toBe(20);
  });
});
