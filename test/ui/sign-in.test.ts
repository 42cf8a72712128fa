import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../support/kinds.ts';
import { startOidcProvider, WEB_CLIENT, type OidcProvider } from '../support/oidc-provider.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

describeStories('signing in', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
  });
  afterAll(() => stage?.close());

  it('takes a first visitor from the address alone to the applications', async () => {
    const { page, expectNoTrouble, close } = await stage.open();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in to Fairway' }).waitFor();
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/applications');
    expectNoTrouble();
    await close();
  });

  it('leads back to the page that a link named', async () => {
    const { page, expectNoTrouble, close } = await stage.open();
    await page.goto('/user-info?tab=version#here');
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(page.url()).toBe(`${stage.fairway.url}/user-info?tab=version#here`);
    expectNoTrouble();
    await close();
  });

  it('says what was wrong, and never leads to another site', async () => {
    const { page, expectNoTrouble, close } = await stage.open();
    await page.goto('/login?return_url=https%3A%2F%2Fevil.example%2Fapplications');
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Invalid username or password').waitFor();
    await page.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(new URL(page.url()).origin).toBe(stage.fairway.url);
    expectNoTrouble();
    await close();
  });

  it('ends: signing out leads to the sign-in page, and the session is gone', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Fairway' }).waitFor();
    expect((await context.request.get('/api/v1/account')).status()).toBe(401);
    expectNoTrouble();
    await close();
  });

  it('ends while somebody fills in a form: they sign in again in front of it, and send what they typed', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.getByLabel('Name').fill('long-typed');
    // Somebody signed them out elsewhere.
    await context.request.delete('/api/v1/session');
    await form.getByRole('button', { name: 'Create' }).click();
    const again = page.getByRole('dialog', { name: 'Your session ended' });
    await again.waitFor();
    await expectAccessible(page);
    expect(await again.getByLabel('User name').inputValue()).toBe('admin');
    // It cannot be put away: behind it nothing would work.
    await page.keyboard.press('Escape');
    await again.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await again.getByRole('alert').getByText('Invalid username or password').waitFor();
    await again.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/settings/projects');
    expect(await form.getByLabel('Name').inputValue()).toBe('long-typed');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/settings/projects/long-typed');
    expectNoTrouble();
    await close();
  });

  it('is renewed while a page is open; when it is over all the same, they sign in again and what they typed is there', async () => {
    const { page, context, expectNoTrouble, close } = await stage.open();
    const signIn = async (seconds: number): Promise<void> => {
      await stage.configure('argocd-cm', { 'users.session.duration': `${seconds}s` });
      await waitUntil(async () => {
        const data = { username: 'admin', password: stage.fairway.adminPassword };
        const { token } = (await (await context.request.post('/api/v1/session', { data })).json()) as { token: string };
        return lifeOf(token) === seconds;
      });
    };
    // Less than what a session must have left to be left alone.
    await signIn(240);
    await page.clock.install();
    await page.goto('/settings/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.getByLabel('Name').fill('slowly-typed');
    const token = await tokenIn(context);
    const laterToken = async (): Promise<string> => {
      await page.clock.fastForward('02:01');
      return tokenIn(context);
    };
    await expect.poll(laterToken, { timeout: 15_000, interval: 500 }).not.toBe(token);
    expect(lifeOf(await tokenIn(context))).toBe(240);
    expect(await page.getByText('Your session ended').count()).toBe(0);

    // A session that nobody uses in its last minutes is over, without anybody having pressed anything.
    await signIn(1);
    await stage.configure('argocd-cm', { 'users.session.duration': null });
    const again = page.getByRole('dialog', { name: 'Your session ended' });
    const isAsked = async (): Promise<boolean> => {
      await page.clock.fastForward('02:01');
      return again.isVisible();
    };
    await expect.poll(isAsked, { timeout: 15_000, interval: 500 }).toBe(true);
    await again.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('slowly-typed');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/settings/projects/slowly-typed');
    expectNoTrouble();
    await close();
  });

  it('ends while somebody watches a list: it goes on by itself when they have signed in in another tab', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=late&view=tiles');
    await page.getByText('No application matches').waitFor();
    await context.request.delete('/api/v1/session');
    await page.getByLabel('Search applications by name').fill('late-', { timeout: 5_000 });
    await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
    await stage.createApplication('late-comer', { path: 'settings', automated: false });
    const data = { username: 'admin', password: stage.fairway.adminPassword };
    expect((await context.request.post('/api/v1/session', { data })).ok()).toBe(true);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'late-comer' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=late-&view=tiles');
    // And is live again.
    await stage.call('DELETE', '/api/v1/applications/late-comer?cascade=false');
    await page.getByText('No application matches').waitFor();
    expectNoTrouble();
    await close();
  });

  it('shows nothing of the first person to another one who signs in in their place', async () => {
    const password = await stage.addAccount('stranger', ['p, stranger, applications, get, nothing/*, allow']);
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog', { name: 'New project' }).getByLabel('Name').fill('secret-plan');
    await context.request.delete('/api/v1/session');
    await page.getByRole('dialog', { name: 'New project' }).getByRole('button', { name: 'Create' }).click();
    const again = page.getByRole('dialog', { name: 'Your session ended' });
    await again.getByLabel('User name').fill('stranger');
    await again.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/applications');
    await page.getByRole('button', { name: 'Account: stranger' }).waitFor();
    expect(await page.getByText('secret-plan').count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it.each(['light', 'dark'] as const)('can be done by everybody, in %s', async (colorScheme) => {
    const { page, close } = await stage.open({ colorScheme });
    await page.goto('/login');
    await page.getByLabel('Password').waitFor();
    await expectAccessible(page);
    await close();
  });

  it('leads through the provider and back to the page that a link named', async () => {
    const provider = await useProvider('Shop', {});
    const { page, context, expectNoTrouble, close } = await stage.open();
    await page.goto('/user-info?tab=version');
    await page.getByRole('link', { name: 'Sign in with Shop' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/user-info');
    await page.getByText('alice@shop.example').first().waitFor();
    await page.getByText('on-call').waitFor();

    // Later their session ends; they sign in with the provider in another tab, and this one goes on.
    await context.request.delete('/api/v1/session');
    await page.getByRole('link', { name: 'Applications' }).first().click();
    const again = page.getByRole('dialog', { name: 'Your session ended' });
    const [tab] = await Promise.all([context.waitForEvent('page'), again.getByRole('link', { name: 'Sign in with Shop' }).click()]);
    await tab.getByText('this tab can be closed').waitFor();
    await again.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/applications');
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expectNoTrouble();
    await close();
    await provider.close();
  });

  it('is renewed by the provider while a page is open, with what the provider says of them now', async () => {
    const provider = await useProvider('Night', { refreshTokenThreshold: '58s' }, 60);
    const { page, expectNoTrouble, close } = await stage.open();
    await page.clock.install();
    await page.goto('/user-info');
    const tokens = (): number => provider.asked.filter((path) => path === '/token').length;
    // Before they get another token, they change over to the night.
    provider.disturb = () => {
      if (tokens() > 1) provider.person = { ...provider.person, groups: ['night-shift'] };
      return false;
    };
    await page.getByRole('link', { name: 'Sign in with Night' }).click();
    await page.getByText('on-call').waitFor();
    const isRenewed = async (): Promise<boolean> => {
      await page.clock.fastForward('02:01');
      return page.getByText('night-shift').isVisible();
    };
    await expect.poll(isRenewed, { timeout: 30_000, interval: 500 }).toBe(true);
    expect(await page.getByText('Your session ended').count()).toBe(0);
    expectNoTrouble();
    await close();
    await provider.close();
  });

  /** A provider that everybody is signed in by as Alice. */
  async function useProvider(name: string, more: object, tokenSeconds = 3600): Promise<OidcProvider> {
    const { url } = stage.fairway;
    const provider = await startOidcProvider({ redirectUris: [`${url}/auth/callback`], tokenSeconds });
    provider.person = { sub: 'alice', email: 'alice@shop.example', groups: ['on-call'] };
    const secret = { stringData: { 'oidc.clientSecret': WEB_CLIENT.secret } };
    await stage.home.patch(kinds.secret, { namespace: 'argocd', name: 'argocd-secret' }, { type: 'merge', body: secret });
    const config = { name, issuer: provider.issuer, clientID: WEB_CLIENT.id, clientSecret: '$oidc.clientSecret' };
    const scopes = { requestedScopes: ['openid', 'email', 'groups'] };
    await stage.configure('argocd-cm', { url, 'oidc.config': JSON.stringify({ ...config, ...scopes, ...more }) });
    await waitUntil(async () => (await stage.call('GET', '/api/v1/settings')).text.includes(`"${name}"`));
    return provider;
  }
});

/** The session of a browser. */
async function tokenIn(context: BrowserContext): Promise<string> {
  return (await context.cookies()).find(({ name }) => name === 'argocd.token')?.value ?? '';
}

/** For how many seconds a token was given. */
function lifeOf(token: string): number {
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number; exp: number };
  return exp - iat;
}
