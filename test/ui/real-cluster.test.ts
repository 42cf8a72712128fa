import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureUi } from '../../scripts/build/build-ui.ts';
import { deployment, service, type StageParts } from '../support/argocd-stage.ts';
import { bindAccount, createAccountToken } from '../support/cluster/account-token.ts';
import { connectTo, describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { openBrowser, type Person, type StoryBrowser } from './support/open-browser.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const NAME = 'ui-harbour';
const slow = { timeout: 120_000 };

describeStories('on a real control plane', () => {
  describeWithCluster('with its own controllers and nodes', (cluster) => {
    let stage: StageParts;
    let browser: StoryBrowser;
    beforeAll(async () => {
      await ensureUi(ROOT);
      stage = await openClusterStage(cluster());
      browser = await openBrowser(stage.fairway.url);
      await stage.repository.commit({
        'harbour/deployment.json': deployment('crane', { replicas: 2 }),
        'harbour/service.json': service('crane'),
      });
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await stage?.close();
    });

    const open = async (path: string): Promise<Person> => {
      const person = await browser.open();
      const data = { username: 'admin', password: stage.fairway.adminPassword };
      expect((await person.context.request.post('/api/v1/session', { data })).ok()).toBe(true);
      await person.page.goto(path);
      return person;
    };
    const openApplication = (query = ''): Promise<Person> => open(`/applications/${stage.controlNamespace}/${NAME}${query}`);
    const kubectl = async (...args: readonly string[]): Promise<string> =>
      (await stage.kubectl('--namespace', stage.namespace, ...args)).stdout.trim();

    it('a first deployment is made in the browser, and its pods appear in the tree as the cluster makes them', slow, async () => {
      const { page, expectNoTrouble, close } = await open('/applications/new');
      await page.getByLabel('Name', { exact: true }).fill(NAME);
      await page.getByLabel('Repository', { exact: true }).fill(stage.repositoryUrl);
      await page.getByRole('button', { name: /^harbour Directory/ }).click();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('A folder of manifests, which need no parameters.').waitFor();
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByLabel('Namespace', { exact: true }).fill(stage.namespace);
      await page.getByRole('button', { name: /^Next/ }).click();
      await page.getByText('2 resources: 1 Deployment, 1 Service').waitFor();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
      await page.getByRole('button', { name: 'Sync now' }).click();
      await page.getByText('All resources are healthy').waitFor();
      const pods = page.getByRole('button', { name: /^Pod .* crane-/ });
      await pods.nth(1).waitFor();
      expect(await pods.count()).toBe(2);
      expect(await page.getByRole('button', { name: /^ReplicaSet/ }).count()).toBe(1);
      expect((await kubectl('get', 'pods', '--output=name')).split('\n')).toHaveLength(2);
      expectNoTrouble();
      await close();
    });

    it('a pod tells its image, its events and its log, as its node has it', slow, async () => {
      const { page, expectNoTrouble, close } = await openApplication('?view=list&kind=Pod');
      await page
        .getByRole('row', { name: /Pod crane-/ })
        .first()
        .click();
      await page.getByText('example.com/web:1').first().waitFor();
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText('Scheduled').first().waitFor();
      await page.getByRole('tab', { name: 'Live manifest' }).click();
      await page.getByText('generateName: crane-').waitFor();
      await page.getByRole('tab', { name: 'Logs' }).last().click();
      const log = page.getByRole('log');
      await log
        .getByText(/^line \d+$/)
        .first()
        .waitFor();
      await page.getByLabel('Search in the log').fill('LINE 1');
      await log.locator('mark').first().waitFor();
      await page.getByText(/^[\d,]+ lines?$/).waitFor();
      expectNoTrouble();
      await close();
    });

    it('a deployment is restarted: the cluster replaces its pods while somebody looks', slow, async () => {
      const before = await kubectl('get', 'pods', '--output=name');
      const { page, expectNoTrouble, close } = await openApplication(
        `?node=${encodeURIComponent(`apps/Deployment/${stage.namespace}/crane`)}`,
      );
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: /Restart/i }).click();
      await page
        .getByRole('button', { name: /Restart/i })
        .last()
        .click();
      await page.getByText(/was done/).waitFor();
      await page.getByRole('button', { name: 'Close' }).first().click();
      await page
        .getByRole('button', { name: /^ReplicaSet/ })
        .nth(1)
        .waitFor();
      await waitUntil(async () => {
        const names = (await kubectl('get', 'pods', '--output=name')).split('\n');
        return names.length === 2 && names.every((name) => !before.includes(name));
      });
      await page.getByText('All resources are healthy').waitFor();
      expectNoTrouble();
      await close();
    });

    it('why is it out of sync: somebody scaled it by hand, and the difference names who', slow, async () => {
      const { page, expectNoTrouble, close } = await openApplication();
      await page.getByText('All resources are healthy').waitFor();
      await kubectl('scale', 'deployment/crane', '--replicas=3');
      await page.getByText('1 of 2 differs: Deployment crane').waitFor();
      await page.getByRole('button', { name: /^Deployment/ }).click();
      await page.getByRole('tab', { name: 'Difference' }).click();
      await page.getByText('/spec/replicas').first().waitFor();
      await page.getByText(/it was changed in the cluster, last written by/).waitFor();
      await page.getByText('kubectl').first().waitFor();
      await page.getByRole('button', { name: 'Close' }).first().click();
      await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
      await page.getByRole('button', { name: 'Sync now' }).click();
      await waitUntil(async () => (await kubectl('get', 'deployment/crane', '--output=jsonpath={.spec.replicas}')) === '2');
      await page.getByText('All resources are healthy').waitFor();
      expectNoTrouble();
      await close();
    });

    it('a release is rolled back to the one before, in the cluster too', slow, async () => {
      await stage.repository.commit(
        { 'harbour/deployment.json': deployment('crane', { replicas: 2, image: 'example.com/web:2' }) },
        'Lift heavier loads',
      );
      const image = (): Promise<string> =>
        kubectl('get', 'deployment/crane', '--output=jsonpath={.spec.template.spec.containers[0].image}');
      const { page, expectNoTrouble, close } = await openApplication();
      await page.getByRole('button', { name: 'Sync', exact: true }).first().click();
      await page.getByRole('button', { name: 'Sync now' }).click();
      await waitUntil(async () => (await image()) === 'example.com/web:2');
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByText('Lift heavier loads').waitFor();
      await page.getByRole('button', { name: 'Roll back' }).first().click();
      await page.getByLabel('Hold it there, whatever the source says').check();
      await page.getByLabel('Why').fill('the crane bends');
      await page.getByRole('button', { name: 'Roll back' }).last().click();
      await waitUntil(async () => (await image()) === 'example.com/web:1');
      await page.getByText('PinnedWarning').waitFor();
      await page.getByText('All resources are healthy').waitFor();
      expectNoTrouble();
      await close();
    });

    it('a cluster gets another token: one that knows no such thing says so, and the old token opens nothing any more', slow, async () => {
      const api = await connectTo(cluster());
      await bindAccount(api, stage.controlNamespace);
      const token = await createAccountToken(api, stage.controlNamespace);
      await api.close();
      const path = '{.clusters[0].cluster.certificate-authority-data}';
      const authority = (await stage.kubectl('config', 'view', '--raw', '--minify', `--output=jsonpath=${path}`)).stdout;
      const mayAsk = async (): Promise<boolean> =>
        (
          await stage.kubectl(
            '--kubeconfig=/dev/null',
            `--server=${cluster().url}`,
            '--insecure-skip-tls-verify',
            `--token=${token}`,
            'get',
            'namespaces',
          )
        ).code === 0;
      const { page, allow, expectNoTrouble, close } = await open('/settings/clusters');
      allow(/status of 400/);
      const rotate = async (): Promise<void> => {
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Rotate the token' }).click();
        await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      };
      await page.getByRole('row', { name: /in-cluster/ }).click();
      await rotate();
      await page
        .getByRole('dialog')
        .getByText(/does not use bearer token authentication/)
        .waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Clusters' }).last().click();
      await page.getByRole('button', { name: 'Add a cluster' }).click();
      await page.getByLabel('Address of the API').fill(cluster().url);
      await page.getByLabel('Token', { exact: true }).fill(token);
      await page.getByLabel('Certificate authority').fill(Buffer.from(authority, 'base64').toString('utf8'));
      await page.getByLabel('Name', { exact: true }).fill('pier');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: /pier/ }).waitFor();
      expect(await mayAsk()).toBe(true);
      await rotate();
      await page.getByText('pier has a new token').waitFor();
      await waitUntil(async () => !(await mayAsk()));
      // It answers to the new one: what is changed is stored only where it does.
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByLabel('Labels').fill('env=quay');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('env=quay').waitFor();
      expect(await page.content()).not.toContain(token);
      expectNoTrouble();
      await close();
    });

    it('it is deleted after a look at what will go, and nothing of it stays in the cluster', slow, async () => {
      const { page, expectNoTrouble, close } = await openApplication();
      await page.getByText('All resources are healthy').waitFor();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: /Delete/ }).click();
      await page.getByText(/These will go: .*1 Deployment.*2 Pod.*1 Service/).waitFor();
      await page.getByLabel(/Type ui-harbour to confirm/).fill(NAME);
      await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
      await page.waitForURL('**/applications');
      await waitUntil(async () => (await kubectl('get', 'deployments,services,pods', '--output=name')) === '');
      await page.getByText('No applications yet').waitFor();
      expectNoTrouble();
      await close();
    });
  });
});
