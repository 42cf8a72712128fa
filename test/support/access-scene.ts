/** The program with accounts and a policy, and people who call it. */
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { connectToFairway } from './connect-to-fairway.ts';
import { startFairway, type Fairway, type FairwayOptions } from './fairway.ts';
import { kinds } from './kinds.ts';
import { callerWith, signInAsAdmin, type RestCaller } from './rest-caller.ts';
import { waitUntil } from './wait-until.ts';

export interface AccessScene {
  readonly fairway: Fairway;
  readonly home: HttpKubeApi;
  readonly admin: RestCaller;
  /** Changes argocd-cm, argocd-rbac-cm or another ConfigMap of the control plane. */
  configure(name: string, data: Readonly<Record<string, string | null>>): Promise<void>;
  /** A new token of an account, which needs the capability `apiKey`. */
  tokenOf(account: string): Promise<string>;
  callerOf(account: string): Promise<RestCaller>;
  setPassword(account: string, password: string): Promise<void>;
  /** The answer to a try to sign in. */
  signIn(username: string, password: string): Promise<Response>;
  close(): Promise<void>;
}

export async function openAccessScene(
  accounts: Readonly<Record<string, string>>,
  policy: readonly string[] = [],
  options: FairwayOptions = {},
): Promise<AccessScene> {
  await using stack = new AsyncDisposableStack();
  const fairway = await startFairway(options);
  stack.defer(() => fairway.stop());
  const [admin, home] = [await signInAsAdmin(fairway), await connectToFairway(fairway)];
  stack.defer(() => home.close());
  const scene: Omit<AccessScene, 'close'> = {
    fairway,
    home,
    admin,
    async configure(name, data) {
      await home.patch(kinds.configMap, { namespace: 'argocd', name }, { type: 'merge', body: { data } });
    },
    async tokenOf(account) {
      const { status, text, json } = await admin('POST', `/api/v1/account/${account}/token`, {});
      if (status !== 200) throw new Error(`no token for ${account}: ${text}`);
      return String(json['token']);
    },
    callerOf: async (account) => callerWith(fairway, await scene.tokenOf(account)),
    async setPassword(name, newPassword) {
      const body = { name, newPassword, currentPassword: fairway.adminPassword };
      const { status, text } = await admin('PUT', '/api/v1/account/password', body);
      if (status !== 200) throw new Error(`no password for ${name}: ${text}`);
    },
    signIn: (username, password) =>
      fetch(`${fairway.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      }),
  };
  await scene.configure('argocd-cm', Object.fromEntries(Object.entries(accounts).map(([name, can]) => [`accounts.${name}`, can])));
  await scene.configure('argocd-rbac-cm', { 'policy.csv': policy.join('\n') });
  const names = Object.keys(accounts);
  await waitUntil(async () => {
    const { json } = await admin('GET', '/api/v1/account');
    return (json['items'] as readonly { name: string }[]).length === names.length + 1;
  });
  const opened = stack.move();
  return { ...scene, close: () => opened.disposeAsync() };
}
