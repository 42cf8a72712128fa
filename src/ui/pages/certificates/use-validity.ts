import { useQuery } from '@tanstack/react-query';
import type { RepositoryCertificate } from '../../../contract/gen/types.ts';
import { getJson, isRecord } from '../../api/index.ts';

/** Who signed a certificate, and when it counts. */
export interface Validity {
  readonly serverName: string;
  readonly issuer?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
}

/** The same of each TLS certificate in a list; nothing of what has no such times, or while it is not known. */
export function useValidity(certificates: readonly RepositoryCertificate[]): readonly (Validity | undefined)[] {
  const { data = [] } = useQuery({
    queryKey: ['certificates', 'validity'],
    queryFn: async ({ signal }) => {
      const answer = await getJson('/api/fairway/v1/certificates', { signal });
      return isRecord(answer) && Array.isArray(answer['items']) ? (answer['items'] as readonly Validity[]) : [];
    },
  });
  return pairByServer(certificates, data);
}

/** Both lists have the certificates of a server in the same order. */
export function pairByServer(
  certificates: readonly RepositoryCertificate[],
  validities: readonly Validity[],
): readonly (Validity | undefined)[] {
  const waiting = Map.groupBy(validities, ({ serverName }) => serverName);
  return certificates.map(({ serverName, certType }) => (certType === 'https' ? waiting.get(serverName)?.shift() : undefined));
}
