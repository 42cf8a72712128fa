import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const USER = 'deploy';
const PASSWORD = 'right-password';

describeStories('repositories', () => {
  let stage: UiStage;
  let git: GitHttpServer;
  /** The address of the private repository. */
  let address: string;
  beforeAll(async () => {
    stage = await startUiStage();
    const { folder } = stage.repository;
    const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    git = await startGitHttpServer({ root: dirname(folder), authorization });
    address = `${git.url}/${basename(folder)}/.git`;
  });
  afterAll(async () => {
    await stage?.close();
    await git?.close();
  });

  it('a private one is added with a wrong password, says why it fails, is mended, and can be reached', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings');
    allow(/status of (400|500)/);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Repositories' }).click();
    await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByLabel('Name (optional)').fill('shop');
    await page.getByLabel('Sign in with').selectOption('User name and password');
    await page.getByLabel('User name').fill(USER);
    await page.getByLabel('Password or access token').fill('wrong-password');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The server refuses these credentials').waitFor();
    await page.getByText('What the server says').click();
    await page.getByText(/authentication required/).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => page.getByText('The server refuses these credentials').count()).toBeGreaterThan(0);
    await expectAccessible(page);

    await page.getByLabel('Password or access token').fill(PASSWORD);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('can be reached with this').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /shop .* Git .* Successful/ }).waitFor();
    expect(await page.content()).not.toContain(PASSWORD);
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });
});
