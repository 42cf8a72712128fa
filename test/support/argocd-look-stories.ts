/** How people look at an application and change what it is, told with the stock client: the same on every home. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Application, ResourceDiff } from '../../src/model/index.ts';
import { deployment, IN_CLUSTER, service, Stage, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { signInAsAdmin, type RestCaller } from './rest-caller.ts';
import { waitUntil } from './wait-until.ts';
import { signIn, watchTree } from './watched-tree.ts';

const slow = { timeout: 60_000 };
/** An editor that people would not notice: it changes one number in whatever it is given. */
export const testEditor = 'sed -i s/revisionHistoryLimit:.3/revisionHistoryLimit:\\x204/';
const secret = (value: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'look-secret' }, stringData: { pw: value } });

export function describeLookStories(open: () => Promise<StageParts>): void {
  let stage: Stage;
  let folder: string;
  let rest: RestCaller;
  const parts = (): StageParts => stage.parts;

  beforeAll(async () => {
    stage = new Stage(await open());
    folder = await mkdtemp(join(tmpdir(), 'look-stories-'));
    await stage.signIn();
    rest = await signInAsAdmin(parts().fairway);
    await parts().repository.commit({
      'look/deployment.json': deployment('look'),
      'look/service.json': service('look'),
      'look/map.json': configMap('look-map', { a: '1' }),
      'look/secret.json': secret('canary-one'),
    });
    await stage.create('look', 'look', '--label', 'team=shop');
    await stage.argocd('app', 'sync', 'look');
    await stage.waitForState('look', 'Synced Healthy');
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await stage?.parts.close();
  });

  it('shows itself in every form', slow, async () => {
    const wide = await stage.argocd('app', 'get', 'look', '-o', 'wide', '--show-operation');
    expect(wide).toMatch(/^Sync Status: +Synced to .*$/m);
    expect(wide).toMatch(/^SyncWindow: +Sync Allowed$/m);
    expect(wide).toMatch(/^Operation: +Sync$/m);
    expect(await stage.argocd('app', 'get', 'look', '-o', 'yaml')).toMatch(/^metadata:$/m);
    const detailed = await stage.argocd('app', 'get', 'look', '-o', 'tree=detailed');
    expect(detailed).toMatch(/^KIND\/NAME +STATUS +HEALTH +AGE +MESSAGE +REASON$/m);
    expect(detailed).toMatch(/^Deployment\/look +Synced +Healthy[^]*ReplicaSet\/look-[^]*Pod\/look-/m);
    expect(await stage.argocd('app', 'resources', 'look', '--output', 'tree')).toMatch(/apps +ReplicaSet +\S+ +look-/);
    expect(await stage.argocd('app', 'history', 'look')).toMatch(/^0 +/m);
  });

  it('shows its tree to those who watch it whenever something below it changes', slow, async () => {
    const { fairway, namespace } = parts();
    using tree = await watchTree(await signIn(fairway.url, fairway.adminPassword), 'look');
    await tree.until('"kind":"Pod"', 30_000);
    for (const value of ['one', 'two']) {
      tree.forget();
      await stage.kubectl('annotate', 'pod', '--all', '--overwrite', `example.com/seen=${value}`);
      const { stdout } = await parts().kubectl('--namespace', namespace, 'get', 'pods', '--output', 'json');
      const { items } = JSON.parse(stdout) as { items: { metadata: { resourceVersion: string } }[] };
      for (const { metadata } of items) await tree.until(`"resourceVersion":"${metadata.resourceVersion}"`, 30_000);
    }
  });

  it('is found in lists by label, project, repository and namespace', slow, async () => {
    const named = `${parts().controlNamespace}/look\n`;
    for (const more of [
      ['-l', 'team=shop'],
      ['-p', 'default'],
      ['-r', parts().repositoryUrl],
      ['-N', parts().controlNamespace],
      ['-c', IN_CLUSTER],
    ])
      expect(await stage.argocd('app', 'list', '-o', 'name', ...more)).toBe(named);
    expect(await stage.argocd('app', 'list', '-o', 'name', '-l', 'team!=shop')).toBe('');
    expect(await stage.argocdFails(20, 'app', 'list', '-l', 'team in (')).toContain('error parsing the selector');
    const listed = JSON.parse(await stage.argocd('app', 'list', '-o', 'json')) as Application[];
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(['look']);
  });

  it('is set, unset, patched and edited', slow, async () => {
    await stage.argocd('app', 'set', 'look', '--revision', 'main', '--sync-policy', 'automated', '--auto-prune', '--self-heal');
    expect((await stage.get('look')).spec).toMatchObject({
      source: { targetRevision: 'main' },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    });
    await stage.argocd('app', 'set', 'look', '--sync-policy', 'none', '--sync-option', 'Validate=false', '--directory-recurse');
    await stage.argocd('app', 'set', 'look', '--sync-option', '!Validate=false');
    expect((await stage.get('look')).spec.syncPolicy?.automated).toBeUndefined();
    expect(await stage.argocd('app', 'unset', 'look', '--parameter', 'none')).toBe('');
    await stage.argocd('app', 'patch', 'look', '--patch', '[{"op": "add", "path": "/spec/revisionHistoryLimit", "value": 3}]');
    await stage.argocd('app', 'patch', 'look', '--type', 'merge', '--patch', '{"spec": {"info": [{"name": "who", "value": "me"}]}}');
    expect((await stage.get('look')).spec).toMatchObject({ revisionHistoryLimit: 3, info: [{ name: 'who', value: 'me' }] });
    expect(await stage.argocdFails(20, 'app', 'patch', 'look', '--patch', '{"spec": 5}', '--type', 'merge')).toMatch(
      /InvalidArgument|cannot/,
    );
    await stage.argocd('app', 'edit', 'look');
    expect((await stage.get('look')).spec.revisionHistoryLimit).toBe(4);
  });

  it('is compared with what git, the cluster and a folder say', slow, async () => {
    expect(await stage.argocd('app', 'diff', 'look', '--refresh')).toBe('');
    await parts().repository.commit({ 'look/map.json': configMap('look-map', { a: '2' }), 'look/secret.json': secret('canary-two') });
    const plain = await stage.argocdFails(1, 'app', 'diff', 'look', '--hard-refresh');
    expect(plain).toMatch(/===== \/ConfigMap \S+\/look-map ======\n\d+c\d+\n< +a: "1"\n---\n> +a: "2"/);
    const byServer = await stage.argocdFails(1, 'app', 'diff', 'look', '--server-side-diff');
    expect(byServer).toMatch(/< +a: "1"\n---\n> +a: "2"/);
    for (const shown of [plain, byServer]) {
      expect(shown).toMatch(/< +pw: \+{8,}\n---\n> +pw: \+{8,}/);
      expect(shown).not.toMatch(/canary|Y2FuYXJ5/);
    }
    await writeFile(join(folder, 'map.json'), configMap('look-map', { a: '3' }));
    expect(await stage.argocdFails(1, 'app', 'diff', 'look', '--local', folder, '--local-repo-root', folder)).toMatch(/> +a: "3"/);
    const root = await mkdtemp(join(folder, 'root-'));
    await mkdir(join(root, 'look'));
    await writeFile(join(root, 'look', 'map.json'), configMap('look-map', { a: '4' }));
    // With this, what is sent is the root of the repository.
    const generated = ['--local', root, '--server-side-generate'];
    expect(await stage.argocdFails(1, 'app', 'diff', 'look', ...generated)).toMatch(/> +a: "4"/);
    expect(await stage.argocdFails(1, 'app', 'diff', 'look', ...generated, '--server-side-diff')).toMatch(/> +a: "4"/);
    expect(await stage.argocdFails(1, 'app', 'diff', 'look', '--revision', 'main')).toMatch(/> +a: "2"/);
    expect(await stage.argocd('app', 'diff', 'look', '--exit-code=false')).toMatch(/> +a: "2"/);
  });

  it('says of each difference why it is there, and how to silence it', slow, async () => {
    await stage.kubectl('patch', 'configmap', 'look-map', '--type', 'merge', '--patch', '{"data":{"a":"by hand"}}');
    const path = '/api/v1/applications/look/managed-resources?name=look-map';
    const read = async (): Promise<ResourceDiff | undefined> => ((await rest('GET', path)).json as { items?: ResourceDiff[] }).items?.[0];
    const found = await waitUntil(async () => {
      const diff = await read();
      return diff?.liveState?.includes('by hand') === true ? diff : undefined;
    });
    expect(found.differences).toEqual([
      {
        path: '/data/a',
        cause: 'SourceChanged',
        manager: 'kubectl-patch',
        ignoreRule: { kind: 'ConfigMap', name: 'look-map', namespace: parts().namespace, jsonPointers: ['/data/a'] },
      },
    ]);
    await stage.argocd('app', 'sync', 'look');
    await stage.kubectl('patch', 'configmap', 'look-map', '--type', 'merge', '--patch', '{"data":{"a":"by hand"}}');
    await waitUntil(async () => (await read())?.differences?.[0]?.cause === 'LiveChanged');
    const ignored = `[{"kind": "ConfigMap", "managedFieldsManagers": ["kubectl-patch"]}]`;
    await stage.argocd('app', 'patch', 'look', '--type', 'merge', '--patch', `{"spec": {"ignoreDifferences": ${ignored}}}`);
    await stage.waitForState('look', 'Synced Healthy');
  });

  it('shows its manifests and its live objects, and no Secret', slow, async () => {
    for (const source of ['git', 'live']) {
      const shown = await stage.argocd('app', 'manifests', 'look', '--source', source);
      expect(shown).toMatch(/argocd\.argoproj\.io\/tracking-id: look:apps\/Deployment:/);
      expect(shown).not.toMatch(/canary|Y2FuYXJ5/);
    }
    const shown = await stage.argocd('app', 'get-resource', 'look', '--kind', 'Secret', '--resource-name', 'look-secret', '-o', 'yaml');
    expect(shown).toMatch(/pw: \+{8}/);
    expect(shown).not.toMatch(/canary|Y2FuYXJ5/);
    const fields = ['--kind', 'Deployment', '--resource-name', 'look', '--filter-fields', 'spec.replicas'];
    expect(await stage.argocd('app', 'get-resource', 'look', ...fields)).toMatch(/^spec\.replicas +1$/m);
  });

  it('lets its objects be deleted with force, or without what they own', slow, async () => {
    const before = await stage.live('replicasets', 'pods');
    expect(before).toHaveLength(2);
    await stage.argocd('app', 'delete-resource', 'look', '--kind', 'Deployment', '--resource-name', 'look', '--orphan');
    await waitUntil(async () => (await stage.live('deployments')).length === 0);
    expect(await stage.live('replicasets', 'pods')).toEqual(before);
    await stage.kubectl('delete', 'replicaset', '--all');
    await stage.argocd('app', 'delete-resource', 'look', '--kind', 'Service', '--resource-name', 'look', '--force');
    await waitUntil(async () => (await stage.live('services')).length === 0);
    expect(await stage.argocdFails(20, 'app', 'delete-resource', 'look', '--kind', 'Service', '--resource-name', 'look')).not.toBe('');
    await stage.argocd('app', 'sync', 'look');
    await stage.argocd('app', 'wait', 'look', '--health', '--timeout', '60');
  });

  it('is waited for as long as is asked, and no longer', slow, async () => {
    expect(await stage.argocdFails(20, 'app', 'wait', 'look', '--degraded', '--timeout', '2')).toMatch(/timed out/);
    await stage.argocd('app', 'wait', 'look', '--sync', '--operation', '--timeout', '30');
  });

  it('has links beside it', slow, async () => {
    const links = '- {url: "https://logs.example/{{ .app.metadata.name }}", title: Logs, if: "app.spec.project == \\"default\\""}';
    const patch = JSON.stringify({
      data: {
        'application.links': links,
        'resource.links': links,
        'project.links': '- {url: "https://p/{{ .project.metadata.name }}", title: P}',
      },
    });
    await parts().kubectl('--namespace', parts().controlNamespace, 'patch', 'configmap', 'argocd-cm', '--type', 'merge', '--patch', patch);
    const linksOf = async (path: string): Promise<unknown> => (await rest('GET', path)).json;
    const logs = { items: [{ title: 'Logs', url: 'https://logs.example/look' }] };
    await waitUntil(async () => JSON.stringify(await linksOf('/api/v1/applications/look/links')) === JSON.stringify(logs));
    const query = `resourceName=look-map&namespace=${parts().namespace}&version=v1&kind=ConfigMap`;
    expect(await linksOf(`/api/v1/applications/look/resource/links?${query}`)).toEqual(logs);
    expect(await linksOf('/api/v1/projects/default/links')).toEqual({ items: [{ title: 'P', url: 'https://p/default' }] });
  });

  it('is written down as a spec, and reports about it are compared', slow, async () => {
    const wanted = ['--repo', parts().repositoryUrl, '--path', 'look', '--dest-namespace', 'x', '--dest-server', IN_CLUSTER];
    const spec = await stage.argocd('admin', 'app', 'generate-spec', 'made', ...wanted, '-o', 'json');
    expect(JSON.parse(spec)).toMatchObject({ kind: 'Application', metadata: { name: 'made' }, spec: { source: { path: 'look' } } });
    const report = join(folder, 'report.json');
    const home = ['--kubeconfig', parts().kubeconfig, '--namespace', parts().controlNamespace];
    await stage.argocd('admin', 'app', 'get-reconcile-results', report, ...home, '--o', 'json');
    const { applications } = JSON.parse(await readFile(report, 'utf8')) as { applications: object[] };
    expect(applications).toEqual([
      expect.objectContaining({ name: 'look', health: 'Healthy', sync: expect.objectContaining({ status: 'Synced' }) as object }),
    ]);
    const results = async (name: string, status: string): Promise<string> => {
      const file = join(folder, name);
      await writeFile(file, `applications:\n- name: look\n  health: Healthy\n  sync: {status: ${status}}\n`);
      return file;
    };
    const [one, other] = [await results('one.yaml', 'Synced'), await results('other.yaml', 'OutOfSync')];
    expect(await stage.argocd('admin', 'app', 'diff-reconcile-results', one, other)).toMatch(/look[^]*OutOfSync/);
  });
}
