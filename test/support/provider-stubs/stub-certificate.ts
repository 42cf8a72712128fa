import { createServerCertificate } from '../../../src/server/index.ts';

/** A self-signed certificate for this machine, and its key, as PEM. */
export function createStubCertificate(): ReturnType<typeof createServerCertificate> {
  return createServerCertificate('127.0.0.1', new Date());
}
