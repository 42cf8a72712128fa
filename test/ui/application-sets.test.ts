import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { configMap } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const HARM = '<img src=x onerror=window.harmed=true>';
const TURNED = 'x\u202Egnp.exe\u200B';

describeStories('application sets', () => {
  let stage: UiStage;
  beforeAll(async () => {
    stage = await startUiStage();
    await stage.configure('argocd-cmd-params-cm', { 'applicationsetcontroller.enable.progressive.syncs': 'true' });
    await create('shop', { generators: [list('web', 'api')], template: template('shop-{{name}}', '{{name}}') });
  });
  afterAll(() => stage?.close());

  const list = (...names: readonly string[]) => ({ list: { elements: names.map((name) => ({ name })) } });
  const folders = (path: string) => ({ git: { repoURL: stage.repository.url, revision: 'HEAD', directories: [{ path }] } });
  const template = (name: string, path: string, metadata: object = {}, automated = true) => ({
    metadata: { name, ...metadata },
    spec: {
      project: 'default',
      source: { repoURL: stage.repository.url, targetRevision: 'HEAD', path },
      destination: { server: IN_CLUSTER, namespace: name },
      syncPolicy: { ...(automated && { automated: {} }), syncOptions: ['CreateNamespace=true'] },
    },
  });
  const create = async (name: string, spec: object): Promise<void> => {
    const { status, text } = await stage.call('POST', '/api/v1/applicationsets', { metadata: { name }, spec });
    if (status !== 200) throw new Error(`${name} could not be created: ${text}`);
  };
  /** JSON is YAML. */
  const textOf = (name: string, spec: object): string =>
    JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name }, spec }, undefined, 1);
  const namesOf = async (): Promise<readonly string[]> => {
    const { json } = await stage.call('GET', '/api/v1/applications?fields=items.metadata.name');
    return ((json['items'] ?? []) as readonly { readonly metadata: { readonly name: string } }[]).map(({ metadata }) => metadata.name);
  };
  /** Takes the place of what is in the editor, as somebody does it who has the text from elsewhere. */
  const paste = async (page: Page, text: string): Promise<void> => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'ApplicationSet as YAML' }).click();
    await page.keyboard.press('Control+a');
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+v');
  };

  /** A button is disabled, and says why to those who point at it; also where the answer of the server is still on its way. */
  const expectReason = async (page: Page, button: string, reason: string | RegExp): Promise<void> => {
    await waitUntil(async () => {
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: button }).hover();
      const shown = page.getByText(reason).waitFor({ timeout: 1_500 });
      return shown.then(
        () => true,
        () => false,
      );
    });
    expect(await page.getByRole('button', { name: button }).getAttribute('aria-disabled')).toBe('true');
  };

  it('that make nothing say why: a pattern that matches no folder is found, tried otherwise, and mended', async () => {
    await create('folders', { generators: [folders('nowhere/*')], template: template('folders-{{path.basename}}', '{{path}}', {}, false) });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets');
    const row = page.getByRole('row', { name: /folders/ });
    await row.getByText('Its generators yield nothing').waitFor();
    await row.getByText(/^folders nowhere\/\* of /).waitFor();
    await row.getByRole('link', { name: 'folders' }).click();
    await page.getByRole('heading', { name: 'Its generators yield nothing' }).waitFor();
    await page.getByRole('link', { name: 'Look at what would be generated now' }).click();
    await page.getByRole('heading', { name: 'The generators yield nothing' }).waitFor();
    await page.getByRole('button', { name: 'Try a change' }).click();
    await paste(
      page,
      textOf('folders', { generators: [folders('*')], template: template('folders-{{path.basename}}', '{{path}}', {}, false) }),
    );
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('button', { name: 'Created 3' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('folders was updated').waitFor();
    await page.getByRole('tab', { name: 'Applications' }).click();
    await page.getByRole('link', { name: 'folders-settings' }).click();
    await page.waitForURL('**/applications/argocd/folders-settings');
    expectNoTrouble();
    await close();
  });

  it('show a change that would delete an application before it happens, and somebody decides against it', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets/argocd/shop?tab=details', { colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const changed = {
      generators: [list('web', 'settings')],
      template: template('shop-{{name}}', '{{name}}', { labels: { tier: 'front' } }),
    };
    await paste(page, textOf('shop', changed));
    expect(await page.getByRole('button', { name: 'Save', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    for (const word of ['Deleted 1', 'Changed 1', 'Created 1']) await page.getByRole('button', { name: word }).waitFor();
    await page.getByRole('row', { name: /Deleted shop-api/ }).waitFor();
    await page.getByRole('row', { name: /Changed shop-web metadata.labels/ }).click();
    const dialog = page.getByRole('dialog', { name: 'shop-web would be changed' });
    await dialog.getByText('tier: front').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save and delete 1 application' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'What it does' }).waitFor();
    expect((await namesOf()).filter((name) => name.startsWith('shop-'))).toEqual(['shop-api', 'shop-web']);
    expectNoTrouble();
    await close();
  });

  it('that somebody else changes meanwhile are not overwritten unseen, and what was typed stays', async () => {
    const spec = (...names: readonly string[]) => ({
      generators: [list(...names)],
      template: template('both-{{name}}', '{{name}}', {}, false),
    });
    const elements = async (): Promise<string> => {
      const { json } = await stage.call('GET', '/api/v1/applicationsets/both');
      return JSON.stringify((json['spec'] as { readonly generators: unknown }).generators);
    };
    await create('both', spec('web'));
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets/argocd/both?tab=details');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await paste(page, textOf('both', spec('web', 'settings')));
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('row', { name: /Created both-settings/ }).waitFor();
    await stage.call('POST', '/api/v1/applicationsets?upsert=true', { metadata: { name: 'both' }, spec: spec('web', 'api') });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('both was changed by somebody else meanwhile: spec.generators.').waitFor();
    expect(await elements()).toContain('api');
    await waitUntil(async () => (await namesOf()).includes('both-api'));
    // They see what theirs would do now, and decide for it.
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('row', { name: /Deleted both-api/ }).waitFor();
    await page.getByRole('button', { name: 'Save and delete 1 application' }).click();
    await page.getByText('both was updated').waitFor();
    expect(await elements()).toContain('settings');
    expectNoTrouble();
    await close();
  });

  it('that roll out in steps say what they wait for, can be held, and go on', async () => {
    const step = (value: string, more: object = {}) => ({ matchExpressions: [{ key: 'env', operator: 'In', values: [value] }], ...more });
    await create('rolling', {
      generators: [list('dev', 'qa', 'prod')],
      strategy: { type: 'RollingSync', rollingSync: { steps: [step('dev'), step('qa', { maxUpdate: 0 }), step('prod')] } },
      template: template('rolling-{{name}}', 'settings', { labels: { env: '{{name}}' } }),
    });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets/rolling?tab=rollout');
    await page.getByText('Step 2 waits for somebody to sync rolling-qa: its limit is 0.').waitFor();
    const second = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Step 2' }) });
    await second.getByText('env is qa').waitFor();
    await second.getByText('only by hand').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The rollout is paused.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await stage.call('POST', '/api/v1/applications/rolling-qa/sync', {})).status).toBe(200);
    await page.getByText('Every step is done.').waitFor({ timeout: 40_000 });
    await page.getByText('ApplicationSet Rollout has completed').waitFor();
    await page.getByRole('tab', { name: 'Applications' }).click();
    await page.getByLabel('Grouping').selectOption('step');
    const third = page.getByRole('group', { name: 'Tree of applications' }).getByText('Step 3');
    const { width = 0 } = (await third.boundingBox()) ?? {};
    for (let times = 0; times < 3; times += 1) await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(async () => (await third.boundingBox())?.width, { timeout: 15_000 }).toBeGreaterThan(width * 1.3);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(async () => (await third.boundingBox())?.width, { timeout: 15_000 }).toBeLessThanOrEqual(width);
    expectNoTrouble();
    await close();
  });

  it('are created from pasted YAML, once it can be read and somebody saw what it would make', async () => {
    const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applications');
    await page.getByRole('link', { name: 'ApplicationSets' }).click();
    await page.getByRole('button', { name: 'New ApplicationSet' }).click();
    await paste(page, 'kind: Application');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('This is of kind "Application", not ApplicationSet.').waitFor();
    allow(/status of 400/);
    const spec = { generators: [list('one')], template: template('pasted-{{name}}', 'settings') };
    const elsewhere = { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, project: 'nowhere' } } };
    await paste(page, textOf('pasted', elsewhere));
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('ApplicationSet references project nowhere which does not exist').waitFor();
    await expectReason(page, 'Create', 'The preview failed: nobody knows what it would do');
    await paste(page, textOf('pasted', spec));
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('row', { name: /Created pasted-one/ }).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL('**/applicationsets/pasted');
    await page.getByRole('link', { name: 'pasted-one' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('can only be looked at by those who may only read, and say so', async () => {
    const password = await stage.addAccount('watcher', [
      'p, watcher, applicationsets, get, */*, allow',
      'p, watcher, applications, get, */*, allow',
      'p, watcher, projects, get, *, allow',
    ]);
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets', { username: 'watcher', password });
    await expectReason(page, 'New ApplicationSet', 'You may not create applicationsets: no line allows it');
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await expectReason(page, 'Generate again', /You may not update applicationsets default\/argocd\/shop: /);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'You may not try this out' }).waitFor();
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText(/You may not delete applicationsets default\/argocd\/shop: /).waitFor();
    expectNoTrouble();
    await close();
  });

  it('with hostile texts in them are shown as texts', async () => {
    await create('hostile', {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ list: { elements: [{ name: HARM }] }, selector: { matchLabels: { name: HARM } } }, folders(TURNED)],
      template: template(`{{ .missing }}${HARM}${TURNED}`, `javascript:window.harmed=true//`),
    });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets?health=Degraded');
    await page
      .getByRole('row', { name: /hostile/ })
      .getByText(HARM)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'hostile' }).click();
    await page.getByText('RenderTemplateParamsError').first().waitFor();
    await page
      .getByText(/⟨U\+202E⟩gnp\.exe⟨U\+200B⟩.*map has no entry for key "missing"/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText(`name=${HARM}`).first().waitFor();
    await page.goto(`/applicationsets?search=${encodeURIComponent(HARM)}&proj=${encodeURIComponent(TURNED)}`);
    await page.getByRole('heading', { name: 'No ApplicationSet matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'hostile' }).waitFor();
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expectNoTrouble();
    await close();
  });

  it('are deleted after a look at what goes with them', async () => {
    await create('going', { generators: [list('one', 'two')], template: template('going-{{name}}', 'settings') });
    const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applicationsets/argocd/going');
    await page.getByRole('link', { name: 'going-two' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the ApplicationSet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete going?' });
    await dialog.getByText('2 applications will go, and everything that they deployed.').waitFor();
    await dialog.getByText('going-one').waitFor();
    await expectAccessible(page);
    allow(/status of 404/);
    await dialog.getByRole('textbox').fill('going');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('going is being deleted').waitFor();
    await page.getByRole('link', { name: 'going', exact: true }).waitFor({ state: 'detached' });
    await waitUntil(async () => !(await namesOf()).some((name) => name.startsWith('going-')));
    expectNoTrouble();
    await close();
  });

  it('ask before they delete everything because folders are gone, and do so when somebody agrees', async () => {
    const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'];
    const files = (content: string | undefined) => Object.fromEntries(names.map((name) => [`people/${name}/settings.json`, content]));
    await stage.repository.commit(files(configMap('settings')));
    await create('people', { generators: [folders('people/*')], template: template('person-{{path.basename}}', '{{path}}', {}, false) });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets/argocd/people');
    await page.getByRole('link', { name: 'person-fay' }).waitFor();
    await stage.repository.commit(files(undefined));
    await page.getByRole('button', { name: 'Generate again' }).click();
    await page.getByText('DeletionNeedsConfirmation').first().waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Deleted 6' }).waitFor();
    expect((await namesOf()).filter((name) => name.startsWith('person-'))).toHaveLength(6);
    await page.getByRole('button', { name: 'Let these 6 go' }).click();
    const dialog = page.getByRole('dialog', { name: 'Let 6 applications of people go?' });
    await dialog.getByText('6 applications will be deleted, and everything that they deployed.').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByRole('button', { name: 'Let them go' }).getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('textbox').fill('people');
    await dialog.getByRole('button', { name: 'Let them go' }).click();
    await page.getByText('6 applications of people may go').waitFor();
    await waitUntil(async () => !(await namesOf()).some((name) => name.startsWith('person-')));
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('Deleted Application "person-ada"').waitFor();
    expectNoTrouble();
    await close();
  });

  it('have an API, which can be searched and tried where it only reads', async () => {
    const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applicationsets', { size: { width: 420, height: 860 } });
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'API browser' }).click();
    await page.getByRole('searchbox', { name: 'Search methods' }).fill('get applicationset');
    await page.getByRole('link', { name: 'GET Get /api/v1/applicationsets/{name}', exact: true }).click();
    await page.getByRole('heading', { name: 'Returns an application set.' }).waitFor();
    await page.getByRole('button', { name: /^spec ApplicationSetSpec/ }).click();
    await page.getByText('goTemplate', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('shop');
    await page.getByText('GET /api/v1/applicationsets/shop', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/Answered in [\d,]+ ms/).waitFor();
    await page.getByText('"shop-{{name}}"').first().waitFor();
    await expectAccessible(page);
    allow(/status of 404/);
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('nope');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^404: .*"nope" not found/).waitFor();
    await page.goto('/help/api?operation=ApplicationSet_Watch');
    await page.getByRole('heading', { name: 'Streams are not tried here' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it.each([
    ['light', { width: 1280, height: 800 }],
    ['dark, on a narrow screen', { width: 390, height: 800 }],
  ] as const)('can be used by everybody, in %s', async (look, size) => {
    const colorScheme = look === 'light' ? 'light' : 'dark';
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/applicationsets', { colorScheme, size });
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await expectAccessible(page);
    // A set that makes nothing.
    if (colorScheme === 'light') await create('hollow', { generators: [list()], template: template('hollow-{{name}}', 'web') });
    const both = [
      ['/applicationsets/argocd/shop?tab=events', 'Created Application "shop-web"'],
      ['/applicationsets/argocd/hollow', 'Its generators yield nothing'],
    ] as const;
    // What other stories check in this look is not looked at again.
    const places = {
      light: [
        ['/applicationsets?new=true', 'Not tried yet'],
        ['/applicationsets/argocd/shop', 'shop-web'],
        ['/applicationsets/argocd/shop?tab=preview', 'Nothing would change.'],
        ['/applicationsets/argocd/shop?tab=details', 'What it does'],
      ],
      dark: [
        ['/applicationsets/argocd/shop', 'shop-web'],
        ['/applicationsets/argocd/shop?tab=preview', 'Nothing would change.'],
        ['/applicationsets/argocd/rolling?tab=rollout', 'Every step is done.'],
        ['/help/api?operation=ApplicationSet_Create', 'Only what reads can be tried here'],
      ],
    } as const;
    for (const [path, ready] of [...both, ...places[colorScheme]]) {
      await page.goto(path);
      await page.getByText(ready).first().waitFor();
      await expectAccessible(page);
    }
    expectNoTrouble();
    await close();

    // For somebody who may see none of them it is as if there were none.
    const password = await stage.addAccount('nora', ['p, nora, applicationsets, get, none/*, allow']);
    const nora = await stage.openSignedIn('/applicationsets', { colorScheme, size, username: 'nora', password });
    await nora.page.getByText('No ApplicationSets yet').waitFor();
    await expectAccessible(nora.page);
    nora.expectNoTrouble();
    await nora.close();
  });
});
