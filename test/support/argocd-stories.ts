/** What people do with applications, told with the stock client: the same on every home. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from '../../src/model/index.ts';
import { deployment, IN_CLUSTER, service, Stage, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 60_000 };

export function describeApplicationStories(open: () => Promise<StageParts>): void {
  let stage: Stage;
  const parts = (): StageParts => stage.parts;

  beforeAll(async () => {
    stage = new Stage(await open());
    await stage.signIn();
    await parts().repository.commit({
      'web/deployment.json': deployment('web'),
      'web/service.json': service('web'),
      'more/one.json': configMap('one'),
      'broken/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: [b\n',
    });
  }, 120_000);
  afterAll(async () => {
    await stage?.parts.close();
  });

  describe('from the first deployment to the last', () => {
    it('is created, and shows what is not there yet', slow, async () => {
      expect(await stage.create('web', 'web')).toBe("application 'web' created\n");
      expect(await stage.create('web', 'web')).toBe("application 'web' unchanged\n");
      await stage.waitForState('web', 'OutOfSync Missing');
      expect(await stage.argocd('app', 'list')).toMatch(
        /^\S+\/web +https:\/\/kubernetes\.default\.svc +\S+ +default +OutOfSync +Missing +Manual +<none>/m,
      );
      const shown = await stage.argocd('app', 'get', 'web');
      expect(shown).toMatch(/^apps +Deployment +\S+ +web +OutOfSync +Missing/m);
      expect(await stage.live('deployments', 'services')).toEqual([]);
    });

    it('is synced, and then is healthy', slow, async () => {
      const said = await stage.argocd('app', 'sync', 'web');
      expect(said).toMatch(/^Phase: +Succeeded$/m);
      expect(said).toMatch(/^Message: +successfully synced \(all tasks run\)$/m);
      expect(said).toMatch(/^apps +Deployment +\S+ +web +Synced .* deployment\.apps\/web created$/m);
      await stage.argocd('app', 'wait', 'web', '--health', '--sync', '--timeout', '30');
      expect(await stage.state('web')).toBe('Synced Healthy');
      expect(await stage.live('deployments', 'services')).toEqual(['deployment.apps/web', 'service/web']);
      expect(await stage.argocd('app', 'diff', 'web')).toBe('');
      expect(await stage.argocd('app', 'resources', 'web')).toMatch(/^apps +Deployment +\S+ +web +No$/m);
      const tree = await stage.argocd('app', 'get', 'web', '-o', 'tree');
      expect(tree).toMatch(/Deployment\/web .*\n.*ReplicaSet\/web-\S+ +Healthy.*\n.*Pod\/web-\S+ +Healthy/);
    });

    it('has nothing left to do when it is synced again', slow, async () => {
      const version = await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.metadata.resourceVersion}');
      expect(await stage.argocd('app', 'sync', 'web')).toMatch(/deployment\.apps\/web unchanged/);
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.metadata.resourceVersion}')).toBe(version);
    });

    it('follows what changes in git', slow, async () => {
      const commit = await parts().repository.commit({ 'web/deployment.json': deployment('web', { replicas: 2 }) });
      expect(await stage.state('web', '--refresh')).toBe('OutOfSync Healthy');
      expect(await stage.argocdFails(1, 'app', 'diff', 'web')).toMatch(/< +replicas: 1\n---\n> +replicas: 2/);
      expect(await stage.argocd('app', 'sync', 'web')).toContain(commit);
      await stage.waitForState('web', 'Synced Healthy');
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.spec.replicas}')).toBe('2');
    });

    it('sees what somebody changes in the cluster, and puts it right when asked', slow, async () => {
      await stage.kubectl('scale', 'deployment', 'web', '--replicas', '5');
      await waitUntil(async () => (await stage.state('web')).startsWith('OutOfSync'));
      await stage.argocd('app', 'sync', 'web');
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.spec.replicas}')).toBe('2');
      await stage.waitForState('web', 'Synced Healthy');
    });

    it('prunes only when it is told to', slow, async () => {
      await parts().repository.commit({ 'web/extra.json': configMap('extra') });
      await stage.argocd('app', 'sync', 'web');
      await parts().repository.commit({ 'web/extra.json': undefined });
      expect(await stage.argocdFails(1, 'app', 'sync', 'web')).toContain('1 resources require pruning');
      expect(await stage.live('configmaps')).toEqual(['configmap/extra']);
      expect(await stage.argocd('app', 'sync', 'web', '--prune')).toMatch(/extra .* pruned/);
      expect(await stage.live('configmaps')).toEqual([]);
      await stage.waitForState('web', 'Synced Healthy');
    });

    it('goes back to what was deployed before, and says that it has', slow, async () => {
      const history = await stage.argocd('app', 'history', 'web', '--output', 'id');
      const [first] = history.trim().split('\n');
      expect(first).toBe('0');
      await stage.argocd('app', 'rollback', 'web', '0');
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.spec.replicas}')).toBe('1');
      await stage.waitForState('web', 'OutOfSync Healthy');
    });

    it('tries without doing', slow, async () => {
      expect(await stage.argocd('app', 'sync', 'web', '--dry-run')).toContain('(dry run)');
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.spec.replicas}')).toBe('1');
    });

    it('shows its manifests and a live object', slow, async () => {
      expect(await stage.argocd('app', 'manifests', 'web', '--source', 'git')).toMatch(/replicas: 2/);
      const live = await stage.argocd('app', 'get-resource', 'web', '--kind', 'Deployment', '-o', 'json');
      expect(live).toContain('"replicas"');
      expect(await stage.argocdFails(20, 'app', 'terminate-op', 'web')).toContain(
        'Unable to terminate operation. No operation is in progress',
      );
    });

    it('lets a live object be changed and deleted through it', slow, async () => {
      const one = ['--kind', 'Deployment', '--resource-name', 'web'];
      const patch = ['--patch', '{"metadata":{"labels":{"hot":"fix"}}}', '--patch-type', 'application/merge-patch+json'];
      await stage.argocd('app', 'patch-resource', 'web', ...one, ...patch);
      expect(await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.metadata.labels.hot}')).toBe('fix');
      await stage.argocd('app', 'delete-resource', 'web', '--kind', 'Service', '--resource-name', 'web');
      await waitUntil(async () => !(await stage.live('services')).includes('service/web'));
      await stage.waitForState('web', 'OutOfSync Healthy');
      // Where no container runs, what the cluster says about that is a line of the log.
      expect(await stage.argocd('app', 'logs', 'web', '--kind', 'Deployment', '--name', 'web', '--tail', '1')).not.toBe('');
    });

    it('takes its objects along when it is deleted', slow, async () => {
      await stage.argocd('app', 'delete', 'web', '--yes', '--wait');
      await waitUntil(async () => (await stage.live('deployments', 'services', 'replicasets', 'pods')).length === 0);
      expect(await stage.argocdFails(20, 'app', 'get', 'web')).toContain('code = PermissionDenied desc = permission denied');
    });

    it('leaves them where that is asked for', slow, async () => {
      await stage.create('web', 'web');
      await stage.argocd('app', 'sync', 'web');
      await stage.argocd('app', 'delete', 'web', '--yes', '--cascade=false', '--wait');
      expect(await stage.live('deployments', 'services')).toEqual(['deployment.apps/web', 'service/web']);
      await stage.kubectl('delete', 'deployment/web', 'service/web');
    });
  });

  describe('is refused', () => {
    it.each([
      [
        'a path that is not there',
        ['--path', 'nowhere'],
        'Unable to generate manifests in nowhere: rpc error: code = Unknown desc = nowhere: app path does not exist',
      ],
      ['YAML that cannot be read', ['--path', 'broken'], 'Unable to generate manifests in broken: '],
      ['a branch that is not there', ['--revision', 'nope'], "unable to resolve 'nope' to a commit SHA"],
      ['a project that is not there', ['--project', 'nope'], 'app is not allowed in project "nope", or the project does not exist'],
      ['a cluster that nobody registered', ['--dest-server', 'https://nowhere.example'], 'cluster "https://nowhere.example" not found'],
    ])('with %s', slow, async (_what, more, text) => {
      expect(await stage.argocdFails(20, ...stage.createArguments('refused', 'web', ...more))).toContain(text);
    });

    it('with a repository that is not there', slow, async () => {
      const more = ['--repo', `${parts().repositoryUrl}-nowhere`];
      expect(await stage.argocdFails(20, ...stage.createArguments('refused', 'web', ...more))).toContain('repository not accessible');
    });

    it('with another spec than the one that exists, unless it may replace it', slow, async () => {
      await stage.create('more', 'more');
      expect(await stage.argocdFails(20, ...stage.createArguments('more', 'web'))).toContain(
        'existing application spec is different, use upsert flag to force update',
      );
      expect(await stage.create('more', 'web', '--upsert')).toBe("application 'more' updated\n");
      await stage.argocd('app', 'delete', 'more', '--yes', '--wait');
    });

    it('by the cluster, where the namespace is not there, and makes it where that is asked for', slow, async () => {
      const namespace = `${parts().namespace}-new`;
      await stage.create('new', 'web', '--dest-namespace', namespace);
      expect(await stage.argocdFails(1, 'app', 'sync', 'new')).toMatch(/Phase: +Failed[^]*namespaces "\S+-new" not found/);
      await stage.argocd('app', 'set', 'new', '--sync-option', 'CreateNamespace=true');
      expect(await stage.argocd('app', 'sync', 'new')).toMatch(/namespace\/\S+-new created/);
      await stage.argocd('app', 'delete', 'new', '--yes', '--wait');
    });
  });

  describe('kept in git or in a file', () => {
    it('is synced by its own policy, healed when somebody interferes, and pruned', slow, async () => {
      const syncPolicy = { automated: { prune: true, selfHeal: true } };
      await stage.apply([stage.application('auto', 'web', { syncPolicy }, ['resources-finalizer.argocd.argoproj.io'])]);
      await stage.waitForState('auto', 'Synced Healthy');
      await stage.kubectl('delete', 'service', 'web');
      await waitUntil(async () => (await stage.live('services')).includes('service/web'));
      await stage.kubectl('scale', 'deployment', 'web', '--replicas', '7');
      await waitUntil(async () => (await stage.kubectl('get', 'deployment', 'web', '--output', 'jsonpath={.spec.replicas}')) === '2');
      await parts().repository.commit({ 'web/service.json': undefined });
      await stage.get('auto', '--refresh');
      await waitUntil(async () => (await stage.live('services')).length === 0);
      await stage.waitForState('auto', 'Synced Healthy');
      await parts().kubectl('--namespace', parts().controlNamespace, 'delete', 'application', 'auto', '--wait=false');
      await waitUntil(async () => (await stage.live('deployments')).length === 0);
    });

    it('is made by another application', slow, async () => {
      const child = stage.application('child', 'more', { syncPolicy: { automated: {} } }, ['resources-finalizer.argocd.argoproj.io']);
      await parts().repository.commit({ 'apps/child.json': JSON.stringify(child) });
      await stage.create('parent', 'apps', '--dest-namespace', parts().controlNamespace, '--sync-policy', 'automated');
      await waitUntil(async () => (await stage.live('configmaps')).includes('configmap/one'));
      await stage.waitForState('parent', 'Synced Healthy');
      expect((await stage.get('parent')).status?.summary).toMatchObject({ isAppOfApps: true });
      await stage.argocd('app', 'delete', 'parent', '--yes', '--wait');
      await waitUntil(async () => (await stage.live('configmaps')).length === 0);
    });

    it('says what is wrong with it', slow, async () => {
      await stage.apply([
        stage.application('lost', 'web', { project: 'nope' }),
        stage.application('astray', 'web', { destination: { name: 'nowhere', namespace: 'x' } }),
        stage.application('empty', 'nowhere'),
        { ...stage.application('blank', 'web'), spec: { project: 'default', destination: { server: IN_CLUSTER } } },
      ]);
      const problemsOf = async (name: string): Promise<string[]> =>
        waitUntil(async () => {
          // The API shows nobody an application whose project is not there.
          const { stdout } = await parts().kubectl('--namespace', parts().controlNamespace, 'get', 'application', name, '-o', 'json');
          const { status } = JSON.parse(stdout) as Application;
          return status?.conditions?.map(({ type, message }) => `${type}: ${message}`);
        });
      expect(await problemsOf('lost')).toEqual(['InvalidSpecError: Application referencing project nope which does not exist']);
      expect(await problemsOf('astray')).toEqual(['InvalidSpecError: there are no clusters with this name: nowhere']);
      expect(await problemsOf('empty')).toEqual([
        'ComparisonError: Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = nowhere: app path does not exist',
      ]);
      expect(await problemsOf('blank')).toEqual([
        'InvalidSpecError: spec.source.repoURL and either spec.source.path or spec.source.chart are required',
      ]);
      expect(await stage.state('empty')).toMatch(/^Unknown /);
      const names = ['lost', 'astray', 'empty', 'blank'];
      await parts().kubectl('--namespace', parts().controlNamespace, 'delete', 'application', ...names);
    });
  });
}
