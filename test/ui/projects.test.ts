import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const HOSTILE = '<img src=x onerror=window.harmed=true> \u202Eevil\u200B';
const NARROW = { width: 400, height: 800 };

/** Everything that a project can have. */
const FULL_SPEC = {
  description: 'What the garden grows',
  sourceRepos: ['*', '!https://git.example/old'],
  sourceNamespaces: ['garden-*'],
  destinations: [{ server: IN_CLUSTER, namespace: 'garden-*' }],
  destinationServiceAccounts: [{ server: '*', namespace: 'garden-*', defaultServiceAccount: 'gardener' }],
  clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'garden-*' }],
  clusterResourceBlacklist: [{ group: 'rbac.authorization.k8s.io', kind: '*' }],
  namespaceResourceWhitelist: [{ group: '*', kind: '*' }],
  namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }],
  orphanedResources: { warn: true, ignore: [{ kind: 'ConfigMap', name: 'left-*' }] },
  signatureKeys: [{ keyID: '4AEE18F83AFDEB23' }],
  sourceIntegrity: {
    git: { policies: [{ repos: [{ url: 'https://git.example/*' }], gpg: { mode: 'none', keys: ['4AEE18F83AFDEB23'] } }] },
  },
  roles: [{ name: 'pickers', policies: ['p, proj:orchard:pickers, applications, get, orchard/*, allow'], groups: ['pickers'] }],
  syncWindows: [
    { kind: 'allow', schedule: '0 8 * * 1-5', duration: '9h', applications: ['*'], timeZone: 'Europe/Berlin', syncOverrun: true },
  ],
};

