import type { Settings } from '../../contract/index.ts';
import { isJsonObject, type JsonObject } from '../../objects/index.ts';
import type { Snapshot } from '../../settings/index.ts';

type Claims = NonNullable<NonNullable<Settings['oidcConfig']>['idTokenClaims']>;

/** How to sign in with a provider: what the stock client needs in order to ask it. No secret is among it. */
export function formatSignOn({ general, oidc, dex }: Pick<Snapshot, 'general' | 'oidc' | 'dex'>): Settings {
  return {
    ...(general.url !== '' && { url: general.url }),
    ...(oidc !== undefined && {
      oidcConfig: {
        name: oidc.name,
        issuer: oidc.issuer,
        clientID: oidc.clientID,
        cliClientID: oidc.cliClientID,
        scopes: [...(oidc.requestedScopes ?? [])],
        idTokenClaims: formatClaims(oidc.requestedIDTokenClaims),
        enablePKCEAuthentication: oidc.enablePKCEAuthentication,
      },
    }),
    // Where only this is configured, the client asks for it below /api/dex and reads there what to configure instead.
    ...(dex !== undefined && { dexConfig: { connectors: dex.connectors.map(({ name, type }) => ({ name, type })) } }),
  };
}

function formatClaims(claims: JsonObject): Claims {
  const formatted = Object.entries(claims).map(([name, wanted]): [string, Claims[string]] => {
    if (!isJsonObject(wanted)) return [name, {}];
    const { essential, value, values } = wanted;
    return [
      name,
      {
        ...(essential === true && { essential }),
        ...(typeof value === 'string' && { value }),
        ...(Array.isArray(values) && { values: values.filter((one) => typeof one === 'string') }),
      },
    ];
  });
  return Object.fromEntries(formatted);
}
