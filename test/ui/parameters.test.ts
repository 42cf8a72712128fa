import { delimiter, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployment, IN_CLUSTER } from '../support/argocd-stage.ts';
import { kinds } from '../support/kinds.ts';
import { startPluginServers, type PluginServers } from '../support/plugin-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const FILES = {
  'overlay/kustomization.yaml': 'resources: [deployment.json]\nimages: [{name: nginx, newTag: "1.27"}]\n',
  'overlay/deployment.json': deployment('web', { image: 'nginx:1.26' }),
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'greeting: hello\nreplicas: 1\n',
  'chart/templates/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: chart-settings}\ndata: {greeting: "{{ .Values.greeting }}", replicas: "{{ .Values.replicas }}"}\n',
};

/** Shows what it is given: a text, a list and a map. */
const SHOW = `
const given = Object.fromEntries(JSON.parse(process.env.ARGOCD_APP_PARAMETERS).map(({ name, ...rest }) => [name, Object.values(rest)[0]]));
const data = { greeting: given.greeting ?? 'hello', guests: (given.guests ?? []).join(' '), seats: JSON.stringify(given.seats ?? {}) };
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'invitation' }, data }));`;
const PLUGIN = {
  name: 'invitations',
  spec: {
    generate: { command: ['node', '-e', SHOW] },
    parameters: {
      static: [
        { name: 'greeting', title: 'Greeting', tooltip: 'How it begins.', required: true, string: 'hello' },
        { name: 'guests', title: 'Guests', collectionType: 'array', array: ['ada'] },
        { name: 'seats', title: 'Seats', collectionType: 'map', map: { ada: 'window' } },
      ],
    },
  },
};

