import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResourceType } from '../../src/kube/index.ts';
import { deployment, IN_CLUSTER } from '../support/argocd-stage.ts';
import { kinds } from '../support/kinds.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const TURNED = 'invoice\u202Egpj.exe, ad\u200Bmin';
const SHOWN = 'invoice⟨U+202E⟩gpj.exe, ad⟨U+200B⟩min';
const LINES = 100_000;
const LINE = 'x'.repeat(60);

/** Manifests of two megabytes: many lines, and one very long line. */
const HUGE = {
  'huge.json': JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'huge' },
    data: { lines: `${LINE}\n`.repeat(16_000), line: 'y'.repeat(1_000_000) },
  }),
};

const LINK = 'link.argocd.argoproj.io/external-link';

describeStories('an application made by somebody hostile', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    const web = JSON.parse(deployment('web')) as { metadata: object };
    const annotations = { note: `${SCRIPT} ${TURNED}`, [LINK]: 'javascript:window.hacked=1' };
    const files = { 'hostile/web.json': JSON.stringify({ ...web, metadata: { ...web.metadata, annotations } }) };
    await stage.repository.commit(files, `${SCRIPT} ${TURNED}`);
    await stage.repository.commit(
      Object.fromEntries(Object.entries(HUGE).map(([path, text]) => [`huge/${path}`, text])),
      `${SCRIPT} ${TURNED}`,
    );
    const info = [
      { name: SCRIPT, value: 'javascript:window.hacked=1' },
      { name: 'Runbook', value: `https://wiki.example/${TURNED}` },
    ];
    await create('hostile', 'Synced Healthy', { info });
    // A cluster takes no ConfigMap of that size; what the source declares is shown all the same.
    await create('huge', 'OutOfSync Missing');
  });
  afterAll(() => stage?.close());

  /** Nothing of what they wrote ran, or can be clicked to run. */
  async function expectHarmless(page: Page): Promise<void> {
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('a[href^="javascript" i], img[src="x"], main script').count()).toBe(0);
  }

  it('shows names, annotations, links and messages of commits as text, and what hides in them by its name', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/hostile?tab=details');
    const card = page.getByRole('region', { name: 'Info and links' });
    await card.getByText(SCRIPT).waitFor();
    await card.getByText('javascript:window.hacked=1').first().waitFor();
    await card.getByText(`https://wiki.example/${SHOWN}`).waitFor();
    await expectHarmless(page);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(`${SCRIPT} ${SHOWN}`).first().waitFor();
    await expectHarmless(page);
    await page.goto('/applications/argocd/hostile?node=apps%2FDeployment%2Fhostile%2Fweb&panel=live');
    await page.getByRole('tab', { name: 'Live manifest' }).click();
    await page.getByText('window.hacked=1').first().waitFor();
    await expectHarmless(page);
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });

  it('shows events of a resource and of a project as text', async () => {
    await tell('hostile', await identify(kinds.deployment, { namespace: 'hostile', name: 'web' }));
    await tell('argocd', await identify(kinds.appProject, { namespace: 'argocd', name: 'default' }));
    const { page, expectNoTrouble, close } = await stage.openSignedIn(
      '/applications/argocd/hostile?node=apps%2FDeployment%2Fhostile%2Fweb',
      {
        colorScheme: 'dark',
      },
    );
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText(`${SCRIPT} ${SHOWN}`).waitFor();
    await expectHarmless(page);
    await page.goto('/settings/projects/default?tab=events');
    await page.getByText(`${SCRIPT} ${SHOWN}`).waitFor();
    await expectHarmless(page);
    expectNoTrouble();
    await close();
  });

  it('opens a log of a hundred thousand lines, scrolls through it and keeps only what is in sight in the page', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/hostile');
    // The server's part is played by the browser's own tools: simulated pods write little.
    await page.route('**/logs?*', (route) => route.fulfill({ contentType: 'text/event-stream', body: createLog() }));
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page.getByText(`line ${LINES - 1} `).waitFor({ timeout: 60_000 });
    const log = page.getByRole('log');
    expect(await log.locator('.log-line').count()).toBeLessThan(300);
    await log.focus();
    await page.keyboard.press('Home');
    await page.getByText(`line 0 ${SCRIPT} ${SHOWN}`).waitFor();
    await expectHarmless(page);
    await page.getByLabel('Search in the log').fill(`line ${LINES - 7} `);
    await page.getByText('1 line', { exact: true }).waitFor();
    expect(await log.locator('.log-line').count()).toBeLessThan(300);
    expectNoTrouble();
    await close();
  });

  it('shows a manifest of two megabytes, and goes on to answer', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/huge?node=%2FConfigMap%2Fhuge%2Fhuge');
    await page.getByRole('tab', { name: 'Desired manifest' }).click();
    await page.getByText('apiVersion: v1').waitFor({ timeout: 30_000 });
    // Only what is in sight is in the page, also of the line that is a million characters long.
    const length = await page.evaluate("document.querySelector('.code-view').shadowRoot.textContent.length");
    expect(length).toBeLessThan(200_000);
    const started = Date.now();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByRole('button', { name: 'Copy the name' }).last().waitFor();
    expect(Date.now() - started).toBeLessThan(5_000);
    expectNoTrouble();
    await close();
  });

  async function create(name: string, state: string, more: object = {}): Promise<void> {
    const spec = {
      project: 'default',
      source: { repoURL: stage.repository.url, path: name, targetRevision: 'HEAD' },
      destination: { server: IN_CLUSTER, namespace: name },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
      ...more,
    };
    expect((await stage.call('POST', '/api/v1/applications', { metadata: { name }, spec })).status).toBe(200);
    await stage.waitForState(name, state);
  }

  async function identify(kind: ResourceType, place: { readonly namespace: string; readonly name: string }): Promise<object> {
    const { apiVersion, metadata } = await stage.home.get(kind, place);
    return { apiVersion, kind: kind.kind, ...place, uid: metadata.uid };
  }

  /** Writes an event about something. */
  async function tell(namespace: string, involvedObject: object): Promise<void> {
    await stage.home.create(kinds.event, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'hostile.1', namespace },
      involvedObject,
      reason: 'Odd',
      message: `${SCRIPT} ${TURNED}`,
      type: 'Warning',
      lastTimestamp: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
    });
  }
});

function createLog(): string {
  const parts: string[] = [];
  for (let index = 0; index < LINES; index += 1) {
    const timeStampStr = new Date(1_700_000_000_000 + index * 10).toISOString();
    const content = `line ${index} ${index === 0 ? `${SCRIPT} ${TURNED}` : 'as others'}`;
    const result = { content, timeStamp: timeStampStr, timeStampStr, podName: 'web-1', last: false };
    parts.push(`data:${JSON.stringify({ result })}\n\n`);
  }
  return parts.join('');
}
