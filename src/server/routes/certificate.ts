import type { Policy } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import { requireAllowed } from '../services/authorise.ts';
import { summarizeCertificates } from '../services/certificate/pem-certificates.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

export interface CertificateRoutesOptions {
  readonly policy: Policy;
  readonly settings: { readonly current: Pick<Snapshot, 'tlsCertificates'> };
  readonly authenticate: Authenticate;
}

/** Who signed the certificates that repositories are trusted by, and until when they count: the API that we share with others only tells whose they are. */
export function createCertificateRoutes({ policy, settings, authenticate }: CertificateRoutesOptions): PlainRoute[] {
  async function answer(request: HttpRequest): Promise<HttpReply> {
    const caller = await authenticate(findRestToken({ header: (name) => request.headers[name] }));
    if (caller === undefined) throw new ApiError(Code.Unauthenticated, 'no session information');
    requireAllowed(policy, { caller }, { resource: 'certificates', action: 'get', object: '' });
    // Within a server in the order in which the shared API lists them, too.
    const items = [...settings.current.tlsCertificates].flatMap(([serverName, text]) =>
      summarizeCertificates(text).map(({ info: subject, issuer, notBefore, notAfter }) => ({
        serverName,
        subject,
        issuer,
        notBefore,
        notAfter,
      })),
    );
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body: JSON.stringify({ items }) };
  }
  return [{ path: '/api/fairway/v1/certificates', verbs: ['GET'], handler: answer }];
}
