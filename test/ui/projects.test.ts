import { afterAll, beforeAll, it } from 'vitest';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

describeStories('projects', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
  });
  afterAll(() => stage?.close());

  it('are created, given rules by form, and reviewed before they are saved', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'default', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('garden');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/settings/projects/garden');
    await page.getByText('No repository is allowed, so no application can work.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Source repositories' }).fill(stage.repository.url);
    await page.getByRole('button', { name: 'Add to destinations' }).click();
    await page.getByRole('combobox', { name: 'or name of destinations 1' }).fill('in-cluster');
    await page.getByRole('textbox', { name: 'Namespace of destinations 1' }).fill('garden-*');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('added in-cluster / garden-*').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('garden was saved').waitFor();
    await page.getByRole('cell', { name: 'garden-*' }).waitFor();
    expectNoTrouble();
    await close();
  });
});
