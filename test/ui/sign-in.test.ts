import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../support/kinds.ts';
import { startOidcProvider, WEB_CLIENT } from '../support/oidc-provider.ts';
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
    const { url } = stage.fairway;
    const provider = await startOidcProvider({ redirectUris: [`${url}/auth/callback`] });
    provider.person = { sub: 'alice', email: 'alice@shop.example', groups: ['on-call'] };
    const secret = { stringData: { 'oidc.clientSecret': WEB_CLIENT.secret } };
    await stage.home.patch(kinds.secret, { namespace: 'argocd', name: 'argocd-secret' }, { type: 'merge', body: secret });
    const config = { name: 'Shop', issuer: provider.issuer, clientID: WEB_CLIENT.id, clientSecret: '$oidc.clientSecret' };
    await stage.configure('argocd-cm', {
      url,
      'oidc.config': JSON.stringify({ ...config, requestedScopes: ['openid', 'email', 'groups'] }),
    });
    await waitUntil(async () => (await stage.call('GET', '/api/v1/settings')).text.includes('"Shop"'));

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
});
