import { openEmbeddedScene } from '../../conformance/contract/embedded-scene.ts';
import { CONTRACT_REQUESTS, type Changed } from '../../conformance/contract/requests.ts';
import type { ContractScene } from '../../conformance/contract/scene.ts';
import { connectToFairway } from '../../support/connect-to-fairway.ts';
import { kinds } from '../../support/kinds.ts';
import { signInAsAdmin } from '../../support/rest-caller.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { collectingEnvironment } from '../../support/level/process-level.ts';

const ACCOUNT = 'fuzzer';

export interface FuzzScene extends ContractScene {
  /** One that is valid, of an account that may do everything. Asked for by many at once, it is made once. */
  issueToken(): Promise<string>;
  /** Puts back what requests took away, as far as it can be put back. */
  mend(): Promise<void>;
}

/**
 * Everything that there may be, and an account of its own that may do everything: the administrator would change their own password sooner or
 * later, and from then on all would be asked by nobody.
 */
export async function openFuzzScene(): Promise<FuzzScene> {
  const scene = await openEmbeddedScene({ env: collectingEnvironment });
  try {
    await allowEverything(scene);
    const admin = await signInAsAdmin(scene.fairway);
    let issuing: Promise<string> | undefined;
    const issue = (): Promise<string> =>
      waitUntil(async () => (await admin('POST', `/api/v1/account/${ACCOUNT}/token`, {})).json['token'] as string | undefined);
    return {
      ...scene,
      issueToken: () =>
        (issuing ??= issue().finally(() => {
          issuing = undefined;
        })),
      async mend() {
        const changes = new Set(Object.values(CONTRACT_REQUESTS).map((request) => request.changes));
        // What was made into something else may stand in the way; the next time it may be gone.
        for (const changed of changes) if (changed !== undefined) await scene.restore(changed satisfies Changed).catch(() => undefined);
      },
    };
  } catch (error) {
    await scene.close();
    throw error;
  }
}

async function allowEverything({ fairway }: ContractScene): Promise<void> {
  const api = await connectToFairway(fairway);
  try {
    const place = { namespace: 'argocd', name: 'argocd-rbac-cm' };
    const { data } = (await api.get(kinds.configMap, place)) as { data?: Readonly<Record<string, string>> };
    const policy = `${data?.['policy.csv'] ?? ''}\ng, ${ACCOUNT}, role:admin\n`;
    await api.patch(kinds.configMap, place, { type: 'merge', body: { data: { 'policy.csv': policy } } });
    const accounts = { [`accounts.${ACCOUNT}`]: 'apiKey' };
    await api.patch(kinds.configMap, { ...place, name: 'argocd-cm' }, { type: 'merge', body: { data: accounts } });
  } finally {
    await api.close();
  }
}
