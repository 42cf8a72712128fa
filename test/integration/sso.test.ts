import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { startOidcProvider, WEB_CLIENT, type OidcProvider } from '../support/oidc-provider.ts';
import { startSsoFairway, type SsoFairway } from '../support/sso-fairway.ts';
import { waitUntil } from '../support/wait-until.ts';

const BAD_RETURN = /^Invalid redirect URL: the protocol and host \(including port\) must match/;

describe('single sign-on', () => {
  let provider: OidcProvider;
  let server: SsoFairway;
  /** Everything secret that went through the program, to be looked for in what it wrote. */
  const secrets: string[] = [WEB_CLIENT.secret];

  beforeAll(async () => {
    server = await startSsoFairway();
    provider = await startOidcProvider({ redirectUris: [`${server.url}/auth/callback`] });
    await server.useProvider(provider);
  });

  afterAll(async () => {
    await server?.close();
    await provider?.close();
  });

  const loginUrl = (returnUrl = `${server.url}/healthz`) => `${server.url}/auth/login?return_url=${encodeURIComponent(returnUrl)}`;
  const isCallback = (url: URL) => url.href.startsWith(`${server.url}/auth/callback`);

  async function signIn(): Promise<{ browser: Browser; token: string }> {
    const browser = new Browser();
    const page = await browser.open(loginUrl());
    expect({ status: page.status, text: page.text }).toEqual({ status: 200, text: 'ok\n' });
    const token = browser.cookie(server.url, 'argocd.token') ?? '';
    secrets.push(token);
    return { browser, token };
  }

  /** As far as the provider's redirect back to us. */
  async function comeBack(): Promise<{ browser: Browser; callback: URL }> {
    const browser = new Browser();
    const { url } = await browser.open(loginUrl(), { until: isCallback });
    const callback = new URL(url);
    secrets.push(callback.searchParams.get('code') ?? '');
    return { browser, callback };
  }

  async function expectRefused(browser: Browser, callback: URL): Promise<void> {
    const page = await browser.open(callback.href);
    expect([page.status, page.headers.getSetCookie()]).toEqual([400, []]);
    expect(browser.cookie(server.url, 'argocd.token')).toBeUndefined();
  }

  it('signs somebody in and leads back to where they came from', async () => {
    provider.person = { sub: 'alice', email: 'alice@example.com', groups: ['shop', 'team'] };
    const { browser, token } = await signIn();
    const info = { loggedIn: true, username: 'alice@example.com', iss: provider.issuer, groups: ['shop', 'team'] };
    expect(await server.userInfo({ cookie: browser.cookieHeader(server.url) })).toEqual(info);
    expect(await server.userInfo({ authorization: `Bearer ${token}` })).toEqual(info);
    expect(browser.cookie(server.url, 'argocd.oauthstate')).toBeUndefined();
  });

  it('asks the provider with a code, PKCE, state, nonce and the claims that are configured', async () => {
    const more = {
      requestedIDTokenClaims: { groups: { essential: true } },
      requestedScopes: ['openid', 'groups'],
      domainHint: 'example.com',
    };
    await server.useProvider(provider, more);
    const answer = await fetch(loginUrl(), { redirect: 'manual' });
    const asked = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: WEB_CLIENT.id,
      redirect_uri: `${server.url}/auth/callback`,
      scope: 'openid groups',
      code_challenge_method: 'S256',
      claims: '{"id_token":{"groups":{"essential":true}}}',
      domain_hint: 'example.com',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.searchParams.get(name)?.length).toBeGreaterThan(40);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^argocd\.oauthstate=[\w.-]+; Max-Age=300; path=\/; SameSite=lax; httpOnly$/) as string,
    ]);
    expect(await server.settings()).toMatchObject({
      url: server.url,
      oidcConfig: {
        issuer: provider.issuer,
        clientID: WEB_CLIENT.id,
        cliClientID: 'fairway-cli',
        scopes: ['openid', 'groups'],
        idTokenClaims: { groups: { essential: true } },
      },
    });
    await server.useProvider(provider);
  });

  it('gives the rights of groups', async () => {
    await server.configure('argocd-rbac-cm', { 'policy.csv': 'p, role:shop, applications, sync, shop/*, allow\ng, shop, role:shop' });
    const canI = async (token: string, object: string) => {
      const answer = await fetch(`${server.url}/api/v1/account/can-i/applications/sync/${object}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await answer.json()) as { value?: string }).value;
    };
    provider.person = { sub: 'alice', groups: ['shop'] };
    const { token } = await signIn();
    await waitUntil(async () => (await canI(token, 'shop/web')) === 'yes');
    expect(await canI(token, 'other/web')).toBe('no');
    provider.person = { sub: 'bob', groups: ['team'] };
    expect(await canI((await signIn()).token, 'shop/web')).toBe('no');
  });

  it('AUTH-09: exchanges only a token of the provider that passes every check', async () => {
    const exchange = (token: string) =>
      fetch(`${server.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    const { token } = await signIn();
    const answer = await exchange(token);
    expect([answer.status, await answer.json()]).toEqual([200, { token }]);
    expect(answer.headers.getSetCookie()[0]).toContain(`argocd.token=${token};`);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, sub: 'eve', aud: WEB_CLIENT.id, iat: now, exp: now + 60 };
    const local = await fetch(`${server.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: server.fairway.adminPassword }),
    });
    const bad = [
      `${token.slice(0, -8)}AAAAAAAA`,
      await provider.sign({ ...claims, exp: now - 1 }),
      await provider.sign({ ...claims, aud: 'another' }),
      ((await local.json()) as { token: string }).token,
      'x',
    ];
    for (const one of bad) expect((await exchange(one)).status).toBe(401);
  });

  it('signs out here and at the provider; the token is worth nothing afterwards', async () => {
    await server.useProvider(provider, { logoutURL: `${provider.issuer}/bye?hint={{token}}&to={{logoutRedirectURL}}` });
    const { browser, token } = await signIn();
    const page = await browser.open(`${server.url}/auth/logout`, { until: () => true });
    expect(page.status).toBe(303);
    expect(page.url).toBe(`${provider.issuer}/bye?hint=${token}&to=${encodeURIComponent(server.url)}`);
    expect(browser.cookie(server.url, 'argocd.token')).toBeUndefined();
    const answer = await fetch(`${server.url}/api/v1/applications`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('token is revoked, please re-login')]);
    await server.useProvider(provider);
  });

  it('keeps a token in several cookies where one is too small', async () => {
    provider.person = { sub: 'alice', groups: Array.from({ length: 300 }, (_, index) => `group-number-${index}`) };
    const { browser, token } = await signIn();
    expect(token).toMatch(/^2:/);
    expect(browser.cookie(server.url, 'argocd.token-1')).toBeDefined();
    expect(await server.userInfo({ cookie: browser.cookieHeader(server.url) })).toMatchObject({
      loggedIn: true,
      groups: provider.person['groups'],
    });
    provider.person = { sub: 'alice' };
  });

  it('AUTH-25: takes whoever has a token that is over for nobody, where nobody is let in', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, sub: 'alice', groups: ['shop'], aud: WEB_CLIENT.id, iat: now - 120, exp: now - 60 };
    const headers = { authorization: `Bearer ${await provider.sign(claims)}` };
    const ask = async () => (await fetch(`${server.url}/api/v1/account/can-i/applications/sync/shop/web`, { headers })).json();
    expect(await ask()).toMatchObject({ code: 16, message: 'invalid session: failed to verify the token' });
    await server.configure('argocd-cm', { 'users.anonymous.enabled': 'true' });
    await waitUntil(async () => 'value' in ((await ask()) as object));
    expect(await ask()).toEqual({ value: 'no' });
    expect(await server.userInfo(headers)).toEqual({});
    await server.configure('argocd-cm', { 'users.anonymous.enabled': null });
    await waitUntil(async () => 'code' in ((await ask()) as object));
  });

  it('SSO-01: leads back to nowhere but here', async () => {
    const { host } = new URL(server.url);
    const elsewhere = [
      'https://evil.example',
      '//evil.example',
      `${server.url}.evil.example`,
      `http://${host}@evil.example`,
      `http://evil.example@${host}`,
      'javascript:alert(1)',
      String.raw`/\evil.example`,
      String.raw`https:/\evil.example`,
      `https://${host}/`,
      `${server.url}/\r\nset-cookie: a=b`,
      `\thttps://evil.example`,
      'data:text/html,x',
      'evil.example',
    ];
    for (const address of elsewhere) {
      const answer = await fetch(loginUrl(address), { redirect: 'manual' });
      expect([address, answer.status, answer.headers.getSetCookie()]).toEqual([address, 400, []]);
      expect(await answer.text()).toMatch(BAD_RETURN);
    }
  });

  it('SSO-04: takes a sign-in back only once, with its own state and its own cookie', async () => {
    const first = await comeBack();
    const second = await comeBack();
    const cookie = first.browser.cookie(server.url, 'argocd.oauthstate') ?? '';
    await expectRefused(new Browser(), first.callback);
    await expectRefused(second.browser, first.callback);
    for (const tampered of [`${cookie.slice(0, -2)}AA`, cookie.replace('.', '.A'), 'x', `${cookie}.x`]) {
      const browser = new Browser();
      browser.setCookie(server.url, 'argocd.oauthstate', tampered);
      await expectRefused(browser, first.callback);
    }
    for (const state of ['', 'another', `${first.callback.searchParams.get('state')}x`]) {
      const changed = new URL(first.callback);
      changed.searchParams.set('state', state);
      await expectRefused(first.browser, changed);
    }
    expect((await first.browser.open(first.callback.href)).status).toBe(200 as number);
    const replay = new Browser();
    replay.setCookie(server.url, 'argocd.oauthstate', cookie);
    await expectRefused(replay, first.callback);
  });

  it('SSO-09: shows no words of others as if they were ours', async () => {
    const text = '<script>alert(1)</script>Call 555';
    for (const path of ['/login?sso_error=', '/login?has_sso_error=', '/auth/callback?error=', '/?sso_error=']) {
      const answer = await fetch(`${server.url}${path}${encodeURIComponent(text)}`, { redirect: 'manual' });
      expect(await answer.text()).not.toContain('555');
    }
    // What the provider itself says, in a sign-in that was started here, is told as words.
    const { browser, callback } = await comeBack();
    callback.search = `?state=${callback.searchParams.get('state')}&error=access_denied&error_description=${encodeURIComponent(text)}`;
    const page = await browser.open(callback.href);
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(page.text).toMatch(/^access_denied: /);
    expect(page.text).not.toContain('<');
  });

  it('SSO-17: believes no header about where it is', async () => {
    const untrue: Record<string, string>[] = [
      { 'x-forwarded-host': 'evil.example' },
      { forwarded: 'host=evil.example' },
      { 'x-forwarded-proto': 'gopher' },
      { host: 'evil.example' },
    ];
    const ask = (path: string, headers: Record<string, string>) => sendRequest(`${server.url}${path}`, headers);
    for (const headers of untrue) {
      const start = await ask('/auth/login', headers);
      const browser = new Browser();
      browser.setCookie(server.url, 'argocd.oauthstate', /argocd\.oauthstate=([^;]+)/.exec(start.cookies)?.[1] ?? '');
      const { url } = await browser.open(start.location, { until: isCallback });
      expect(url.startsWith(`${server.url}/auth/callback?`)).toBe(true);
      const end = await ask(url.slice(server.url.length), { ...headers, cookie: browser.cookieHeader(server.url) });
      expect([end.status, end.location]).toEqual([303, `${server.url}/`]);
      const token = /argocd\.token=[^;]+/.exec(end.cookies)?.[0] ?? '';
      const bye = await ask('/auth/logout', { ...headers, cookie: token });
      expect([bye.status, bye.location]).toEqual([303, '/']);
    }
  });

  it('SSO-20: has no connectors and exchanges no tokens for any', async () => {
    for (const path of ['/api/dex/token', '/api/dex/auth/github', '/api/dex/callback/saml', '/api/dex/.well-known/openid-configuration']) {
      const answer = await fetch(`${server.url}${path}`, { method: path.endsWith('token') ? 'POST' : 'GET' });
      expect([path, answer.status]).toEqual([path, 501]);
    }
  });

  it('says what to set in place of dex.config', async () => {
    const dex = JSON.stringify({
      connectors: [{ type: 'github', id: 'hub', name: 'GitHub', config: { clientSecret: 'a-secret-of-dex' } }],
    });
    secrets.push('a-secret-of-dex');
    await server.configure('argocd-cm', { 'oidc.config': null, 'dex.config': dex });
    await waitUntil(async () => (await server.settings())['oidcConfig'] === undefined);
    expect(await server.settings()).toMatchObject({ dexConfig: { connectors: [{ name: 'GitHub', type: 'github' }] } });
    const answer = await fetch(loginUrl(), { redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining('Set oidc.config in argocd-cm')]);
    await expect.poll(() => server.fairway.output()).toContain('dex.config is not used');
    await server.configure('argocd-cm', { 'dex.config': null });
    await waitUntil(async () => (await server.settings())['dexConfig'] === undefined);
    expect((await fetch(loginUrl(), { redirect: 'manual' })).status).toBe(404);
    await server.useProvider(provider);
  });

  it('says that the provider is down, and lets local accounts in all the same', async () => {
    const gone = await startOidcProvider({ redirectUris: [] });
    const now = Math.floor(Date.now() / 1000);
    const token = await gone.sign({ iss: gone.issuer, sub: 'alice', aud: WEB_CLIENT.id, iat: now, exp: now + 60 });
    await gone.close();
    await server.useProvider(gone);
    const words = `the SSO provider ${gone.issuer}/ cannot be used: the connection is refused`;
    const answer = await fetch(loginUrl(), { redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([503, `${words}\n`]);
    const call = await fetch(`${server.url}/api/v1/applications`, { headers: { authorization: `Bearer ${token}` } });
    expect([call.status, await call.json()]).toMatchObject([503, { message: words }]);
    // A browser sends along what it has.
    const cookie = `argocd.token=${token}`;
    expect((await fetch(`${server.url}/api/v1/settings`, { headers: { cookie } })).status).toBe(200);
    const local = await fetch(`${server.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ username: 'admin', password: server.fairway.adminPassword }),
    });
    expect(local.status).toBe(200);
    await server.useProvider(provider);
    expect((await signIn()).token).not.toBe('');
  });

  it('tells the log no secret', () => {
    const output = server.fairway.output();
    expect(secrets.length).toBeGreaterThan(8);
    for (const secret of secrets.filter((one) => one !== '')) expect(output).not.toContain(secret);
  });
});

/** One request with whatever `Host` it is given, which \`fetch\` does not allow. */
function sendRequest(url: string, headers: Record<string, string>): Promise<{ status: number; location: string; cookies: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers }, (answer) => {
      answer.resume();
      const cookies = (answer.headers['set-cookie'] ?? []).join('\n');
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '', cookies });
    });
    outgoing.on('error', reject).end();
  });
}
