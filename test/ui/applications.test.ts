import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployment } from '../support/argocd-stage.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

describeStories('the applications', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.createApplication('basket', { path: 'settings', labels: { team: 'shop' } });
    await stage.createApplication('catalogue', { path: 'web', automated: false });
    await stage.createApplication('identity', { path: 'settings' });
    await stage.waitForState('basket', 'Synced Healthy');
    await stage.waitForState('identity', 'Synced Healthy');
    await stage.waitForState('catalogue', 'OutOfSync Missing');
  });
  afterAll(() => stage?.close());

  it('are found by name and state, and the address keeps what was chosen', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications');
    await page.getByRole('link', { name: 'basket' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.getByLabel('Search applications by name').fill('ta');
    await page.getByRole('link', { name: 'basket' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^OutOfSync/ }).click();
    await page.waitForURL(/search=ta&sync=OutOfSync/);
    await page.reload();
    await page.getByRole('link', { name: 'catalogue' }).waitFor();
    expect(await page.getByLabel('Search applications by name').inputValue()).toBe('ta');
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('link', { name: 'identity' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('change while somebody looks, without a reload', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=fresh');
    await page.getByText('No application matches').waitFor();
    await stage.createApplication('fresh', { path: 'settings' });
    await page.getByRole('row', { name: /fresh/ }).getByText('Synced').waitFor();
    await stage.call('DELETE', '/api/v1/applications/fresh');
    await page.getByText('No application matches').waitFor();
    expectNoTrouble();
    await close();
  });

  it('are synced together, after a look at what will change', async () => {
    await stage.createApplication('together', { path: 'settings', automated: false });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=together');
    await page.getByLabel('Select together').check();
    await page.getByRole('button', { name: 'Sync…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('ConfigMap settings').waitFor();
    await dialog.getByRole('button', { name: 'Sync now' }).click();
    await dialog.getByText('Started').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page
      .getByRole('row', { name: /together/ })
      .getByText('Synced')
      .waitFor();
    expectNoTrouble();
    await close();
  });

  it('that need somebody are in one place, with what is wrong and why', async () => {
    const failing = JSON.parse(deployment('crashing')) as { metadata: object };
    const annotations = { 'simulate.fairway.dev/behavior': 'fail' };
    const manifest = { ...failing, metadata: { ...failing.metadata, annotations } };
    await stage.repository.commit({ 'crashing/deployment.json': JSON.stringify(manifest) });
    await stage.createApplication('crashing', { path: 'crashing' });
    await stage.waitForState('crashing', 'Synced Degraded');
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications');
    await page.getByRole('button', { name: 'Needs attention' }).click();
    const lines = page.getByRole('list', { name: 'What needs attention' }).getByRole('listitem');
    await lines.first().getByText('Deployment "crashing" exceeded its progress deadline').waitFor();
    await lines.getByText('catalogue').waitFor();
    expect(await lines.getByText('basket').count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it('are selected all at once, and asked to be compared again', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=a');
    await page.getByRole('link', { name: 'basket' }).waitFor();
    await page.getByLabel('Select all that are listed').check();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/Compared \d+ with their sources again/).waitFor();
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    expect(await page.getByRole('region', { name: 'Selected applications' }).count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it.each(['light', 'dark'] as const)('can be used by everybody, in %s', async (colorScheme) => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications', { colorScheme });
    await page.getByRole('link', { name: 'basket' }).waitFor();
    await expectAccessible(page);
    await page.goto('/applications?view=tiles');
    await page.getByRole('link', { name: 'basket' }).waitFor();
    await expectAccessible(page);
    await page.goto('/applications?view=attention');
    await page.getByText('Missing').last().waitFor();
    await expectAccessible(page);
    expectNoTrouble();
    await close();
  });
});
