import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPolicy, type Caller } from '../../src/access/index.ts';
import { CLI_CLIENT, startOidcProvider, WEB_CLIENT, type OidcProvider } from '../support/oidc-provider.ts';
import { createSsoAccess, type SsoAccess } from '../support/sso-access.ts';
import { waitUntil } from '../support/wait-until.ts';

const REFUSED = { code: 16, message: 'invalid session: failed to verify the token' };
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('tokens of the SSO provider', () => {
  let provider: OidcProvider;
  let access: SsoAccess;

  beforeAll(async () => {
    provider = await startOidcProvider({ redirectUris: ['https://fairway.example/auth/callback'] });
    access = createSsoAccess(provider);
  });

  afterAll(() => provider?.close());

  const claimsOf = (more: JWTPayload = {}): JWTPayload => ({
    iss: provider.issuer,
    sub: 'alice',
    aud: WEB_CLIENT.id,
    iat: nowSeconds(),
    exp: nowSeconds() + 600,
    ...more,
  });
  const issue = (more: JWTPayload = {}, header: object = {}) => provider.sign(claimsOf(more), header);
  const use = async (token: string, { sessions } = access) => sessions.authenticate(token);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('are sessions of whom they name', async () => {
    const token = await issue({ email: 'alice@example.com', groups: ['shop'] });
    expect(await use(token)).toMatchObject({
      username: 'alice@example.com',
      subject: 'alice',
      issuer: provider.issuer,
      groups: ['shop'],
      capability: 'login',
    });
    const asked = provider.asked.length;
    expect(access.sessions.authenticate(token)).toMatchObject({ subject: 'alice' });
    expect(provider.asked).toHaveLength(asked);
    expect(await use(await issue({ sub: 'x', federated_claims: { user_id: 'behind-dex' } }))).toMatchObject({ subject: 'behind-dex' });
  });

  it('AUTH-20 AUTH-21: end one by one when somebody signs out, whatever ids they have', async () => {
    const [one, other, third] = [await issue({ uti: 'u' }), await issue({ uti: 'u', name: 'b' }), await issue({ name: 'c' })];
    const caller = await use(one);
    await access.sessions.revoke(caller!);
    await expect(use(one)).rejects.toMatchObject({ code: 16, message: 'invalid session: token is revoked, please re-login' });
    expect(await use(other)).toMatchObject({ subject: 'alice' });
    expect(await use(third)).toMatchObject({ subject: 'alice' });
  });

  it('AUTH-17: do not come back with their signature spelled in another way', async () => {
    const token = await issue({ name: 'spelled' });
    // The last letter of a signature says two bits; the other four of it are free.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = `${token.slice(0, -1)}${letters[letters.indexOf(token.at(-1) ?? '') ^ 1]}`;
    expect(await use(other)).toMatchObject({ subject: 'alice' });
    const caller = await use(token);
    await access.sessions.revoke(caller!);
    for (const spelling of [token, other, `${token}==`])
      await expect(use(spelling)).rejects.toMatchObject({ code: 16, message: 'invalid session: token is revoked, please re-login' });
  });

  it('AUTH-17: stay revoked that were known by all of their text', async () => {
    const token = await issue({ name: 'former' });
    await use(token);
    await access.accounts.revoke(`sso:${createHash('sha256').update(token).digest('base64url')}`, nowSeconds() + 600);
    await expect(use(token)).rejects.toMatchObject({ code: 16, message: 'invalid session: token is revoked, please re-login' });
  });

  it('AUTH-22: are taken only with an algorithm that the provider uses', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = publicKey.export({ type: 'spki', format: 'pem' });
    const hmac = (header: object) => {
      const signed = `${encode(header)}.${encode(claimsOf())}`;
      return `${signed}.${createHmac('sha256', spki).update(signed).digest('base64url')}`;
    };
    const [, body] = (await issue()).split('.');
    const forged = [
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'None' })}.${body}.AAAA`,
      `${encode({})}.${body}.AAAA`,
      hmac({ alg: 'HS256' }),
      hmac({ alg: 'RS256' }),
      hmac({ alg: 'HS384' }),
      hmac({ alg: 'rs256' }),
    ];
    for (const token of forged) await expect(use(token)).rejects.toMatchObject(REFUSED);
  });

  it('AUTH-26 AUTH-27: are taken only for our clients', async () => {
    for (const aud of ['other', [], ['other'], '', 7, { a: 1 }, null, [WEB_CLIENT.id.toUpperCase()], [[WEB_CLIENT.id]], undefined])
      await expect(use(await issue({ aud } as JWTPayload))).rejects.toMatchObject({ code: 16 });
    for (const aud of [WEB_CLIENT.id, CLI_CLIENT.id, ['other', CLI_CLIENT.id]]) expect(await use(await issue({ aud }))).toBeDefined();
    const lenient = createSsoAccess(provider, { skipAudienceCheckWhenTokenHasNoAudience: true });
    expect(await use(await issue({ aud: undefined } as unknown as JWTPayload), lenient)).toBeDefined();
    await expect(use(await issue({ aud: [] }), lenient)).rejects.toMatchObject(REFUSED);
    await expect(use(await issue({ aud: 'other' }), lenient)).rejects.toMatchObject(REFUSED);
    const widened = createSsoAccess(provider, { allowedAudiences: ['api'] });
    expect(await use(await issue({ aud: 'api', azp: 'any' }), widened)).toBeDefined();
    await expect(use(await issue(), widened)).rejects.toMatchObject(REFUSED);
  });

  it('AUTH-29: are refused with times that are none', async () => {
    const times = ['1', 1e300, -1, null, undefined, Number.MAX_VALUE, {}, [nowSeconds() + 60]];
    for (const exp of times) await expect(use(await issue({ exp } as JWTPayload))).rejects.toMatchObject(REFUSED);
    for (const iat of ['1', -1, null, undefined]) await expect(use(await issue({ iat } as JWTPayload))).rejects.toMatchObject(REFUSED);
    await expect(use(await issue({ nbf: nowSeconds() + 500 }))).rejects.toMatchObject(REFUSED);
  });

  it('AUTH-30: are refused at once when they are too long', async () => {
    const long = `${encode({ alg: 'RS256' })}.${encode(claimsOf({ name: 'x'.repeat(1024 * 1024) }))}.AAAA`;
    for (const token of [long, '.'.repeat(100_000), `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM', zip: 'DEF' })}.a.b.c.d`])
      await expect(use(token)).rejects.toMatchObject({ code: 16 });
  });

  it('AUTH-31: are held against no key that they bring or name themselves', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = publicKey.export({ format: 'jwk' });
    const asked = provider.asked.length;
    for (const header of [{ jwk }, { jku: `${provider.issuer}/evil` }, { x5u: `${provider.issuer}/evil` }, { kid: '../../etc/passwd' }]) {
      const token = await new SignJWT(claimsOf()).setProtectedHeader({ alg: 'RS256', ...header } as { alg: string }).sign(privateKey);
      await expect(use(token)).rejects.toMatchObject(REFUSED);
    }
    expect(provider.asked.slice(asked).filter((path) => path !== '/jwks')).toEqual([]);
  });

  it('SSO-10: are refused with another issuer, another key, past their time or issued to another', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const foreign = await new SignJWT(claimsOf()).setProtectedHeader({ alg: 'RS256', kid: 'unknown' }).sign(privateKey);
    const bad = [
      await issue({ iss: 'https://evil.example' }),
      await issue({ iss: `${provider.issuer}/` }),
      foreign,
      await issue({ exp: nowSeconds() - 1 }),
      await issue({ azp: 'another-client' }),
      `${(await issue()).split('.').slice(0, 2).join('.')}.`,
    ];
    for (const token of bad) await expect(use(token)).rejects.toMatchObject(REFUSED);
    const token = await issue({ exp: nowSeconds() + 60 });
    await use(token);
    access.laterMs = 61_000;
    await expect(use(token)).rejects.toMatchObject(REFUSED);
    access.laterMs = 0;
  });

  it('SSO-14: with claims that are no texts name nobody and no group', async () => {
    for (const sub of ['', '  ', '\n', 7, {}, ['alice'], null])
      await expect(use(await issue({ sub } as JWTPayload))).rejects.toMatchObject({ code: 16 });
    const groups = ['', ' ', 7, null, {}, ['nested'], 'real'];
    expect(await use(await issue({ groups, email: '' }))).toMatchObject({ username: 'alice', groups: ['real'] });
    expect(await use(await issue({ groups: { a: 'b' }, email: {} }))).toMatchObject({ username: 'alice', groups: [] });
    expect(await use(await issue({ groups: 'one' }))).toMatchObject({ groups: ['one'] });
    const many = Array.from({ length: 10_000 }, (_, index) => `g${index}`);
    const caller = await use(await issue({ groups: many.slice(0, 5_000) }));
    expect(caller?.groups).toHaveLength(5_000);
    await expect(use(await issue({ groups: many }))).rejects.toMatchObject({ code: 16 });
    // Names that policies keep for what is no person.
    for (const sub of ['role:admin', 'proj:default:ci']) await expect(use(await issue({ sub }))).rejects.toMatchObject({ code: 16 });
  });

  it('SSO-15: give rights by the very name of a group and by nothing in it', async () => {
    const policy = createPolicy({
      settings: () => ({
        policy: 'g, shop, role:admin\np, role:x, applications, get, */*, allow\ng, "a,b", role:x',
        policyIncomplete: false,
        defaultRole: '',
        matchMode: 'glob',
      }),
      findProject: () => undefined,
    });
    const may = (caller: Caller | undefined, action: string) => policy.isAllowed(caller!, 'applications', action, 'default/web');
    for (const group of [
      'role:admin',
      'role:x',
      '*',
      'sho*',
      'shop\n',
      ' shop',
      'x\ng, alice, role:admin',
      'x, role:admin',
      '"shop"',
      'SHOP',
    ]) {
      const caller = await use(await issue({ groups: [group] }));
      expect([group, may(caller, 'get'), may(caller, 'delete')]).toEqual([group, false, false]);
    }
    expect(may(await use(await issue({ groups: ['shop'] })), 'delete')).toBe(true);
    const quoted = await use(await issue({ groups: ['a,b'] }));
    expect([may(quoted, 'get'), may(quoted, 'delete')]).toEqual([true, false]);
  });

  it('are verified with new keys as soon as the provider has them, and not with old ones', async () => {
    const before = await issue({ name: 'before' });
    expect(await use(before)).toBeDefined();
    await provider.rotateKeys();
    const after = await issue({ name: 'after' });
    await waitUntil(async () => {
      try {
        return (await use(after)) !== undefined;
      } catch {
        // New keys are asked for no more often than each second.
        return false;
      }
    });
    access.laterMs = 6 * 60_000;
    await expect(use(before)).rejects.toMatchObject(REFUSED);
    access.laterMs = 0;
  });

  it('are not believed any more when another provider is configured, or none', async () => {
    const token = await issue({ name: 'again' });
    const other = createSsoAccess(provider);
    expect(await use(token, other)).toBeDefined();
    const { provider: config } = other.settings;
    other.settings = { ...other.settings, provider: { ...config!, clientID: 'another', cliClientID: '' } };
    await expect(use(token, other)).rejects.toMatchObject(REFUSED);
    other.settings = { ...other.settings, provider: undefined };
    await expect(use(token, other)).rejects.toMatchObject({ message: 'invalid session: SSO is not configured' });
  });

  it('follow the claims that are configured to name groups', async () => {
    const other = createSsoAccess(provider);
    const token = await issue({ email: 'a@example.com', groups: ['g'], __proto__: ['h'] });
    expect(await use(token, other)).toMatchObject({ groups: ['g'] });
    other.settings = { ...other.settings, groupClaims: ['email', 'groups', 'constructor', '__proto__'] };
    expect(await use(token, other)).toMatchObject({ groups: ['a@example.com', 'g'] });
  });
});
