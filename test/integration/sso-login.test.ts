import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { createServerCertificate } from '../../src/server/index.ts';
import { Browser } from '../support/browser.ts';
import { startOidcProvider, WEB_CLIENT, type OidcProvider, type OidcProviderOptions } from '../support/oidc-provider.ts';
import { createSsoAccess, type SsoAccess } from '../support/sso-access.ts';

const HOME = 'https://fairway.example';
const HOUR_MS = 3_600_000;
const redirectUris = [`${HOME}/auth/callback`];

/** Goes through the provider's pages; what comes back for us. */
async function visitProvider(access: SsoAccess, returnAddress = HOME): Promise<{ query: string; sealedState: string }> {
  const { location, sealedState } = await access.sso.browser.start({ returnAddress, host: undefined });
  const { url } = await new Browser().open(location, { until: ({ origin }) => origin === HOME });
  return { query: new URL(url).search.slice(1), sealedState };
}

const signIn = async (access: SsoAccess) => access.sso.browser.finish(await visitProvider(access));

describe('signing in with a provider', () => {
  let provider: OidcProvider;

  beforeAll(async () => {
    provider = await startOidcProvider({ redirectUris });
  });

  afterAll(() => provider?.close());

  it('SSO-04: is over after five minutes', async () => {
    const access = createSsoAccess(provider);
    const request = await visitProvider(access);
    access.laterMs = 5 * 60_000 + 1;
    await expect(access.sso.browser.finish(request)).rejects.toMatchObject({ code: 3 });
  });

  it('SSO-06: makes up another state, nonce and verifier each time', async () => {
    const seen = new Set<string>();
    const signingKey = randomBytes(32);
    for (let restart = 0; restart < 4; restart += 1) {
      const access = createSsoAccess(provider, {}, { signingKey });
      for (let index = 0; index < 2_500; index += 1) {
        const { location } = await access.sso.browser.start({ returnAddress: '', host: undefined });
        const { searchParams } = new URL(location);
        // The challenge is a hash of the verifier: it repeats when and only when that does.
        for (const name of ['state', 'nonce', 'code_challenge']) {
          const value = searchParams.get(name) ?? '';
          if (Buffer.from(value, 'base64url').length >= 16) seen.add(value);
        }
      }
    }
    expect(seen.size).toBe(30_000);
  }, 60_000);

  it('SSO-10: takes no token from the way back that fails a check', async () => {
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const makers: Readonly<Record<string, (claims: JWTPayload) => Promise<string> | string>> = {
      good: (claims) => provider.sign(claims),
      'another issuer': (claims) => provider.sign({ ...claims, iss: 'https://evil.example' }),
      unsigned: (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
      'another key': (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'other' }).sign(privateKey),
      expired: (claims) => provider.sign({ ...claims, exp: now - 60 }),
      'another audience': (claims) => provider.sign({ ...claims, aud: 'other' }),
      'issued to another': (claims) => provider.sign({ ...claims, azp: 'other' }),
      'another nonce': (claims) => provider.sign({ ...claims, nonce: 'other' }),
      'no nonce': ({ nonce: _nonce, ...claims }) => provider.sign(claims),
    };
    for (const [name, make] of Object.entries(makers)) {
      const access = createSsoAccess(provider);
      const { location, sealedState } = await access.sso.browser.start({ returnAddress: '', host: undefined });
      const asked = new URL(location).searchParams;
      const claims = { iss: provider.issuer, sub: 'eve', aud: WEB_CLIENT.id, iat: now, exp: now + 60, nonce: asked.get('nonce') ?? '' };
      const body = JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: await make(claims) });
      provider.disturb = (request, response) =>
        request.url === '/token' && (response.setHeader('content-type', 'application/json').end(body), true);
      const query = `code=c&state=${asked.get('state')}&iss=${encodeURIComponent(provider.issuer)}`;
      const end = access.sso.browser.finish({ query, sealedState });
      if (name === 'good') expect((await end).caller.subject).toBe('eve');
      else await expect(end, name).rejects.toMatchObject({ code: 16, message: 'invalid session: failed to verify the token' });
    }
    provider.disturb = undefined;
  });

  it('SSO-16: asks for groups anew at every sign-in', async () => {
    const hidden = await startOidcProvider({ redirectUris, claimsOnlyInUserInfo: true });
    const access = createSsoAccess(hidden, { enableUserInfoGroups: true, userInfoPath: '/me', userInfoCacheExpiration: 3_600_000 });
    hidden.person = { sub: 'alice', groups: ['admins', 'shop'] };
    const first = await signIn(access);
    expect(first.caller.groups).toEqual(['admins', 'shop']);
    hidden.person = { sub: 'alice', groups: ['shop'] };
    const second = await signIn(access);
    expect(second.caller.groups).toEqual(['shop']);
    expect(await access.sessions.authenticate(second.token)).toMatchObject({ groups: ['shop'] });
    // Elsewhere nothing is known of what came with the token: without its groups the session is not taken.
    const elsewhere = createSsoAccess(hidden, { enableUserInfoGroups: true, userInfoPath: '/me' });
    await expect(elsewhere.sessions.authenticate(second.token)).rejects.toMatchObject({ code: 16 });
    await hidden.close();
  });

  it('takes nobody else’s groups', async () => {
    const mixed = await startOidcProvider({ redirectUris, claimsOnlyInUserInfo: true });
    mixed.person = { sub: 'alice', groups: ['shop'] };
    mixed.disturb = (request, response) => {
      if (request.url !== '/me') return false;
      response.setHeader('content-type', 'application/json').end('{"sub":"bob","groups":["admins"]}');
      return true;
    };
    const access = createSsoAccess(mixed, { enableUserInfoGroups: true });
    await expect(signIn(access)).rejects.toMatchObject({ code: 16 });
    await mixed.close();
  });

  it('says in the log what the provider finds wrong, without the secret', async () => {
    const access = createSsoAccess(provider, { clientSecret: { reveal: () => 'not-the-right-secret' } });
    await expect(signIn(access)).rejects.toMatchObject({
      code: 16,
      message: 'the SSO provider does not accept the sign-in: invalid_client',
    });
    expect(access.logged.join('')).toContain('invalid_client');
    expect(access.logged.join('')).not.toContain('not-the-right-secret');
  });

  it('goes on with what is known when the provider is down for a while, and says when it cannot', async () => {
    const access = createSsoAccess(provider);
    const { token } = await signIn(access);
    const now = Math.floor(Date.now() / 1000);
    const another = await provider.sign({ iss: provider.issuer, sub: 'bob', aud: WEB_CLIENT.id, iat: now, exp: now + 7_200 });
    provider.disturb = (_request, response) => (response.writeHead(500).end(), true);
    expect(await access.sessions.authenticate(token)).toMatchObject({ subject: 'alice' });
    expect(await access.sessions.authenticate(another)).toMatchObject({ subject: 'bob' });
    const cold = createSsoAccess(provider);
    await expect(cold.sessions.authenticate(token)).rejects.toMatchObject({ code: 14 });
    const asked = provider.asked.length;
    await expect(cold.sessions.authenticate(token)).rejects.toMatchObject({ code: 14 });
    expect(provider.asked).toHaveLength(asked);
    provider.disturb = undefined;
    cold.laterMs = 3_001;
    expect(await cold.sessions.authenticate(token)).toMatchObject({ subject: 'alice' });
  });

  it('locks out nobody who is signed in while the provider is away for hours, nor calls tokens with a new key bad', async () => {
    const away = await startOidcProvider({ redirectUris });
    const access = createSsoAccess(away);
    const now = Math.floor(Date.now() / 1000);
    const sign = (sub: string) => away.sign({ iss: away.issuer, sub, aud: WEB_CLIENT.id, iat: now, exp: now + 48 * 3600 });
    const token = await sign('bob');
    expect(await access.sessions.authenticate(token)).toMatchObject({ subject: 'bob' });
    away.disturb = (request, response) => (response.writeHead(request.url === '/jwks' ? 200 : 500).end('{"keys":[]}'), true);
    access.laterMs = 3 * HOUR_MS;
    expect(await access.sessions.authenticate(token)).toMatchObject({ subject: 'bob' });
    expect(await access.sessions.authenticate(await sign('carol'))).toMatchObject({ subject: 'carol' });
    expect(access.logged.join('')).toContain('those that are known stay in use');
    await away.rotateKeys();
    const renewed = await sign('bob');
    await expect(access.sessions.authenticate(renewed)).rejects.toMatchObject({ code: 14 });
    // Not for ever: one of the keys may have been taken back.
    access.laterMs = 25 * HOUR_MS;
    await expect(access.sessions.authenticate(token)).rejects.toMatchObject({ code: 14 });
    away.disturb = undefined;
    access.laterMs += 2_000;
    expect(await access.sessions.authenticate(renewed)).toMatchObject({ subject: 'bob' });
    await expect(access.sessions.authenticate(token)).rejects.toMatchObject({ code: 16 });
    await away.close();
  });
});

