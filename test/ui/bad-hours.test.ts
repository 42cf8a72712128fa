import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const APPLICATION = { group: 'argoproj.io', version: 'v1alpha1', plural: 'applications', kind: 'Application', namespaced: true } as const;
const BULK = Array.from({ length: 12 }, (_, index) => `bulk-${String(index).padStart(2, '0')}`);
const BROKEN = 1_000;

describeStories('in a bad hour', () => {
  let stage: UiStage;
  /** Applications that nothing happens to. */
  const createQuiet = async (name: string): Promise<void> => {
    const { status, text } = await stage.call('POST', '/api/v1/applications?validate=false', {
      metadata: { name, annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
      spec: {
        project: 'default',
        source: { repoURL: stage.repository.url, path: 'web' },
        destination: { server: IN_CLUSTER, namespace: 'quiet' },
      },
    });
    if (status !== 200) throw new Error(`${name} could not be created: ${text}`);
  };

  beforeAll(async () => {
    stage = await startUiStage();
    await stage.createApplication('typed', { path: 'settings' });
    for (const name of BULK) await createQuiet(name);
    await stage.waitForState('typed', 'Synced Healthy');
  });
  afterAll(() => stage?.close());

  it('what somebody types into a live manifest stays when the object changes, and they are told what changed', async () => {
    const settings = { namespace: 'typed', name: 'settings' };
    const { page, expectNoTrouble, close } = await stage.openSignedIn(
      '/applications/argocd/typed?node=%2FConfigMap%2Ftyped%2Fsettings&panel=live',
    );
    await page.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('textbox', { name: 'Edit the live manifest' });
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('immutable: false\n');
    await stage.home.patch(kinds.configMap, settings, { type: 'merge', body: { data: { theme: 'wild' } } });
    await page.getByText('It was changed meanwhile: data.theme.').waitFor();
    await editor.getByText('immutable: false').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('ConfigMap settings was changed').waitFor();
    // Theirs and ours.
    expect(await stage.home.get(kinds.configMap, settings)).toMatchObject({ immutable: false, data: { theme: 'wild' } });
    expectNoTrouble();
    await close();
  });

  it('a question that the server refuses leaves no rows of the one before', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=bulk');
    await page.getByRole('link', { name: 'bulk-00' }).waitFor();
    allow(/status of 400/);
    await page.getByLabel('Labels').fill('team in (');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'The applications could not be read' }).waitFor();
    await alert.getByText('error parsing the selector').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Labels').fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'bulk-00' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('rows that could not be read again say so, and are not selected until they are', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=bulk');
    await page.getByRole('link', { name: 'bulk-00' }).waitFor();
    allow(/status of 503/);
    let isBroken = true;
    await page.route(isList, (route) =>
      isBroken
        ? route.fulfill({ status: 503, json: { code: 14, message: 'the applications cannot be read at the moment' } })
        : route.continue(),
    );
    await createQuiet('bulk-later');
    await page.getByText('The applications could not be read again: the applications cannot be read at the moment.').waitFor();
    expect(await page.getByLabel('Select bulk-00').isDisabled()).toBe(true);
    expect(await page.getByLabel('Select all that are listed').isDisabled()).toBe(true);
    await expectAccessible(page);
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'bulk-later' }).waitFor();
    await page.getByLabel('Select bulk-00').check();
    await stage.call('DELETE', '/api/v1/applications/bulk-later?cascade=false');
    await page.getByRole('link', { name: 'bulk-later' }).waitFor({ state: 'detached' });
    expectNoTrouble();
    await close();
  });

  it('of a thousand that are broken the most urgent is seen first, and how many more there are', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/applications?view=attention&search=nothing-like-it');
    await page.getByRole('heading', { name: 'Nothing here needs you' }).waitFor();
    await page.getByText('Every application that the filters leave is healthy').waitFor();
    // The server's part is played by the browser's own tools; there is nothing behind the names.
    allow(/status of 40[34]/);
    await page.route(isList, (route) =>
      new URL(route.request().url()).searchParams.has('needsAttention') ? listBroken(route) : route.continue(),
    );
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    const lines = page.getByRole('list', { name: 'What needs attention' }).getByRole('listitem');
    await lines.first().getByText('zeta').waitFor();
    await lines.getByText(`and ${BROKEN - 300} more`).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    await lines.getByText(`and ${BROKEN - 600} more`).waitFor();
    expectNoTrouble();
    await close();
  });

  it('a sync of many is stopped, by its button and by closing it, and says how far it came', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=bulk');
    const held: Route[] = [];
    await page.route('**/api/v1/applications/*/sync', (route) => void held.push(route));
    const answer = async (from: number): Promise<void> => {
      for (const route of held.slice(from)) await route.fulfill({ json: {} });
    };
    await page.getByRole('link', { name: 'bulk-00' }).waitFor();
    await page.getByLabel('Select all that are listed').check();
    await page.getByRole('button', { name: 'Sync…' }).click();
    const dialog = page.getByRole('dialog', { name: `Sync ${BULK.length} applications` });
    await dialog.getByRole('button', { name: 'Sync now' }).click();
    await waitUntil(() => held.length === 4);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await answer(0);
    await dialog.getByText(`Stopped: 4 of ${BULK.length} were started, the others stay as they are.`).waitFor();
    expect(held).toHaveLength(4);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Sync the other 8' }).click();
    await waitUntil(() => held.length === 8);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await answer(4);
    await page.getByText(`Stopped: 8 of ${BULK.length} were started, the others stay as they are.`).waitFor();
    expect(held).toHaveLength(8);
    expectNoTrouble();
    await close();
  });

  it('what a dry run that was stopped has tried is synced with the others when it is done for real', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications?search=bulk');
    const held: Route[] = [];
    await page.route('**/api/v1/applications/*/sync', (route) => void held.push(route));
    await page.getByRole('link', { name: 'bulk-00' }).waitFor();
    await page.getByLabel('Select all that are listed').check();
    await page.getByRole('button', { name: 'Sync…' }).click();
    const dialog = page.getByRole('dialog', { name: `Sync ${BULK.length} applications` });
    await dialog.getByLabel('Dry run: change nothing').check();
    await dialog.getByRole('button', { name: 'Try it' }).click();
    await waitUntil(() => held.length === 4);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    for (const route of held) await route.fulfill({ json: {} });
    await dialog.getByRole('button', { name: 'Try the other 8' }).waitFor();
    await dialog.getByLabel('Dry run: change nothing').uncheck();
    await dialog.getByRole('button', { name: 'Sync now' }).click();
    await waitUntil(() => held.length === 8);
    const asked = held.map((route) => new URL(route.request().url()).pathname);
    expect(asked.slice(4).toSorted()).toEqual(asked.slice(0, 4).toSorted());
    await dialog.getByRole('button', { name: 'Stop' }).click();
    for (const route of held.slice(4)) await route.fulfill({ json: {} });
    await dialog.getByRole('button', { name: 'Sync the other 8' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('a watch begins where the list was read, and does not tell of all that there are', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    const { json } = await stage.call('GET', '/api/v1/applications?limit=1');
    const { resourceVersion } = json['metadata'] as { readonly resourceVersion: string };
    const watch = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/v1/stream/applications');
    await page.getByRole('link', { name: 'Applications', exact: true }).first().click();
    const asked = new URL((await watch).url()).searchParams.get('resourceVersion');
    expect(Number(asked)).toBeGreaterThanOrEqual(Number(resourceVersion));
    // What comes after that is told.
    await createQuiet('afterwards');
    await page.getByRole('link', { name: 'afterwards' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('a watch that was refused, as by a gateway that found no server, goes on when it is not any more', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    allow(/status of 404/);
    let [refusals, isOpen, isAway] = [0, false, true];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/v1/stream/applications' && response.ok()) isOpen = true;
    });
    await page.route('**/api/v1/stream/applications?*', (route) => {
      if (!isAway) return route.continue();
      refusals += 1;
      return route.fulfill({ status: 404, contentType: 'text/html', body: 'no server' });
    });
    await page.goto('/applications?search=refused');
    await waitUntil(() => refusals > 0);
    isAway = false;
    // It asks again by itself, and sooner where the network is back.
    await waitUntil(async () => {
      await page.evaluate("window.dispatchEvent(new Event('online'))");
      return isOpen;
    });
    await createQuiet('refused-before');
    await page.getByRole('link', { name: 'refused-before' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('the page of an application that went while nobody could tell of it does not look as if it were there', async () => {
    await createQuiet('leaving');
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/user-info');
    // Streams that end at once, as those of a server that has just started and remembers no deletion.
    await page.route('**/api/v1/stream/applications?*', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
    await page.goto('/applications/argocd/leaving');
    await page.getByText('It has never been synced').waitFor();
    allow(/status of 403/);
    await stage.call('DELETE', '/api/v1/applications/leaving?cascade=false');
    await page
      .getByRole('alert')
      .getByText('leaving was deleted meanwhile, or you may no longer see it. What you see is from before.')
      .waitFor();
    await expectAccessible(page);
    expectNoTrouble();
    await close();
  });

  it('an operation is terminated after a question', async () => {
    await createQuiet('stuck');
    const operationState = { phase: 'Running', message: 'waiting', startedAt: '2026-01-01T00:00:00Z', operation: { sync: {} } };
    const body = { operation: { sync: {} }, status: { operationState } };
    await stage.home.patch(APPLICATION, { namespace: 'argocd', name: 'stuck' }, { type: 'merge', body });
    const phase = async (): Promise<unknown> => {
      const { status } = (await stage.home.get(APPLICATION, { namespace: 'argocd', name: 'stuck' })) as unknown as {
        readonly status: { readonly operationState: { readonly phase: string } };
      };
      return status.operationState.phase;
    };
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/stuck');
    await page.getByRole('button', { name: 'Terminate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Terminate the operation of stuck?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await phase()).toBe('Running');
    await page.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByRole('button', { name: 'Terminate' }).click();
    await page.getByText('Terminating the operation of stuck').waitFor();
    expect(await phase()).toBe('Terminating');
    expectNoTrouble();
    await close();
  });

  it('a log that has ended says so, and is read again', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/typed');
    let times = 0;
    await page.route('**/logs?*', (route) => {
      const result = { content: `line of time ${(times += 1)}`, timeStampStr: '2026-01-01T00:00:00Z', podName: 'web-1', last: false };
      return route.fulfill({ contentType: 'text/event-stream', body: `data:${JSON.stringify({ result })}\n\n` });
    });
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page.getByText('line of time').waitFor();
    await page.getByText('The log has ended').waitFor();
    const before = times;
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByText(`line of time ${before + 1}`).waitFor();
    expectNoTrouble();
    await close();
  });

  it('copying works where the browser has no clipboard for the page, and says so where it does not', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/typed');
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })");
    await page.reload();
    const button = page.getByRole('button', { name: 'Copy the name' }).first();
    await button.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await pasteInto(page, 'typed');
    await page.evaluate('document.execCommand = () => false');
    await button.click();
    await page.getByText('The browser does not let this page copy.').waitFor();
    expectNoTrouble();
    await close();
  });
});

function isList(url: URL): boolean {
  return url.pathname === '/api/v1/applications';
}

/** A thousand applications that need somebody, in the order that is asked for: only the last by name is degraded. */
async function listBroken(route: Route): Promise<void> {
  const asked = new URL(route.request().url()).searchParams;
  const all = Array.from({ length: BROKEN }, (_, index) => {
    const [name, health] = index === BROKEN - 1 ? ['zeta', 'Degraded'] : [`app-${String(index).padStart(4, '0')}`, 'Healthy'];
    return {
      metadata: { name, namespace: 'argocd', resourceVersion: '1' },
      spec: { project: 'default', destination: {} },
      status: { sync: { status: 'OutOfSync' }, health: { status: health } },
    };
  });
  if (asked.get('orderBy') === 'health') all.sort((one, other) => (one.status.health.status < other.status.health.status ? -1 : 1));
  await route.fulfill({ json: { metadata: {}, items: all.slice(0, Number(asked.get('limit'))), stats: { total: BROKEN } } });
}

/** Pastes what is on the clipboard into the search of the palette, where it must be this. */
async function pasteInto(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.waitFor();
  await page.keyboard.press('Control+v');
  await expect.poll(() => field.inputValue()).toBe(text);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
}
