import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { describeStories } from './support/describe-stories.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const SKIP_RECONCILE = { 'argocd.argoproj.io/skip-reconcile': 'true' };

describeStories('a page that stays open', () => {
  let stage: UiStage;
  /** Applications that nothing happens to. */
  const createQuiet = (name: string): Promise<unknown> =>
    stage.call('POST', '/api/v1/applications?validate=false', {
      metadata: { name, annotations: SKIP_RECONCILE },
      spec: {
        project: 'default',
        source: { repoURL: stage.repository.url, path: 'web' },
        destination: { server: IN_CLUSTER, namespace: 'quiet' },
      },
    });

  beforeAll(async () => {
    stage = await startUiStage();
    for (let index = 0; index < 150; index += 1) await createQuiet(`quiet-${String(index).padStart(3, '0')}`);
  });
  afterAll(() => stage?.close());

  it('shows a quiet banner while the server is away, and what happened meanwhile when it is back', async () => {
    const wire = await startCuttingProxy(stage.fairway);
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=meanwhile', { through: wire.url });
    // The browser itself tells of each connection that it could not make.
    allow(/ERR_|Failed to load resource/);
    await page.getByText('No application matches').waitFor();
    wire.cut();
    await page.getByText('The server cannot be reached').waitFor();
    await createQuiet('meanwhile');
    expect(await page.getByText('No application matches').isVisible()).toBe(true);
    wire.mend();
    await page.getByRole('link', { name: 'meanwhile' }).waitFor();
    await page.getByText('The server cannot be reached').waitFor({ state: 'detached' });
    expectNoTrouble();
    await close();
    await wire.close();
  });

  it('does not move what somebody reads when others come and go above it', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=quiet');
    await page.getByRole('link', { name: 'quiet-000' }).waitFor();
    await page.getByRole('table').evaluate((table) => table.scrollTo(0, 48 * 120));
    const read = page.getByRole('link', { name: 'quiet-125' });
    await read.waitFor();
    const before = await read.boundingBox();
    for (const name of ['a-quiet-1', 'a-quiet-2', 'a-quiet-3']) await createQuiet(name);
    await page.getByRole('heading', { name: 'Applications 153' }).waitFor();
    expect((await read.boundingBox())?.y).toBe(before?.y);
    for (const name of ['a-quiet-1', 'a-quiet-2', 'a-quiet-3']) await stage.call('DELETE', `/api/v1/applications/${name}?cascade=false`);
    await page.getByRole('heading', { name: 'Applications 150' }).waitFor();
    expect((await read.boundingBox())?.y).toBe(before?.y);
    expectNoTrouble();
    await close();
  });

  it('leads to the sign-in page when the session has ended, and back', async () => {
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=quiet-00');
    await page.getByRole('link', { name: 'quiet-000' }).waitFor();
    // Somebody signed out elsewhere.
    await context.request.delete('/api/v1/session');
    // The next question shows it, unless the stream of changes has shown it already.
    const search = page.getByLabel('Search applications by name');
    await search.fill('quiet-0', { timeout: 1_000 }).catch(() => undefined);
    await page.getByText('Your session ended').waitFor();
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(stage.fairway.adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'quiet-000' }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toMatch(/^quiet-00?$/);
    expectNoTrouble();
    await close();
  });
});
