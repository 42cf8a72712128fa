import { delimiter, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { configMap } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { makeTarball } from '../support/make-archive.ts';
import { startOciRegistry, type OciRegistry } from '../support/oci-registry.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { startChartRepository, type ChartRepository } from './support/chart-repository.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const CHART = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'greeting: hello\nreplicas: 1\n',
  'chart/templates/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-settings"}\ndata: {greeting: "{{ .Values.greeting }}", replicas: "{{ .Values.replicas }}"}\n',
};

describeStories('creating applications', () => {
  describeWithTool('helm', 'in the browser', (helm) => {
    let stage: UiStage;
    let charts: ChartRepository;
    let registry: OciRegistry;
    beforeAll(async () => {
      [charts, registry] = await Promise.all([startChartRepository(helm()), startOciRegistry()]);
      const path = [dirname(helm()), dirname(await ensureTool('kustomize')), process.env['PATH'] ?? ''].join(delimiter);
      stage = await startUiStage({ env: { PATH: path } });
      await stage.repository.commit(CHART);
    });
    afterAll(async () => {
      await stage?.close();
      await charts?.close();
      await registry?.close();
    });

    it('leads from a first visit to a first deployment', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications');
      await page.getByText('No applications yet').waitFor();
      await page.getByRole('button', { name: 'New application' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('first');
      await page.getByLabel('Repository', { exact: true }).fill(stage.repository.url);
      await page.getByText('The repository answers: 1 branch, 0 tags').waitFor();
      await page.getByRole('button', { name: /^web Directory/ }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('A folder of manifests, which need no parameters.').waitFor();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('first');
      await page.reload();
      expect(await page.getByLabel('Namespace', { exact: true }).inputValue()).toBe('first');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('2 resources: 1 Deployment, 1 Service').waitFor();
      await page.getByRole('button', { name: /Deployment web/ }).click();
      await page.getByText('replicas', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('first was created').waitFor();
      await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
      await page.getByRole('button', { name: 'Sync now' }).click();
      await page.getByText('All resources are healthy').waitFor();
      expect(new URL(page.url()).pathname).toBe('/applications/argocd/first');
      expectNoTrouble();
      await close();
    });

    it('says why a repository cannot be read, and goes on when it is mended', async () => {
      const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applications/new', { colorScheme: 'dark' });
      allow(/status of [45]/);
      await page.getByLabel('Name', { exact: true }).fill('Mended One');
      await page.getByText('Names are made of small letters').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('mended');
      await page.getByLabel('Repository', { exact: true }).fill('https://ann:secret@git.example/deploy.git');
      await page.getByText('The address has a password in it').waitFor();
      await page.getByLabel('Repository', { exact: true }).fill(`${stage.repository.url}-misspelt`);
      await page.getByText('The repository could not be read.').waitFor();
      await page.getByText('Check that the address is spelt right').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Repository', { exact: true }).fill(stage.repository.url);
      await page.getByText('The repository answers').waitFor();
      await page.getByLabel('Path', { exact: true }).fill('nowhere');
      await page.getByText('No folder that looks like an application fits this path.').waitFor();
      await page.getByLabel('Path', { exact: true }).press('Enter');
      await page.getByText('The source could not be looked at').waitFor();
      await page.getByRole('button', { name: 'Source', exact: true }).click();
      await page.getByLabel('Path', { exact: true }).fill('set');
      await page.getByRole('button', { name: /^settings Directory/ }).click();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('A folder of manifests').waitFor();
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('secret@');
      expectNoTrouble();
      await close();
    });

    it('shows what changed values make of a chart, before it is created', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn(linkTo({ name: 'greeter', path: 'chart' }));
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('A chart. Everything here may stay as it is.').waitFor();
      await page.getByLabel('Value of greeting').fill('good morning');
      await page.getByRole('textbox', { name: 'Values', exact: true }).click();
      await page.keyboard.type('replicas: 7');
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('greeter');
      await page.getByRole('radio', { name: /^By itself/ }).check();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('1 resource: 1 ConfigMap').waitFor();
      await page.getByText('greeting: good morning').waitFor();
      await page.getByText('replicas: "7"').waitFor();
      await page.getByRole('button', { name: 'The application', exact: true }).click();
      await page.getByText('automated: {}').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('successfully synced (all tasks run)').waitFor();
      const settings = await stage.home.get(kinds.configMap, { namespace: 'greeter', name: 'greeter-settings' });
      expect(settings['data']).toEqual({ greeting: 'good morning', replicas: '7' });
      expectNoTrouble();
      await close();
    });

    it('offers the charts and versions of a Helm repository', async () => {
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications/new', { size: { width: 420, height: 900 } });
      await page.getByLabel('Name', { exact: true }).fill('from-chart');
      await page.getByRole('button', { name: 'A chart of a Helm repository' }).click();
      await page.getByLabel('Repository', { exact: true }).fill(charts.url);
      await page.getByText('The repository answers: 1 chart').waitFor();
      await page.getByLabel('Chart', { exact: true }).fill('shops');
      await page.getByText('The repository has no such chart').waitFor();
      await page.getByLabel('Chart', { exact: true }).fill('shop');
      await page.getByText('Newest: 1.1.0').waitFor();
      await page.getByLabel('Version', { exact: true }).fill('1.0.0');
      await page.getByRole('button', { name: /^Next/ }).click();
      expect(await page.getByLabel('Value of greeting').getAttribute('placeholder')).toBe('hello');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByRole('button', { name: 'By its name' }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('from-chart');
      expectNoTrouble();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('version: 1.0.0').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('from-chart was created').waitFor();
      const { json } = await stage.call('GET', '/api/v1/applications/from-chart');
      expect(json['spec']).toMatchObject({
        source: { repoURL: charts.url, chart: 'shop', targetRevision: '1.0.0' },
        destination: { name: 'in-cluster', namespace: 'from-chart' },
      });
      await close();
    });

    it('is made from an OCI registry that speaks plain HTTP, once that is registered', async () => {
      for (const version of ['1.0.0', '1.1.0']) {
        const content = makeTarball({ 'web.yaml': configMap('artifact', { version }) });
        await registry.push('team/web', version, { layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', content }] });
      }
      const url = `oci://${registry.host}/team/web`;
      const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applications/new', { colorScheme: 'dark' });
      allow(/status of (400|500|503)/);
      await page.getByLabel('Name', { exact: true }).fill('from-registry');
      await page.getByLabel('Repository', { exact: true }).fill(url);
      await page.getByText('The repository could not be read').waitFor();
      await page.getByText('The registry speaks plain HTTP').waitFor();
      await page.getByRole('link', { name: 'Register it' }).click();
      const form = page.getByRole('dialog', { name: 'Add a repository' });
      expect(await form.getByLabel('Address', { exact: true }).inputValue()).toBe(url);
      await form.getByRole('button', { name: 'Test' }).click();
      await form.getByText('of a registry whether it speaks HTTPS').waitFor();
      await form.getByText('More settings').click();
      await form.getByLabel('Use HTTP instead of HTTPS').check();
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Test' }).click();
      await form.getByText('can be reached with this').waitFor();
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('row', { name: /team\/web .*Successful .* OCI/ }).waitFor();

      await page.goto('/applications/new');
      expect(await page.getByLabel('Repository', { exact: true }).inputValue()).toBe(url);
      await page.getByText('The repository answers: 2 versions').waitFor();
      await page.getByLabel('Version', { exact: true }).fill('1.*');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('A folder of manifests, which need no parameters.').waitFor();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('from-registry');
      await page.getByRole('radio', { name: /^By itself/ }).check();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('1 resource: 1 ConfigMap').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('successfully synced (all tasks run)').waitFor();
      const artifact = await stage.home.get(kinds.configMap, { namespace: 'from-registry', name: 'artifact' });
      expect(artifact['data']).toEqual({ version: '1.1.0' });
      expectNoTrouble();
      await close();
    });

    it('is made from a chart in a registry, which nothing lists', async () => {
      await charts.push(registry.host, '1.1.0');
      const url = `${registry.host}/charts`;
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos?add=repository');
      const form = page.getByRole('dialog', { name: 'Add a repository' });
      await form.getByRole('button', { name: 'Helm', exact: true }).click();
      await form.getByLabel('Name', { exact: true }).fill('registry');
      await form.getByLabel('Address', { exact: true }).fill(url);
      await form.getByText('More settings').click();
      await form.getByLabel('The charts are in an OCI registry').check();
      await form.getByLabel('Use HTTP instead of HTTPS').check();
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('row', { name: /registry .*Successful .* Helm/ }).waitFor();

      await page.goto('/applications/new');
      await page.getByRole('button', { name: 'Begin anew' }).click();
      await page.getByLabel('Name', { exact: true }).fill('from-pushed');
      await page.getByLabel('Repository', { exact: true }).fill(url);
      await page.getByText('A registry does not list its charts').waitFor();
      await page.getByLabel('Chart', { exact: true }).fill('shop');
      await page.getByLabel('Version', { exact: true }).fill('1.1.0');
      await page.getByRole('button', { name: /^Next/ }).click();
      expect(await page.getByLabel('Value of greeting').getAttribute('placeholder')).toBe('hello');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('from-pushed');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('version: 1.1.0').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('from-pushed was created').waitFor();
      expectNoTrouble();
      await close();
    });

    it('is made from a chart of a private Helm repository, which is registered with its password', async () => {
      const authorization = `Basic ${Buffer.from('cook:right-password').toString('base64')}`;
      const kept = await startChartRepository(helm(), authorization);
      const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/settings/repos');
      allow(/status of (400|500)/);
      await page.getByRole('button', { name: 'Add a repository' }).click();
      const form = page.getByRole('dialog', { name: 'Add a repository' });
      await form.getByRole('button', { name: 'Helm', exact: true }).click();
      await form.getByLabel('Address', { exact: true }).fill(kept.url);
      await form.getByRole('button', { name: 'Test' }).hover();
      await page.getByText('A Helm repository needs a name').waitFor();
      await form.getByLabel('Name', { exact: true }).fill('kitchen');
      await form.getByLabel('Sign in with').selectOption('User name and password');
      await form.getByLabel('User name').fill('cook');
      await form.getByLabel('Password or access token').fill('wrong-password');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await form.getByText('The server refuses these credentials').waitFor();
      await expectAccessible(page);
      await form.getByLabel('Password or access token').fill('right-password');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('row', { name: /kitchen .*Successful .* Helm/ }).waitFor();
      expect(await page.content()).not.toContain('right-password');

      await page.goto('/applications/new');
      await page.getByRole('button', { name: 'Begin anew' }).click();
      await page.getByLabel('Name', { exact: true }).fill('from-kitchen');
      // It is known to have charts.
      await page.getByLabel('Repository', { exact: true }).fill(kept.url);
      await page.getByLabel('Chart', { exact: true }).fill('shop');
      await page.getByText('Newest: 1.1.0').waitFor();
      await page.getByLabel('Version', { exact: true }).fill('1.x');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Value of greeting').fill('bon appetit');
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill('from-kitchen');
      await page.getByRole('radio', { name: /^By itself/ }).check();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('greeting: bon appetit').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('successfully synced (all tasks run)').waitFor();
      const settings = await stage.home.get(kinds.configMap, { namespace: 'from-kitchen', name: 'shop' });
      expect(settings['data']).toEqual({ greeting: 'bon appetit', version: '1.1.0' });
      expectNoTrouble();
      await close();
      await kept.close();
    });

    it('takes pasted applications, says which one is wrong and why, and creates both when it is mended', async () => {
      const { page, expectNoTrouble, allow, close } = await stage.openSignedIn('/applications/new?way=yaml');
      allow(/status of 400/);
      const paste = async (second: string): Promise<void> => {
        await page.getByRole('textbox', { name: 'Applications as YAML' }).click();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(`${document('one', 'web')}---\n${document('two', second)}`);
      };
      await paste('not-there');
      await page.getByRole('button', { name: 'Check and render' }).click();
      await page.getByRole('region', { name: 'one' }).getByText('2 resources: 1 Deployment, 1 Service').waitFor();
      await page
        .getByRole('region', { name: 'two' })
        .getByText(/not-there: app path does not exist/)
        .waitFor();
      await page.getByRole('button', { name: 'Create one' }).waitFor();
      expectNoTrouble();
      await expectAccessible(page);
      await paste('api');
      await page.getByRole('region', { name: 'two' }).getByText('not checked yet').waitFor();
      await page.getByRole('button', { name: 'Check and render' }).click();
      await page.getByRole('button', { name: 'Create 2 applications' }).click();
      await page.getByText('2 applications were created').waitFor();
      await page.getByRole('link', { name: 'Go to two' }).click();
      await page.getByRole('heading', { name: /two/ }).waitFor();
      expectNoTrouble();
      await close();
    });

    it('tells a reader why they may not create anything', async () => {
      const password = await stage.addAccount('rita', ['p, rita, applications, get, *, allow', 'p, rita, projects, get, *, allow']);
      const { page, expectNoTrouble, close } = await stage.openSignedIn('/applications', {
        username: 'rita',
        password,
        size: { width: 420, height: 800 },
      });
      await page.getByRole('button', { name: 'New application', disabled: true }).first().hover();
      await page.getByRole('tooltip', { name: /may not create applications/ }).waitFor();
      await page.goto('/applications/new');
      await page.getByText(/You may not create applications default/).waitFor();
      await expectAccessible(page);
      expectNoTrouble();
      await close();
    });

    /** A link as Argo CD makes them, with what the new application is to be. */
    function linkTo({ name, path }: { readonly name: string; readonly path: string }): string {
      const source = { repoURL: stage.repository.url, path, targetRevision: 'HEAD' };
      const application = {
        metadata: { name },
        spec: { project: 'default', source, syncPolicy: { syncOptions: ['CreateNamespace=true'] } },
      };
      return `/applications?new=${encodeURIComponent(JSON.stringify(application))}`;
    }

    function document(name: string, path: string): string {
      const spec = {
        project: 'default',
        source: { repoURL: stage.repository.url, path },
        destination: { server: IN_CLUSTER, namespace: name },
      };
      return `${JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name }, spec }, undefined, 2)}\n`;
    }
  });
});