describeStories('what an application is told', () => {
  describeWithTool('kustomize', 'by forms', (kustomize) => {
    let stage: UiStage;
    let plugins: PluginServers;
    beforeAll(async () => {
      plugins = await startPluginServers(await ensureTool('cmp-server'), [PLUGIN]);
      const path = [dirname(kustomize()), dirname(await ensureTool('helm')), process.env['PATH'] ?? ''].join(delimiter);
      stage = await startUiStage({ env: { PATH: path }, args: ['--plugin-sockets', plugins.socketFolder] });
      await stage.repository.commit(FILES);
      await stage.createApplication('overlay', { path: 'overlay' });
      await stage.createApplication('chart', { path: 'chart' });
      await stage.waitForState('overlay', 'Synced Healthy');
      await stage.waitForState('chart', 'Synced Healthy');
    });
    afterAll(async () => {
      await stage?.close();
      await plugins?.close();
    });

    it('has another image tag by a few clicks, seen rendered before it is saved', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/overlay?tab=details');
      await page.getByRole('button', { name: 'Edit parameters' }).click();
      await page.getByLabel('Tag of nginx').fill('1.28');
      await page.getByRole('button', { name: 'What changes' }).click();
      await page.getByRole('button', { name: 'Render both and compare' }).click();
      await page.getByText('image: nginx:1.28').waitFor();
      expectNoTrouble();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('overlay was changed').waitFor();
      await page.getByRole('region', { name: 'Source' }).getByText('nginx:1.28').first().waitFor();
      await waitUntil(async () => {
        const live = await stage.home.get(kinds.deployment, { namespace: 'overlay', name: 'web' });
        return JSON.stringify(live).includes('nginx:1.28');
      });
      await close();
    });

    it('has Helm values and parameters by a form, beside what the chart says itself', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/chart?tab=details', { colorScheme: 'dark' });
      await page.getByRole('button', { name: 'Edit parameters' }).click();
      expect(await page.getByLabel('Value of greeting').getAttribute('placeholder')).toBe('hello');
      await page.getByLabel('Value of greeting').fill('good evening');
      await page.getByRole('textbox', { name: 'Values', exact: true }).click();
      await page.keyboard.type('replicas: [');
      await page.getByText('These values cannot be read').waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('replicas: 4');
      await page.getByText('These values cannot be read').waitFor({ state: 'detached' });
      expectNoTrouble();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('chart was changed').waitFor();
      await waitUntil(async () => {
        const live = await stage.home.get(kinds.configMap, { namespace: 'chart', name: 'chart-settings' });
        return JSON.stringify(live['data']) === '{"greeting":"good evening","replicas":"4"}';
      });
      await close();
    });

    it('has what its plugin asks for by a form: a text, a list and a map, seen in what is rendered', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/new');
      await page.getByLabel('Name', { exact: true }).fill('party');
      await page.getByLabel('Repository', { exact: true }).fill(stage.repository.url);
      await page.getByRole('button', { name: /^settings Directory/ }).click();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByRole('button', { name: 'By a plugin' }).click();
      await page.getByLabel('Plugin', { exact: true }).fill('invitations');
      await page.getByLabel('Greeting (needed)').fill('welcome');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('party');
      await page.getByRole('radio', { name: /^By itself/ }).check();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('greeting: welcome').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('party was created').waitFor();

      await page.getByRole('tab', { name: 'Details' }).click();
      await page.getByRole('button', { name: 'Edit parameters' }).click();
      expect(await page.getByLabel('Greeting (needed)').inputValue()).toBe('welcome');
      expect(await page.getByLabel('Guests: entry 1').inputValue()).toBe('ada');
      await page.getByLabel('Greeting (needed)').fill('good evening');
      const guests = page.getByRole('group', { name: 'Guests' });
      await guests.getByRole('button', { name: 'Add an entry' }).click();
      await page.getByLabel('Guests: entry 2').fill('grace');
      const seats = page.getByRole('group', { name: 'Seats' });
      await seats.getByRole('button', { name: 'Add an entry' }).click();
      await page.getByLabel('Seats: name 2').fill('grace');
      await page.getByLabel('Seats: value 2').fill('aisle');
      expectNoTrouble();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'What changes' }).click();
      await page.getByRole('button', { name: 'Render both and compare' }).click();
      await page.getByText('greeting: good evening').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('party was changed').waitFor();
      await page.getByRole('region', { name: 'Source' }).getByText('string: good evening').waitFor();
      const rendered = (): Promise<unknown> =>
        stage.home.get(kinds.configMap, { namespace: 'party', name: 'invitation' }).then(
          ({ data }) => data,
          () => undefined,
        );
      await expect
        .poll(rendered, { timeout: 15_000 })
        .toEqual({ greeting: 'good evening', guests: 'ada grace', seats: '{"ada":"window","grace":"aisle"}' });

      // Later a guest stays away, and the others keep their places in the list.
      await page.getByRole('button', { name: 'Edit parameters' }).click();
      expect(await page.getByLabel('Greeting (needed)').inputValue()).toBe('good evening');
      await page.getByRole('button', { name: 'Guests: take away 1' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { json } = await stage.call('GET', '/api/v1/applications/party');
      expect((json['spec'] as { source: { plugin: object } }).source.plugin).toEqual({
        name: 'invitations',
        parameters: [
          { name: 'greeting', string: 'good evening' },
          { name: 'guests', array: ['grace'] },
          { name: 'seats', map: { ada: 'window', grace: 'aisle' } },
        ],
      });
      await page.getByRole('button', { name: 'Edit as YAML' }).click();
      await page.getByText('- grace').waitFor();
      expectNoTrouble();
      await close();
    });

    it('has several sources, of which one is changed; what cannot be rendered is refused with the reason', async () => {
      const sources = ['settings', 'api'].map((path) => ({ repoURL: stage.repository.url, path }));
      const spec = { project: 'default', sources, destination: { server: IN_CLUSTER, namespace: 'several' } };
      expect((await stage.call('POST', '/api/v1/applications', { metadata: { name: 'several' }, spec })).status).toBe(200);
      const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applications/argocd/several?tab=details');
      await page.getByRole('button', { name: 'Edit source 2' }).click();
      await page.getByLabel('Path', { exact: true }).fill('nowhere');
      allow(/status of 400/);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/nowhere: app path does not exist/).waitFor();
      await page.getByLabel('Path', { exact: true }).fill('web');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('region', { name: 'Source 2' }).getByText('web', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Edit parameters 2' }).click();
      await page.getByLabel('No files like').fill('service.json');
      await page.getByRole('button', { name: 'Add an external variable' }).click();
      await page.getByLabel('Jsonnet external variables: name 1').fill('colour');
      await page.getByLabel('Jsonnet external variables: value 1').fill('blue');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('region', { name: 'Source 2' }).getByText('exclude: service.json').waitFor();
      await page.getByRole('button', { name: 'Edit sync policy' }).click();
      await page.getByRole('radio', { name: /^By itself/ }).check();
      await page.getByRole('checkbox', { name: /^Prune Delete/ }).check();
      await page.getByRole('checkbox', { name: 'Create the namespace' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('on, prunes').waitFor();
      await stage.waitForState('several', 'Synced Healthy');
      const { json } = await stage.call('GET', '/api/v1/applications/several');
      expect((json['spec'] as { sources: object[] }).sources).toEqual([
        sources[0],
        { ...sources[1], path: 'web', directory: { exclude: 'service.json', jsonnet: { extVars: [{ name: 'colour', value: 'blue' }] } } },
      ]);
      expectNoTrouble();
      await close();
    });

    it('cannot be synced while a window forbids it, and its page says until when', async () => {
      const before = new Date(Date.now() - 5 * 60_000);
      const schedule = `${before.getUTCMinutes()} ${before.getUTCHours()} * * *`;
      const syncWindows = [{ kind: 'deny', schedule, duration: '3h', applications: ['frozen'], description: 'the night of the fair' }];
      const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
      const project = { metadata: { name: 'fair' }, spec: { ...everything, syncWindows } };
      expect((await stage.call('POST', '/api/v1/projects', { project })).status).toBe(200);
      await stage.createApplication('frozen', { project: 'fair', automated: false });
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/frozen?tab=details');
      await page.getByText(/A sync window forbids syncs until .*\(in 2h.*the night of the fair/).waitFor();
      await page.getByRole('button', { name: 'Sync', exact: true, disabled: true }).first().waitFor();
      await page
        .getByRole('region', { name: 'Sync windows' })
        .getByText(/open until/)
        .waitFor();
      await page.getByText('no syncs now').waitFor();
      expectNoTrouble();
      await expectAccessible(page);
      await close();
    });

    it('shows a reader what it is told, with buttons that say why they cannot be used, on a small screen', async () => {
      const password = await stage.addAccount('rita', ['p, rita, applications, get, *, allow']);
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/argocd/chart?tab=details', {
        username: 'rita',
        password,
        size: { width: 420, height: 800 },
      });
      await page.getByRole('button', { name: 'Edit parameters', disabled: true }).focus();
      await page.getByRole('tooltip', { name: /may not update applications default\/chart/ }).waitFor();
      expectNoTrouble();
      await expectAccessible(page);
      await close();
    });
  });
});
