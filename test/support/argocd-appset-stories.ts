/** What people do with application sets, told with the stock clients: the same on every home. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application, ApplicationSet } from '../../src/model/index.ts';
import { openSurroundings, startHosts, type Hosts, type Surroundings } from './application-set-surroundings.ts';
import { describeRolloutStories } from './argocd-rollout-stories.ts';
import { IN_CLUSTER, Stage, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 90_000 };

/** `open` starts the program with something in its environment. */
export function describeApplicationSetStories(open: (program: Readonly<Record<string, string>>) => Promise<StageParts>): void {
  let hosts: Hosts;
  let stage: Stage;
  let surroundings: Surroundings;
  const parts = (): StageParts => stage.parts;

  beforeAll(async () => {
    hosts = await startHosts();
    stage = new Stage(await open(hosts.environment));
    await stage.signIn();
    surroundings = await openSurroundings(stage, hosts);
    await parts().repository.commit({ 'shop/one/cm.json': configMap('as-one'), 'shop/two/cm.json': configMap('as-two') });
  }, 180_000);
  afterAll(async () => {
    await surroundings?.close();
    await stage?.parts.close();
    await hosts?.close();
  });

  const control = (...args: readonly string[]) => parts().kubectl('--namespace', parts().controlNamespace, ...args);
  const get = async (name: string): Promise<ApplicationSet> =>
    JSON.parse(await stage.argocd('appset', 'get', name, '-o', 'json')) as ApplicationSet;
  const applications = async (): Promise<readonly Application[]> =>
    (JSON.parse((await control('get', 'applications', '--output', 'json')).stdout) as { readonly items: readonly Application[] }).items;
  const namesOf = async (set: string): Promise<readonly string[]> =>
    (await applications())
      .filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === set)
      .map(({ metadata }) => metadata.name ?? '')
      .sort();

  const folders = (directories: readonly object[], spec: object = {}, template: object = {}) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'as-shop', namespace: parts().controlNamespace },
    spec: {
      generators: [{ git: { repoURL: parts().repositoryUrl, revision: 'main', directories } }],
      template: {
        metadata: { name: 'as-{{path.basename}}' },
        spec: {
          project: 'default',
          source: { repoURL: parts().repositoryUrl, targetRevision: 'main', path: '{{path}}' },
          destination: { server: IN_CLUSTER, namespace: parts().namespace },
          ...template,
        },
      },
      ...spec,
    },
  });
  /** A file as the stock client takes it. */
  const fileOf = async (object: object): Promise<string> => {
    const file = join(parts().fairway.dataDir, `appset-${performance.now()}.json`);
    await writeFile(file, JSON.stringify(object));
    return file;
  };

  describe('with the argocd client', () => {
    const both = [{ path: 'shop/*' }];

    it('shows what a set would make, and makes nothing', slow, async () => {
      const file = await fileOf(folders(both));
      const said = await stage.argocd('appset', 'generate', file, '-o', 'yaml');
      expect(said.match(/^ {4}name: .*$/gm)).toEqual(['    name: as-one', '    name: as-two']);
      const tried = JSON.parse(await stage.argocd('appset', 'create', file, '--dry-run', '-o', 'json')) as ApplicationSet;
      expect(tried.status?.resources?.map(({ name }) => name)).toEqual(['as-one', 'as-two']);
      expect(await stage.argocdFails(20, 'appset', 'get', 'as-shop')).toContain('not found');
      expect(await namesOf('as-shop')).toEqual([]);
    });

    it('creates it, and waits until its applications are there', slow, async () => {
      await stage.argocd('appset', 'create', await fileOf(folders(both)), '--wait');
      expect(await namesOf('as-shop')).toEqual(['as-one', 'as-two']);
      const shown = await stage.argocd('appset', 'get', 'as-shop');
      expect(shown).toMatch(/^Name: +\S+\/as-shop$/m);
      expect(shown).toMatch(/^Health Status: +Healthy$/m);
      expect(shown).toMatch(/^ResourcesUpToDate +True +All applications have been generated successfully/m);
      expect(await stage.argocd('appset', 'list')).toMatch(/^\S+\/as-shop +default +nil +Healthy/m);
      expect(await stage.argocd('appset', 'list', '-o', 'name', '--project', 'default')).toMatch(/as-shop/);
      expect(await stage.argocd('appset', 'list', '-o', 'name', '--project', 'other')).not.toMatch(/as-shop/);
      await stage.argocd('app', 'sync', 'as-one');
      expect(await stage.live('configmaps')).toContain('configmap/as-one');
    });

    it('counts it and what is done for it', slow, async () => {
      const metrics = await (await fetch(`${parts().fairway.url}/metrics`)).text();
      const labels = `namespace="${parts().controlNamespace}",name="as-shop"`;
      expect(metrics).toContain(`argocd_appset_info{${labels},resource_update_status="ApplicationSetUpToDate"} 1`);
      expect(metrics).toContain(`argocd_appset_owned_applications{${labels}} 2`);
      expect(Number(new RegExp(`^argocd_appset_reconcile_count{${labels}} (\\d+)$`, 'm').exec(metrics)?.[1])).toBeGreaterThan(0);
    });

    it('changes it only where that is said', slow, async () => {
      const changed = await fileOf(folders(both, { syncPolicy: { applicationsSync: 'sync' } }, { revisionHistoryLimit: 3 }));
      expect(await stage.argocdFails(20, 'appset', 'create', changed)).toContain('use upsert flag to force update');
      await stage.argocd('appset', 'create', changed, '--upsert');
      await waitUntil(async () => (await stage.get('as-one')).spec.revisionHistoryLimit === 3);
      expect((await get('as-shop')).spec.syncPolicy).toEqual({ applicationsSync: 'sync' });
    });

    it('takes an application away with what it deployed', slow, async () => {
      await stage.argocd('appset', 'create', await fileOf(folders([{ path: 'shop/two' }])), '--upsert');
      await waitUntil(async () => (await namesOf('as-shop')).join() === 'as-two');
      expect(await stage.live('configmaps')).not.toContain('configmap/as-one');
    });

    it('says what is wrong with it', slow, async () => {
      const templated = await fileOf(folders(both, {}, { project: '{{path.basename}}' }));
      expect(await stage.argocdFails(20, 'appset', 'create', templated, '--upsert')).toContain('with templated `project` fields');
      const unknown = await fileOf(folders(both, {}, { project: 'as-nope' }));
      expect(await stage.argocdFails(20, 'appset', 'create', unknown, '--upsert')).toContain('project as-nope which does not exist');
      const broken = await fileOf({
        ...folders(both),
        spec: { ...folders(both).spec, generators: [{ git: { repoURL: 'https://as.invalid/x', revision: 'main', directories: both } }] },
      });
      expect(await stage.argocdFails(20, 'appset', 'generate', broken)).toContain('error generating params from git');
    });

    it('deletes it, and with it its applications', slow, async () => {
      await stage.argocd('appset', 'delete', 'as-shop', '--yes', '--wait');
      await waitUntil(async () => (await applications()).every(({ metadata }) => metadata.name !== 'as-two'));
      expect(await stage.argocdFails(20, 'appset', 'delete', 'as-shop', '--yes')).toContain('not found');
    });
  });

  describeRolloutStories(() => stage);

  describe('with kubectl', () => {
    it('leads to the applications that each manifest means', { timeout: 240_000 }, async () => {
      const { manifests, objects } = surroundings;
      expect(manifests.length).toBeGreaterThanOrEqual(25);
      for (let at = 0; at < objects.length; at += 10) await stage.apply(objects.slice(at, at + 10));
      const wanted = Object.fromEntries(manifests.map(({ name, makes }) => [name, makes.map((one) => `${name}-${one}`).sort()]));
      const found = async (): Promise<object> => {
        const made: Record<string, string[]> = Object.fromEntries(manifests.map(({ name }) => [name, []]));
        for (const { metadata } of await applications()) made[metadata.ownerReferences?.[0]?.name ?? '']?.push(metadata.name ?? '');
        return Object.fromEntries(Object.entries(made).map(([name, names]) => [name, names.sort()]));
      };
      await waitUntil(async () => JSON.stringify(await found()) === JSON.stringify(wanted)).catch(async () => {
        // What differs is worth more than that something does, and so is why.
        const list = JSON.parse((await control('get', 'applicationsets', '--output', 'json')).stdout) as { items: ApplicationSet[] };
        const troubles = list.items.flatMap(({ metadata, status }) =>
          (status?.conditions ?? []).flatMap(({ type, status: is, message }) =>
            type === 'ErrorOccurred' && is === 'True' ? [`${metadata.name}: ${message}`] : [],
          ),
        );
        expect({ troubles, ...(await found()) }).toEqual({ troubles: [], ...wanted });
      });
      expect(await namesOf('as-list')).toEqual(['as-list-a', 'as-list-b']);
    });

    it('has rendered the templates whole', slow, async () => {
      const all = new Map((await applications()).map((application) => [application.metadata.name, application]));
      expect(all.get('as-override-a')).toMatchObject({
        metadata: { labels: { over: 'a' } },
        spec: { project: 'default', destination: { server: IN_CLUSTER, namespace: 'other' } },
      });
      expect(all.get('as-patch-a')).toMatchObject({
        metadata: { annotations: { size: 'A' } },
        spec: { syncPolicy: { automated: { prune: true } } },
      });
      expect(all.get('as-policy-a')?.metadata.finalizers).toBeUndefined();
      expect(all.get('as-helm-a')?.spec.sources).toEqual([
        { repoURL: 'https://git.example.com/a.git', path: 'c', helm: { valuesObject: { a: ['a', 1] } } },
      ]);
    });

    it('stays as it is when it is applied again', slow, async () => {
      const versions = async (): Promise<string> =>
        JSON.stringify((await applications()).map(({ metadata, spec }) => [metadata.uid, metadata.labels, spec]));
      const before = await versions();
      // kubectl takes its time with what is there already.
      await stage.apply(surroundings.objects.slice(0, 2));
      await stage.argocd('appset', 'list');
      expect(await versions()).toBe(before);
    });

    it('goes with kubectl, too', slow, async () => {
      await control('delete', 'applicationsets', '--all');
      await waitUntil(async () => (await applications()).length === 0);
    });
  });
}
