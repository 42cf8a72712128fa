import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts';
import { startSsoFairway, type SsoFairway } from '../support/sso-fairway.ts';

describe('single sign-on with a browser', () => {
  let provider: OidcProvider;
  let server: SsoFairway;

  beforeAll(async () => {
    server = await startSsoFairway();
    provider = await startOidcProvider({ redirectUris: [`${server.url}/auth/callback`] });
    await server.useProvider(provider);
  });

  afterAll(async () => {
    await server?.close();
    await provider?.close();
  });

  it('signs somebody in and leads back to where they came from', async () => {
    provider.person = { sub: 'alice', email: 'alice@example.com', groups: ['shop', 'team'] };
    const browser = new Browser();
    const page = await browser.open(`${server.url}/auth/login?return_url=${encodeURIComponent(`${server.url}/healthz?from=sso`)}`);
    expect(page).toMatchObject({ url: `${server.url}/healthz?from=sso`, status: 200 });
    expect(await server.userInfo({ cookie: browser.cookieHeader(server.url) })).toEqual({
      loggedIn: true,
      username: 'alice@example.com',
      iss: provider.issuer,
      groups: ['shop', 'team'],
    });
  });
});