describe('sessions that the provider renews', () => {
  const open = async (options: Partial<OidcProviderOptions> = {}) => {
    const provider = await startOidcProvider({ redirectUris, tokenSeconds: 600, ...options });
    return { provider, access: createSsoAccess(provider, { refreshTokenThreshold: 300_000 }) };
  };

  it('get a new token before the old one ends', async () => {
    const { provider, access } = await open();
    const { caller, token } = await signIn(access);
    expect(access.sessions.isRenewalDue(caller)).toBe(false);
    access.laterMs = 301_000;
    expect(access.sessions.isRenewalDue(caller)).toBe(true);
    // Within one second a provider would give the very same token again.
    provider.person = { sub: 'alice', email: 'new@example.com' };
    const [renewed, again] = await Promise.all([access.sessions.renew(caller), access.sessions.renew(caller)]);
    expect(renewed).not.toBe(token);
    expect(again).toBe(renewed);
    expect(await access.sessions.authenticate(renewed)).toMatchObject({ subject: 'alice', username: 'new@example.com' });
    await provider.close();
  });

  it('SSO-11: are never renewed by a token that is over or forged', async () => {
    const { provider, access } = await open();
    const { token } = await signIn(access);
    const [head, body] = token.split('.');
    const asked = provider.asked.length;
    access.laterMs = 601_000;
    for (const one of [token, `${head}.${body}.AAAA`]) await expect(access.sessions.authenticate(one)).rejects.toMatchObject({ code: 16 });
    expect(provider.asked.slice(asked)).not.toContain('/token');
    await provider.close();
  });

  it('SSO-12: end when the time of a session is over, however often they were renewed', async () => {
    const { provider } = await open({ tokenSeconds: 25 * 3600 });
    const access = createSsoAccess(provider, { refreshTokenThreshold: 2 * HOUR_MS });
    const { caller, token } = await signIn(access);
    access.laterMs = 24 * HOUR_MS - 60_000;
    expect(access.sessions.isRenewalDue(caller)).toBe(true);
    provider.person = { sub: 'alice', email: 'new@example.com' };
    const renewed = await access.sessions.renew(caller);
    expect(renewed).not.toBe(token);
    const later = (await access.sessions.authenticate(renewed))!;
    access.laterMs = 24 * HOUR_MS - 10_000;
    expect(access.sessions.isRenewalDue(later)).toBe(true);
    // From here on its token is the last one: it is good to its end, and is not changed for another.
    const asked = provider.asked.length;
    access.laterMs = 24 * HOUR_MS + 1_000;
    expect(access.sessions.isRenewalDue(later)).toBe(false);
    access.laterMs = 24 * HOUR_MS + HOUR_MS / 2;
    expect(await access.sessions.authenticate(renewed)).toMatchObject({ subject: 'alice' });
    expect(access.sessions.isRenewalDue(later)).toBe(false);
    access.laterMs = 25 * HOUR_MS + 60_000;
    await expect(access.sessions.authenticate(renewed)).rejects.toMatchObject({ code: 16 });
    expect(provider.asked.slice(asked)).not.toContain('/token');
    await provider.close();
  });

  it('go on with the token at hand when the provider gives no other', async () => {
    const { provider, access } = await open();
    const { caller, token } = await signIn(access);
    provider.disturb = (request, response) => request.url === '/token' && (response.writeHead(400).end('{}'), true);
    access.laterMs = 301_000;
    expect(await access.sessions.renew(caller)).toBe(token);
    expect(access.sessions.isRenewalDue(caller)).toBe(false);
    await provider.close();
  });
});

