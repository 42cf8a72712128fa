import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const HOSTILE_PATH = '<img src=x onerror=window.harmed=true>';
const HOSTILE_REVISION = 'main\u202Egnp.exe\u200B';

describeStories('everywhere', () => {
  let stage: UiStage;
  let readerPassword: string;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.createApplication('storefront', { path: 'settings', automated: false });
    await stage.call('POST', '/api/v1/applications?validate=false', {
      metadata: { name: 'hostile' },
      spec: {
        project: 'default',
        source: { repoURL: 'javascript:window.harmed=true//', path: HOSTILE_PATH, targetRevision: HOSTILE_REVISION },
        destination: { server: IN_CLUSTER, namespace: 'hostile' },
      },
    });
    readerPassword = await stage.addAccount('reader', ['p, reader, applications, get, */*, allow']);
  });
  afterAll(() => stage?.close());

  it('Ctrl K finds an application by a part of its name, and a command by its words', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('refro');
    await page.getByRole('option', { name: /storefront/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/applications/argocd/storefront');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('user info');
    await page.getByRole('option', { name: /User info/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/user-info');
    expectNoTrouble();
    await close();
  });

  it('Ctrl K finds a resource by its kind and a part of its name, and opens it where it belongs', async () => {
    await stage.createApplication('pantry', { path: 'settings', namespace: 'kitchen' });
    await stage.waitForState('pantry', 'Synced Healthy');
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('sett config');
    await page.getByRole('option', { name: /ConfigMap settings of pantry in kitchen/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: /ConfigMap settings of pantry in kitchen/ }).click();
    await page.waitForURL('**/applications/argocd/pantry?node=*');
    await page.getByRole('tab', { name: 'Live manifest' }).click();
    await page.getByText('theme: calm').waitFor();
    expectNoTrouble();
    await close();
  });

  it('keys lead to pages, and ? tells which', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Applications', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('link', { name: 'storefront' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('store');
    await page.getByRole('link', { name: 'hostile' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    expectNoTrouble();
    await close();
  });

  it('a list is walked and opened with the keyboard alone', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=o');
    await page.getByRole('link', { name: 'storefront' }).waitFor();
    await page.getByRole('table').focus();
    await page.keyboard.press('j');
    await page.locator('[role=row]:focus', { hasText: 'hostile' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=row]:focus', { hasText: 'storefront' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/applications/argocd/storefront');
    expectNoTrouble();
    await close();
  });

  it('an application is looked through, acted upon and left with the keyboard alone', async () => {
    await stage.createApplication('by-hand', { path: 'settings', automated: false });
    await stage.waitForState('by-hand', 'OutOfSync Missing');
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/by-hand');
    await page.getByText('1 of 1 differs').waitFor();
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        `(({ ariaLabel, textContent, title }) => (ariaLabel || textContent || title || '').trim().replace(/\\s+/g, ' '))(document.activeElement)`,
      );
    /** Tabs until something is reached; all of it must be within a person's patience. */
    const tabTo = async (pattern: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (pattern.test(await focused())) return;
      }
      throw new Error(`${pattern} cannot be reached`);
    };
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    await tabTo(/^Sync$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(/^Sync now$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Who closes it is where they were.
    await expect.poll(focused).toBe('Sync');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(/^Sync now$/);
    await page.keyboard.press('Enter');
    await page.getByText('All resources are healthy').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await tabTo(/^ConfigMap.*settings$/);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Live manifest' }).waitFor();
    await page.waitForURL(/node=/);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Live manifest' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL('**/applications');
    expectNoTrouble();
    await close();
  });

  it('a link that was copied shows a colleague the same: filters, order, view and what was open', async () => {
    const first = await stage.openSignedIn('/applications');
    await first.page.getByLabel('Search applications by name').fill('store');
    await first.page.getByRole('button', { name: 'Name', exact: true }).click();
    await first.page.getByRole('button', { name: /^OutOfSync/ }).click();
    await first.page.getByRole('button', { name: 'Tiles' }).click();
    await first.page.waitForURL(/search=store/);
    await first.page.waitForURL(/view=tiles/);
    const copied = first.page.url();
    first.expectNoTrouble();
    await first.close();
    const second = await stage.openSignedIn(copied, { username: 'reader', password: readerPassword });
    await second.page.getByRole('link', { name: 'storefront' }).waitFor();
    expect(await second.page.getByLabel('Search applications by name').inputValue()).toBe('store');
    expect(await second.page.getByRole('button', { name: /^OutOfSync/ }).getAttribute('aria-pressed')).toBe('true');
    expect(await second.page.getByRole('region', { name: 'Applications as tiles' }).isVisible()).toBe(true);
    await second.page.getByRole('link', { name: 'storefront' }).click();
    await second.page.getByRole('button', { name: /ConfigMap.*settings/ }).click();
    await second.page.waitForURL(/node=/);
    await second.page.reload();
    await second.page.getByRole('tab', { name: 'Summary' }).waitFor();
    second.expectNoTrouble();
    await second.close();
  });

  it('the addresses of Argo CD lead to the same places', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/storefront');
    const places: readonly (readonly [path: string, seen: string])[] = [
      ['/applications/storefront', 'storefront'],
      ['/applications/argocd/storefront?view=tree&resource=', 'storefront'],
      ['/applications?proj=default&sync=OutOfSync&health=Missing&search=storefront', 'Applications'],
      ['/applicationsets', 'ApplicationSets'],
      ['/settings', 'Settings'],
      ['/settings/projects', 'Projects'],
      ['/settings/projects/default', 'default'],
      ['/settings/repos', 'Repositories'],
      ['/settings/clusters', 'Clusters'],
      ['/settings/certs', 'Certificates'],
      ['/settings/gpgkeys', 'GnuPG keys'],
      ['/settings/accounts', 'Accounts'],
      ['/user-info', 'User info'],
      ['/help', 'API'],
    ];
    for (const [path, heading] of places) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: heading }).first().waitFor();
      expect(await page.getByText('There is no such page').count(), path).toBe(0);
    }
    expectNoTrouble();
    await close();
  });

  it('texts of others are texts: nothing of them runs, leads anywhere or turns the page round', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=hostile');
    await page
      .getByRole('row', { name: /hostile/ })
      .getByText(HOSTILE_PATH)
      .waitFor();
    for (const view of ['tiles', 'attention']) {
      await page.goto(`/applications?view=${view}&proj=${encodeURIComponent('<script>window.harmed=true</script>')}&search=hostile`);
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await page.getByRole('link', { name: 'hostile' }).waitFor();
    }
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it('what somebody may not do says why', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications', { username: 'reader', password: readerPassword });
    await page.getByLabel('Select storefront').check();
    await page.getByRole('button', { name: 'Sync…' }).click();
    await page.getByText(/You may not sync applications default\/storefront: /).waitFor();
    expectNoTrouble();
    await close();
  });

  it('favourites stay marked, and can be looked at alone', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications');
    await page.getByRole('button', { name: 'Favourite storefront' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await page.getByRole('link', { name: 'hostile' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).toBe(2);
    expectNoTrouble();
    await close();
  });

  it('a narrow screen has the same pages behind a button', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications', { size: { width: 390, height: 780 } });
    await page.getByRole('link', { name: 'storefront' }).waitFor();
    expect(await page.getByRole('link', { name: 'User info' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'User info' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await expectAccessible(page);
    expectNoTrouble();
    await close();
  });

  it('the theme follows the machine until somebody chooses, and then stays', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/user-info', { colorScheme: 'dark' });
    const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.getByRole('button', { name: 'Theme: as the system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
    expect(await background()).toBe(light);
    await expectAccessible(page);
    expectNoTrouble();
    await close();
  });

  it.each(['light', 'dark'] as const)('settings and user info tell everybody how things are, in %s', async (colorScheme) => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings', { colorScheme });
    await page.getByText('Resources are tracked by').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'User info' }).click();
    await page.getByText('Argo CD v3').waitFor();
    await expectAccessible(page);
    expectNoTrouble();
    await close();
  });

  it('an address that leads nowhere says so', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/nothing/like/this');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('link', { name: 'Go to the applications' }).click();
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    expectNoTrouble();
    await close();
  });
});
