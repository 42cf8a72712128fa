import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { connectToFairway } from './connect-to-fairway.ts';
import { startFairway, type Fairway } from './fairway.ts';
import { WEB_CLIENT, CLI_CLIENT, type OidcProvider } from './oidc-provider.ts';
import { waitUntil } from './wait-until.ts';

const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

/** The real program, to be configured for single sign-on. */
export interface SsoFairway {
  readonly fairway: Fairway;
  readonly url: string;
  /** Points it at a provider, with its secret in a Secret as installations have it; `more` are keys of `oidc.config`. */
  useProvider(provider: Pick<OidcProvider, 'issuer'>, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes keys of a ConfigMap. */
  configure(name: string, data: Readonly<Record<string, string | null>>): Promise<void>;
  userInfo(headers: Readonly<Record<string, string>>): Promise<unknown>;
  /** What anybody is told about how to sign in. */
  settings(): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** The control plane that its home is on, where it is not in the program itself. */
export interface SsoHome {
  readonly args: readonly string[];
  readonly api: HttpKubeApi;
  readonly namespace: string;
}

export async function startSsoFairway(home?: SsoHome): Promise<SsoFairway> {
  await using stack = new AsyncDisposableStack();
  const fairway = await startFairway({ args: home?.args ?? [] });
  stack.defer(() => fairway.stop());
  const api: HttpKubeApi = home?.api ?? (await connectToFairway(fairway));
  stack.defer(() => api.close());
  const namespace = home?.namespace ?? 'argocd';
  const { url } = fairway;
  const configure: SsoFairway['configure'] = async (name, data) => {
    await api.patch(CONFIG_MAPS, { namespace, name }, { type: 'merge', body: { data } });
  };
  const settings: SsoFairway['settings'] = async () =>
    (await (await fetch(`${url}/api/v1/settings`)).json()) as Readonly<Record<string, unknown>>;
  let marks = 0;
  const opened = stack.move();

  return {
    fairway,
    url,
    configure,
    settings,
    async useProvider({ issuer }, more = {}) {
      const body = { stringData: { 'oidc.clientSecret': WEB_CLIENT.secret } };
      await api.patch(SECRETS, { namespace, name: 'argocd-secret' }, { type: 'merge', body });
      const name = `provider ${(marks += 1)}`;
      const config = {
        name,
        issuer,
        clientID: WEB_CLIENT.id,
        clientSecret: '$oidc.clientSecret',
        cliClientID: CLI_CLIENT.id,
        ...more,
      };
      await configure('argocd-cm', { url, 'oidc.config': JSON.stringify(config) });
      await waitUntil(async () => (await settings())['oidcConfig'] !== undefined && JSON.stringify(await settings()).includes(`"${name}"`));
    },
    async userInfo(headers) {
      return (await fetch(`${url}/api/v1/session/userinfo`, { headers })).json();
    },
    close: () => opened.disposeAsync(),
  };
}
