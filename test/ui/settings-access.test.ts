import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../support/kinds.ts';
import { callerWith } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const GONE = 'https://127.0.0.1:9';
const PAGES = [
  ['/settings/repos', 'No repositories yet'],
  ['/settings/repos?view=templates', 'No credential templates yet'],
  ['/settings/certs', 'No certificates yet'],
  ['/settings/gpgkeys', 'No keys yet'],
  ['/settings/clusters', 'in-cluster'],
  [`/settings/clusters/${encodeURIComponent(GONE)}`, 'Registered as'],
  ['/settings/accounts', 'What it is for'],
  ['/settings/accounts/ci', 'Tokens'],
] as const;

describeStories('clusters, accounts and tokens', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.configure('argocd-cm', { 'accounts.ci': 'apiKey' });
    await stage.home.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        namespace: 'argocd',
        name: 'cluster-gone',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster', env: 'production' },
      },
      stringData: { name: 'gone', server: GONE, config: JSON.stringify({ bearerToken: 'planted-token' }) },
    });
    const till = {
      metadata: { name: 'till' },
      spec: {
        project: 'default',
        source: { repoURL: stage.repository.url, path: 'web', targetRevision: 'HEAD' },
        destination: { server: GONE, namespace: 'till' },
      },
    };
    // The cluster becomes known when its Secret has been seen.
    await waitUntil(async () => (await stage.call('POST', '/api/v1/applications', till)).status === 200);
  });
  afterAll(() => stage?.close());

  it('somebody looks why a cluster cannot be reached, and what would be lost with it', async () => {
    await waitUntil(async () => (await stage.call('GET', '/api/v1/clusters')).text.includes('"Failed"'));
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/clusters?state=Failed');
    await page.getByRole('row', { name: /gone .*Failed .*Nothing listens at this address/ }).click();
    await page.getByRole('heading', { name: 'Registered as' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/settings/clusters/${encodeURIComponent(GONE)}`);
    await page.getByText('What the server says').click();
    await page
      .getByText(/it refuses connections/)
      .first()
      .waitFor();
    await page.getByText('env=production').waitFor();
    expect(await page.content()).not.toContain('planted-token');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove the cluster' }).click();
    await page.getByText('One application is deployed to it').waitFor();
    await page.getByRole('link', { name: 'till' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expectNoTrouble();
    await close();
  });

  it('a cluster is added by its address: a wrong token is refused, the right one is taken, and labels follow', async () => {
    const server = `${stage.fairway.url}/k8s`;
    const { json } = await stage.call('POST', '/api/v1/session', { username: 'admin', password: stage.fairway.adminPassword });
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/clusters');
    allow(/status of (400|401|403|500|503)/);
    await page.getByRole('button', { name: 'Add a cluster' }).click();
    await page.getByText('argocd cluster add CONTEXT').waitFor();
    await page.getByLabel('Address of the API').fill(server);
    await page.getByLabel('Token', { exact: true }).fill('not-a-token');
    await page.getByLabel('Name', { exact: true }).fill('frankfurt');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Token', { exact: true }).fill(String(json['token']));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: /frankfurt/ }).waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Labels').fill('not a label');
    await page.getByText('"not a label" is no name of a label').waitFor();
    await page.getByLabel('Labels').fill('env=staging');
    await page.getByLabel('Namespaces').fill('shop, tools');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('env=staging').waitFor();
    await page.getByText('tools', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Read anew' }).click();
    await page.getByText('frankfurt is read anew').waitFor();
    expectNoTrouble();
    await close();
  });

  it('a token for a pipeline is made, seen once, used, deleted, and then counts for nothing', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/settings/accounts');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('row', { name: /ci uses tokens/ }).click();
    await page.getByText('This account does not sign in').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Id (optional)').fill('pipeline');
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.getByText('It is shown only this once').waitFor();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), { timeout: 15_000 }).toMatch(/^ey/);
    const token = String(await page.evaluate('navigator.clipboard.readText()'));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('row', { name: /pipeline/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    const pipeline = callerWith(stage.fairway, token);
    expect((await pipeline('GET', '/api/v1/session/userinfo')).json).toMatchObject({ loggedIn: true, username: 'ci' });
    await page.getByRole('button', { name: 'Delete the token pipeline' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('None. Programs that call the API').waitFor();
    await waitUntil(async () => (await pipeline('GET', '/api/v1/applications')).status === 401);
    expectNoTrouble();
    await close();
  });

  it('people change their own password: not without the current one, and stay signed in', async () => {
    const password = await stage.addAccount('grace', ['p, grace, applications, get, */*, allow']);
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/accounts/grace', { username: 'grace', password });
    allow(/status of 400/);
    const fill = async (current: string): Promise<void> => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password', { exact: true }).fill('a-better-password');
      await page.getByLabel('New password again').fill('a-better-password');
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await fill('not-my-password');
    await page.getByText('This is not your current password').waitFor();
    await expectAccessible(page);
    await fill(password);
    await page.getByText('The password of grace is changed').waitFor();
    await page.goto('/settings/accounts');
    await page.getByRole('row', { name: /grace you/ }).waitFor();
    const signIn = async (tried: string): Promise<number> =>
      (await callerWith(stage.fairway, '')('POST', '/api/v1/session', { username: 'grace', password: tried })).status;
    expect([await signIn(password), await signIn('a-better-password')]).toEqual([401, 200]);

    await page.getByRole('button', { name: 'What may I do?' }).click();
    await page.getByText('Yes: you may get applications').waitFor();
    await page.getByLabel('Action').selectOption('delete');
    await page.getByText(/^No\. You may not delete applications/).waitFor();
    expect(new URL(page.url()).searchParams.get('action')).toBe('delete');
    expectNoTrouble();
    await close();
  });

  it('who may only read is told so at every button', async () => {
    const policy = ['repositories', 'clusters', 'certificates', 'gpgkeys', 'accounts'].map((what) => `p, lin, ${what}, get, *, allow`);
    const password = await stage.addAccount('lin', policy);
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos', { username: 'lin', password });
    const expectRefused = async (path: string, button: string, reason: RegExp): Promise<void> => {
      await page.goto(path);
      const refused = page.getByRole('button', { name: button, exact: true });
      const pointAt = async (): Promise<number> => {
        const seen = await page.getByText(reason).count();
        if (seen > 0) return seen;
        await page.mouse.move(1, 1);
        await refused.hover();
        return 0;
      };
      await expect.poll(pointAt, { timeout: 15_000, interval: 800 }).toBeGreaterThan(0);
      expect(await refused.getAttribute('aria-disabled')).toBe('true');
    };
    await expectRefused('/settings/repos', 'Add a repository', /You may not create repositories/);
    await expectRefused('/settings/certs', 'TLS certificate', /You may not create certificates/);
    await expectRefused('/settings/gpgkeys', 'Add a key', /You may not create gpgkeys/);
    await expectRefused('/settings/clusters', 'Add a cluster', /You may not create clusters/);
    await expectRefused(`/settings/clusters/${encodeURIComponent(GONE)}`, 'Change', /You may not update clusters/);
    await expectRefused('/settings/accounts/ci', 'New token for ci', /You may not update accounts ci/);
    expectNoTrouble();
    await close();
  });

  it('who may add things only in places of their own begins as everybody does, and is told where it may not be', async () => {
    const password = await stage.addAccount('mona', [
      'p, mona, projects, get, crew-*, allow',
      'p, mona, projects, create, crew-*, allow',
      'p, mona, repositories, get, crew-one/*, allow',
      'p, mona, repositories, create, crew-one/*, allow',
    ]);
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects', { username: 'mona', password });
    await page.getByRole('button', { name: 'New project' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await dialog.getByLabel('Name').fill('others');
    await dialog.getByText(/You may not create projects others: no line allows it/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBe('true');
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('crew-one');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/settings/projects/crew-one');
    await page.goto('/settings/repos');
    await page.getByRole('button', { name: 'Add a repository' }).click();
    const form = page.getByRole('dialog', { name: 'Add a repository' });
    await form.getByLabel('Address').fill(stage.repository.url);
    await form.getByLabel('Project').fill('default');
    await form.getByText(/You may not create repositories default\//).waitFor();
    await form.getByLabel('Project').fill('crew-one');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /crew-one/ }).waitFor();
    // Others look at a list that is empty.
    const registered = `/api/v1/repositories/${encodeURIComponent(stage.repository.url)}?appProject=crew-one`;
    expect((await stage.call('DELETE', registered)).status).toBe(200);
    expectNoTrouble();
    await close();
  });

  it.each([
    ['dark', { width: 1280, height: 800 }],
    ['light', { width: 400, height: 800 }],
  ] as const)('every page of the settings can be used by everybody, in %s and in %o', async (colorScheme, size) => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings', { colorScheme, size });
    for (const [path, ready] of PAGES) {
      await page.goto(path);
      await page.getByText(ready).first().waitFor();
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    }
    expectNoTrouble();
    await close();
  });
});
