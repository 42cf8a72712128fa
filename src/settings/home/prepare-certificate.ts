import type { KubeApi } from '../../kube/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { secretNames, secretType } from '../home-objects.ts';
import { modifyObject, readObject, type Home } from '../modify-object.ts';
import { encodeSecretText, readSecretData, secretText } from '../object-data.ts';
import { systemRandom } from '../random.ts';

/** How the server gets a certificate where nobody gave it one. */
export interface CertificateMaker {
  make(): { readonly certificate: string; readonly key: string };
  /** Whether a certificate that is stored is one that `make` made, and soon too old. */
  isRenewalDue(certificate: string): boolean;
}

/** What argocd-secret lacks for the server to have a certificate, by key. One that others manage, in a Secret of its own, wins. */
export async function missingCertificate(
  home: Home,
  maker: CertificateMaker,
  present: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, string>>> {
  const certificate = present.get('tls.crt');
  if (certificate && present.get('tls.key') && !maker.isRenewalDue(secretText(certificate))) return {};
  const external = readSecretData(await readObject(home, secretType, secretNames.serverTls));
  if (external.get('tls.crt') && external.get('tls.key')) return {};
  const made = maker.make();
  return { 'tls.crt': encodeSecretText(made.certificate), 'tls.key': encodeSecretText(made.key) };
}

/** Replaces the certificate in argocd-secret when it is due. Safe when several replicas do it at once: one of them wins. */
export async function renewCertificate(api: KubeApi, namespace: string, maker: CertificateMaker): Promise<void> {
  const home: Home = { api, namespace, randomNumber: () => systemRandom.number() };
  await modifyObject(home, {
    type: secretType,
    name: secretNames.main,
    change: async (existing) => {
      if (existing === undefined) return undefined;
      const missing = await missingCertificate(home, maker, readSecretData(existing));
      if (Object.keys(missing).length === 0) return undefined;
      return { ...existing, data: { ...(existing['data'] as JsonObject | undefined), ...missing } };
    },
  });
}