describeStories('projects', () => {
  let stage: UiStage;
  let blue: { readonly username: string; readonly password: string };
  beforeAll(async () => {
    stage = await startUiStage();
    const policy = ['projects, get, *', 'applications, *, garden/*', 'applications, get, */*'];
    const password = await stage.addAccount(
      'blue',
      policy.map((line) => `p, blue, ${line}, allow`),
    );
    blue = { username: 'blue', password };
    await stage.configure('argocd-cm', {
      globalProjects: JSON.stringify([{ labelSelector: { matchLabels: { plot: 'odd' } }, projectName: 'orchard' }]),
      'project.links': JSON.stringify([
        { title: 'Handbook', url: 'https://handbook.example/{{.project.metadata.name}}' },
        { title: 'Trap', url: 'javascript:window.harmed=true' },
      ]),
    });
    await plantProject('orchard', FULL_SPEC);
    const hostile = {
      description: HOSTILE,
      sourceRepos: ['javascript:window.harmed=true', '*'],
      destinations: [{ server: '*', namespace: '*' }],
      roles: [{ name: 'crew', description: HOSTILE, groups: [HOSTILE] }],
      syncWindows: [{ kind: 'deny', schedule: '0 0 * * *', duration: '30m', applications: [HOSTILE], description: HOSTILE }],
    };
    await plantProject('odd', hostile, { plot: 'odd' });
  });
  afterAll(() => stage?.close());

  /** Whatever became of it before: each story begins alike, also when it is told again. */
  async function plantProject(name: string, spec: object, labels = {}): Promise<void> {
    const body = { project: { metadata: { name, labels }, spec }, upsert: true };
    const { status, text } = await stage.call('POST', '/api/v1/projects', body);
    if (status !== 200) throw new Error(text);
  }

  /** What the first story makes by form, with an application in it. */
  async function plantGarden(more: object = {}): Promise<void> {
    const sourceRepos = [stage.repository.url];
    const destinations = [{ name: 'in-cluster', namespace: 'garden-*' }];
    await plantProject('garden', { sourceRepos, destinations, clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }], ...more });
    if ((await stage.call('GET', '/api/v1/applications/roses')).status === 200) return;
    await stage.createApplication('roses', { path: 'settings', project: 'garden', namespace: 'garden-front', automated: false });
  }

  async function uprootRoses(): Promise<void> {
    await stage.call('DELETE', '/api/v1/applications/roses');
    await waitUntil(async () => (await stage.call('GET', '/api/v1/applications/roses')).status !== 200);
  }

  async function readSpec(name: string): Promise<Record<string, unknown>> {
    const { json } = await stage.call('GET', `/api/v1/projects/${name}`);
    return json['spec'] as Record<string, unknown>;
  }

  it('are created and restricted by form, and then the team is refused elsewhere and told why it may not change that', async () => {
    await uprootRoses();
    await stage.call('DELETE', '/api/v1/projects/garden');
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
    await page.getByRole('button', { name: 'Add to allowed kinds of the cluster' }).click();
    await page.getByRole('textbox', { name: 'Kind of allowed kinds of the cluster 1' }).fill('Namespace');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('added in-cluster / garden-*').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('garden was saved').waitFor();
    await page.getByRole('cell', { name: 'garden-*' }).waitFor();
    expectNoTrouble();
    await close();

    const team = await stage.openSignedIn('/settings/projects/garden', blue);
    const edit = team.page.getByRole('button', { name: 'Edit', exact: true });
    await edit.hover();
    await team.page.getByText(/You may not update projects garden: /).waitFor();
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    const create = async (namespace: string): Promise<string> => {
      const source = { repoURL: stage.repository.url, path: 'settings' };
      const spec = { project: 'garden', source, destination: { name: 'in-cluster', namespace } };
      const answer = await team.context.request.post('/api/v1/applications', { data: { metadata: { name: 'roses' }, spec } });
      return `${answer.status()} ${await answer.text()}`;
    };
    expect(await create('kitchen')).toMatch(/^400 .*do not match any of the allowed destinations in project 'garden'/);
    expect(await create('garden-front')).toMatch(/^200 /);
    await team.page.reload();
    await team.page.getByRole('link', { name: '1', exact: true }).waitFor();
    team.expectNoTrouble();
    await team.close();
  });

  it('have roles: one for CI is written by rows, its token is seen once, works, and is taken back', async () => {
    await plantGarden();
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects/garden?tab=roles');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await page.getByRole('button', { name: 'Add a policy' }).click();
    await page.getByRole('textbox', { name: 'Object of policy 1' }).fill('kitchen/*');
    await page.getByText('Objects begin with the project: garden/* or garden/name').waitFor();
    await page.getByRole('textbox', { name: 'Object of policy 1' }).fill('garden/*');
    await page.getByRole('button', { name: 'Text' }).click();
    expect(await page.getByRole('textbox', { name: /Policies as text/ }).inputValue()).toBe(
      'p, proj:garden:ci, applications, get, garden/*, allow',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('added ci').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'New token for ci' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('nightly');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.getByText('It is shown only this once').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy the token' }).click();
    const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(token);
    const use = async (): Promise<number> => {
      const answer = await fetch(`${stage.fairway.url}/api/v1/applications?projects=garden`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return answer.status;
    };
    expect(await use()).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: 'in 89d' }).waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Delete the token nightly' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('None. Programs that call the API').waitFor();
    expect(await use()).toBe(401);
    expectNoTrouble();
    await close();
  });

  it('have sync windows on a calendar, and an application says that it has to wait', async () => {
    await plantGarden();
    const { page, context, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects/garden?tab=windows');
    await page.getByRole('button', { name: 'New window' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Night rest');
    await page.getByRole('textbox', { name: 'Opens' }).fill('0 25 * * *');
    await page.getByText('The hour is from 0 to 23, not 25').waitFor();
    await page.getByRole('textbox', { name: 'Opens' }).fill('0 0 * * *');
    await page.getByRole('textbox', { name: 'For' }).fill('24h');
    await page.getByText(/In your time it is open/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('added deny 0 0 * * * 24h').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Open now: “Night rest” (deny).').waitFor();
    expect(await page.getByRole('button', { name: /Night rest Denies/ }).count()).toBe(7);
    const { json } = await stage.call('GET', '/api/v1/projects/garden/syncwindows');
    expect(json['windows']).toMatchObject([{ description: 'Night rest' }]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Week after' }).click();
    await page.waitForURL(/week=/);
    await page.getByRole('button', { name: 'This week' }).click();

    await page.goto('/applications/argocd/roses?tab=details');
    await page.getByText(/closed now|no syncs now/).waitFor();
    const sync = await context.request.post('/api/v1/applications/roses/sync', { data: {} });
    expect(await sync.text()).toContain('blocked by sync window');
    await page.goto('/settings/projects/garden?tab=windows');
    await page.getByRole('button', { name: 'Delete window 1' }).click();
    await page.getByText('removed deny 0 0 * * * 24h').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Applications can be synced at any time.', { exact: false }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('are edited by two at once: the second is told what the first did, and keeps both', async () => {
    await plantProject('orchard', FULL_SPEC);
    const path = '/settings/projects/orchard?edit=form';
    const [first, second] = [await stage.openSignedIn(path), await stage.openSignedIn(path, { colorScheme: 'dark' })];
    second.allow(/status of 409/);
    await second.page.getByRole('textbox', { name: 'Source repositories' }).fill('https://git.example/orchard');
    await first.page.getByRole('textbox', { name: 'Description' }).fill('What the orchard grows');
    await first.page.getByRole('button', { name: 'Review and save' }).click();
    await first.page.getByRole('button', { name: 'Save', exact: true }).click();
    await first.page.getByText('orchard was saved').waitFor();
    first.expectNoTrouble();
    await first.close();

    const { page } = second;
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing was saved: somebody else saved this project after you began.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Description' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Put my changes on top of theirs' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('orchard was saved').waitFor();
    second.expectNoTrouble();
    await second.close();
    expect(await readSpec('orchard')).toEqual({
      ...FULL_SPEC,
      description: 'What the orchard grows',
      sourceRepos: ['https://git.example/orchard'],
    });
  });

  it('are edited as YAML: what is wrong is said, and nothing that was not touched is lost', async () => {
    await plantProject('orchard', FULL_SPEC);
    const before = await readSpec('orchard');
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects/orchard');
    await page.getByRole('button', { name: 'Edit as YAML' }).click();
    const editor = page.getByRole('textbox', { name: 'The project as YAML' });
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('oops: [\n');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page
      .getByText(/Flow sequence|flow/i)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add to destinations' }).click();
    await page.getByRole('textbox', { name: 'Namespace of destinations 2' }).fill('!*');
    await page.getByRole('button', { name: 'YAML', exact: true }).click();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    allow(/status of 400/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText("namespace has an invalid format, '!*'").waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove destinations 2' }).click();
    await page.getByRole('checkbox', { name: /Only clusters of this project/ }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Only clusters that belong to this project.').waitFor();
    expect(await readSpec('orchard')).toEqual({ ...before, permitOnlyProjectScopedClusters: true });
    expectNoTrouble();
    await close();
  });

  it('answer who can: an owner asks who can delete and reads the lines, a reader learns about themselves', async () => {
    await plantGarden({ roles: [{ name: 'ci', policies: ['p, proj:garden:ci, applications, get, garden/*, allow'] }] });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects/garden?tab=who-can', { colorScheme: 'dark' });
    await page.getByRole('combobox', { name: 'Who can' }).selectOption('delete');
    await page.waitForURL(/action=delete/);
    await page.getByRole('row', { name: /^blue p, blue, applications, \*, garden\/\*, allow argocd-rbac-cm/ }).waitFor();
    await page.getByRole('row', { name: /^role:admin/ }).waitFor();
    expect(await page.getByRole('row', { name: /^proj:garden:ci/ }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Who can' }).selectOption('get');
    await page.getByRole('row', { name: /^proj:garden:ci/ }).waitFor();
    await expectAccessible(page);
    expectNoTrouble();
    await close();

    const reader = await stage.openSignedIn('/settings/projects/orchard?tab=who-can&action=delete', blue);
    await reader.page.getByText(/You may not delete applications orchard\/\*: /).waitFor();
    await reader.page.getByText(/told to those who may see all accounts/).waitFor();
    await expectAccessible(reader.page);
    reader.expectNoTrouble();
    await reader.close();
  });

  it('show a reader on a narrow screen everything, hostile names too, with nothing to press', async () => {
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects', { ...blue, size: NARROW, colorScheme: 'dark' });
    await page.getByRole('link', { name: 'odd' }).waitFor();
    expect(await page.getByRole('button', { name: 'New project' }).getAttribute('aria-disabled')).toBe('true');
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search projects' }).fill('nothing like it');
    await page.getByText('No project matches').waitFor();
    await page.goto('/settings/projects/odd');
    await page.getByText(/evil/).first().waitFor();
    await page.getByText('adds Allowed kinds in namespaces (1)', { exact: false }).waitFor();
    expect(await page.getByRole('link', { name: 'Handbook' }).getAttribute('href')).toBe('https://handbook.example/odd');
    await expectAccessible(page);
    for (const [tab, name] of [
      ['Roles', 'Delete the role crew'],
      ['Sync windows', 'Delete window 1'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
      await expectAccessible(page);
    }
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText(/created project/).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expectNoTrouble();
    await close();
  });

  it('are kept while applications need them, deleted after, and what was done to them is told', async () => {
    await plantGarden();
    await plantGarden({ description: 'What the garden grows' });
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/projects/garden?tab=events');
    await page
      .getByText(/updated project/)
      .first()
      .waitFor();
    await expectAccessible(page);
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete the project' }).click();
      await page.getByRole('textbox', { name: /Type garden/ }).fill('garden');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
    };
    allow(/status of 400/);
    await remove();
    await page.getByText('project is referenced by 1 applications').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await uprootRoses();
    await remove();
    await page.waitForURL('**/settings/projects');
    await page.getByRole('link', { name: 'orchard' }).waitFor();
    await page.getByRole('link', { name: 'garden', exact: true }).waitFor({ state: 'detached' });
    expectNoTrouble();
    await close();
  });
});
