import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../support/kinds.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

describeStories('one application', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.createApplication('shop', { automated: false });
    await stage.waitForState('shop', 'OutOfSync Missing');
  });
  afterAll(() => stage?.close());

  it('is synced from its page, and its tree grows while somebody looks', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/shop');
    await page.getByText(/2 of 2 differ: Service web, Deployment web/).waitFor();
    await page.getByText('It has never been synced').waitFor();
    await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page
      .getByRole('button', { name: /^Pod .* web-/ })
      .first()
      .waitFor();
    await page.getByText('All resources are healthy').waitFor();
    await page.getByText('successfully synced (all tasks run)').waitFor();
    expect(await page.getByRole('button', { name: /^ReplicaSet/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Hide what is below web', exact: true }).click();
    await page.getByRole('button', { name: /^ReplicaSet/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show 3 below web' }).waitFor();
    await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
    await page.getByRole('button', { name: 'Try it first' }).click();
    await page.getByText('The trial went well').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });

  it('shows its resources as a network and as a list, narrowed by what the address says', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/shop?view=list&kind=Pod');
    await page
      .getByRole('row', { name: /Pod web-/ })
      .first()
      .waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: 'Network' }).click();
    await page.getByRole('group', { name: 'Network of resources' }).waitFor();
    await page.getByRole('button', { name: /^Pod/ }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Deployment/ }).count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it('says why it is out of sync: which field, who wrote it, and the rule that leaves it to them', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/shop', { colorScheme: 'dark' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('All resources are healthy').waitFor();
    await stage.home.patch(
      kinds.deployment,
      { namespace: 'shop', name: 'web' },
      { type: 'merge', body: { spec: { replicas: 5 } } },
      { fieldManager: 'night-shift' },
    );
    await page.getByText('1 of 2 differs: Deployment web').waitFor();
    await page.getByRole('button', { name: /^Deployment/ }).click();
    await page.getByRole('tab', { name: 'Difference' }).click();
    await page.getByText(/it was changed in the cluster, last written by/).waitFor();
    await page.getByText('night-shift').waitFor();
    await page.getByRole('button', { name: /Copy the rule that ignores \/spec\/replicas/ }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('- /spec/replicas');
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });

  it('has resources that can be looked at, acted upon, edited and deleted', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/shop?node=apps%2FDeployment%2Fshop%2Fweb');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: /Restart/i }).click();
    await page
      .getByRole('button', { name: /Restart/i })
      .last()
      .click();
    await page.getByText(/was done/).waitFor();
    await page.getByRole('tab', { name: 'Live manifest' }).click();
    await page.getByText('restartedAt').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('the next sync creates it again').waitFor();
    await page.getByRole('button', { name: 'Delete' }).last().click();
    await page
      .getByText(/Missing/)
      .first()
      .waitFor();
    expectNoTrouble();
    await close();
  });
});