describe('a provider behind TLS', () => {
  const long = new Date(Date.now() - 3 * 365 * 86_400_000);

  it.each([
    ['is signed by itself', createServerCertificate('127.0.0.1', new Date()), 'its certificate is signed by itself', true],
    ['has expired', createServerCertificate('127.0.0.1', long), 'its certificate has expired', false],
  ])('SSO-07: is refused when its certificate %s', async (_name, pair, words, isTrustedByCa) => {
    const provider = await startOidcProvider({ redirectUris, tls: { cert: pair.certificate, key: pair.key } });
    const start = (access: SsoAccess) => access.sso.browser.start({ returnAddress: '', host: undefined });
    const refusal = { code: 14, message: expect.stringContaining(isTrustedByCa ? words : 'its certificate') as string };
    await expect(start(createSsoAccess(provider))).rejects.toMatchObject(refusal);
    const trusting = createSsoAccess(provider, { rootCA: pair.certificate });
    if (isTrustedByCa) expect((await start(trusting)).location).toContain(provider.issuer);
    else await expect(start(trusting)).rejects.toMatchObject({ code: 14, message: expect.stringContaining(words) as string });
    const careless = createSsoAccess(provider);
    careless.settings = { ...careless.settings, skipTlsVerify: true };
    expect((await start(careless)).location).toContain(provider.issuer);
    await provider.close();
  });

  it('SSO-07: is refused when its certificate is for another name', async () => {
    const pair = createServerCertificate('127.0.0.1', new Date());
    const tls = { cert: pair.certificate, key: pair.key };
    const provider = await startOidcProvider({ redirectUris, tls, host: '127.0.0.2' });
    const access = createSsoAccess(provider, { rootCA: pair.certificate });
    const start = () => access.sso.browser.start({ returnAddress: '', host: undefined });
    await expect(start()).rejects.toMatchObject({
      code: 14,
      message: `the SSO provider ${provider.issuer}/ cannot be used: its certificate is for another name`,
    });
    expect(provider.asked).toEqual([]);
    access.settings = { ...access.settings, skipTlsVerify: true };
    expect((await start()).location).toContain(provider.issuer);
    await provider.close();
  });
});
