import { X509Certificate } from 'node:crypto';
import { ApiError, Code } from '../../../base/index.ts';
import { formatTime } from '../../../objects/index.ts';

const CERTIFICATES_MAX = 256;
const LINES_MAX = 128;
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** What a certificate says about itself. */
export interface CertificateSummary {
  /** The algorithm of its key, or `invalid`. */
  readonly subType: string;
  /** Its subject, or what is wrong with it. */
  readonly info: string;
  /** Who signed it; only of one that can be read, as what follows. */
  readonly issuer?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
}

/** The PEM blocks of a text, each of which must be a certificate. */
export function parsePemCertificates(text: string): readonly string[] {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new ApiError(Code.InvalidArgument, 'no valid PEM data received');
  if (blocks.length > CERTIFICATES_MAX) throw new ApiError(Code.InvalidArgument, `more than ${CERTIFICATES_MAX} certificates`);
  for (const block of blocks) {
    if (block.split('\n').length > LINES_MAX) throw new ApiError(Code.InvalidArgument, 'could not decode PEM data from input');
    if (parseCertificate(block) === undefined) throw new ApiError(Code.InvalidArgument, 'could not parse X509 data from input');
  }
  return blocks;
}

export function summarizeCertificates(text: string): readonly CertificateSummary[] {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return [{ subType: 'invalid', info: 'could not decode PEM data from input' }];
  return blocks.slice(0, CERTIFICATES_MAX).map((block) => {
    const certificate = parseCertificate(block);
    if (certificate === undefined) return { subType: 'invalid', info: 'could not parse X509 data from input' };
    const { asymmetricKeyType = 'unknown' } = certificate.publicKey;
    return {
      subType: asymmetricKeyType === 'ec' ? 'ecdsa' : asymmetricKeyType,
      info: formatName(certificate.subject),
      issuer: formatName(certificate.issuer),
      notBefore: formatTime(certificate.validFromDate.getTime()),
      notAfter: formatTime(certificate.validToDate.getTime()),
    };
  });
}

/** The most particular part stands first. A name may be empty, whatever its type says. */
function formatName(name: string | undefined): string {
  return (name ?? '').split('\n').toReversed().join(',');
}

function parseCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    // The caller says so; what the parser says is no help.
    return undefined;
  }
}
