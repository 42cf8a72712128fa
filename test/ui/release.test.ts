import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployment } from '../support/argocd-stage.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

/** The same, but its containers cannot start. */
function crashing(manifest: string): string {
  const object = JSON.parse(manifest) as { metadata: object };
  return JSON.stringify({ ...object, metadata: { ...object.metadata, annotations: { 'simulate.fairway.dev/behavior': 'fail' } } });
}

describeStories('a bad release', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.createApplication('orders', { path: 'api' });
    await stage.waitForState('orders', 'Synced Healthy');
    await stage.repository.commit({ 'api/deployment.json': crashing(deployment('api')) }, 'Ship faster checkout');
    await stage.call('GET', '/api/v1/applications/orders?refresh=normal');
    await stage.waitForState('orders', 'Synced Degraded');
  });
  afterAll(() => stage?.close());

  it('is found on its page, with the log of what crashes', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/orders');
    await page
      .getByText(/Deployment api/)
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /^Pod .* api-/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('tab', { name: 'Logs' }).last().click();
    await page
      .getByRole('log')
      .or(page.getByText(/No log|Nothing has been written/))
      .first()
      .waitFor();
    expectNoTrouble();
    await close();
  });

  it('is compared with the one before, and rolled back and held in four clicks', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/orders');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Ship faster checkout').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'deployed now' }).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare' }).first().click();
    await page
      .getByText(/simulate.fairway.dev\/behavior/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Roll back' }).click();
    await page.getByLabel('Why').fill('checkout is broken');
    await page.getByRole('button', { name: 'Roll back' }).last().click();
    await page.getByText('All resources are healthy').waitFor();
    await page.getByText('PinnedWarning').waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page
      .getByText(/Ship faster checkout/)
      .first()
      .waitFor();
    expectNoTrouble();
    await close();
  });
});
