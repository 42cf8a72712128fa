import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXIT_API_ERROR, EXIT_CLIENT_ERROR, type ProjectUser } from './argocd-project-user.ts';
import { useProjectUser } from './use-project-user.ts';

const IN_CLUSTER = 'https://kubernetes.default.svc';
const REPOSITORY = 'https://git.example/shop.git';
const slow = { timeout: 60_000 };

/** What people do with `argocd proj`. */
export function describeProjectStories(open: () => Promise<ProjectUser>): void {
  const { proj, says, fails, spec, file: fileOf } = useProjectUser(open);

  describe('a project', () => {
    it('is created, shown, changed and created again', slow, async () => {
      expect(await proj('create', 'shop', '--description', 'The shop', '-d', `${IN_CLUSTER},shop`, '-s', REPOSITORY)).toBe('');
      expect(await proj('get', 'shop')).toBe(
        [
          'Name:                        shop',
          'Description:                 The shop',
          `Destinations:                ${IN_CLUSTER},shop`,
          `Repositories:                ${REPOSITORY}`,
          'Source Namespaces:           <none>',
          'Scoped Repositories:         <none>',
          'Allowed Cluster Resources:   <none>',
          'Scoped Clusters:             <none>',
          'Denied Namespaced Resources: <none>',
          'Signature keys:              <none>',
          'Orphaned Resources:          disabled',
          '',
        ].join('\n'),
      );
      expect(await fails(EXIT_API_ERROR, 'proj', 'create', 'shop')).toContain(
        'code = InvalidArgument desc = existing project spec is different; use upsert flag to force update; difference in keys "Description,Destinations,SourceRepos"',
      );
      await proj('create', 'shop', '--upsert', '-d', `${IN_CLUSTER},shop`, '-s', REPOSITORY);
      await proj('set', 'shop', '--description', 'Changed', '--source-namespaces', 'team-a', '--orphaned-resources-warn');
      expect(await spec('shop')).toMatchObject({
        description: 'Changed',
        sourceNamespaces: ['team-a'],
        orphanedResources: { warn: true },
        sourceRepos: [REPOSITORY],
      });
    });

    it('is listed beside the default one, which always exists', slow, async () => {
      expect(await proj('list')).toMatch(
        /^NAME +DESCRIPTION +DESTINATIONS.*\ndefault +\*,\* +\* +\*\/\* +<none> +<none> +disabled +<none>\nshop +Changed /,
      );
      expect(await proj('list', '-o', 'name')).toBe('default\nshop\n');
      expect(await fails(EXIT_API_ERROR, 'proj', 'delete', 'default')).toContain("name 'default' is reserved and cannot be deleted");
    });

    it('is edited in an editor', slow, async () => {
      await proj('edit', 'shop');
      expect((await spec('shop')).description).toBe('Edited');
    });

    it('is created from a file with all there is, and says it again', slow, async () => {
      const given = {
        description: 'All there is',
        sourceRepos: ['*', '!https://git.example/secret/*'],
        destinations: [{ name: 'in-cluster', namespace: 'full-*' }],
        sourceNamespaces: ['team-*'],
        clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'full-*' }],
        clusterResourceBlacklist: [{ group: 'rbac.authorization.k8s.io', kind: '*' }],
        namespaceResourceWhitelist: [{ group: '*', kind: '*' }],
        namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }],
        orphanedResources: { warn: false, ignore: [{ group: 'apps', kind: 'Deployment', name: 'x' }] },
        signatureKeys: [{ keyID: 'D56C4FCA57A46444' }],
        destinationServiceAccounts: [{ server: IN_CLUSTER, namespace: 'full-a', defaultServiceAccount: 'deployer' }],
        permitOnlyProjectScopedClusters: false,
        roles: [{ name: 'ci', description: 'Builds', policies: ['p,proj:full:ci,applications,sync,full/*,allow'], groups: ['builders'] }],
        syncWindows: [
          { kind: 'deny', schedule: '0 1 * * *', duration: '1h', applications: ['*'], timeZone: 'Europe/Berlin', andOperator: true },
        ],
      };
      const file = fileOf('full.json');
      await writeFile(
        file,
        JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'full' }, spec: given }),
      );
      await proj('create', '-f', file);
      const { permitOnlyProjectScopedClusters: _no, ...kept } = given;
      expect(await spec('full')).toEqual({
        ...kept,
        roles: [{ ...given.roles[0], policies: ['p, proj:full:ci, applications, sync, full/*, allow'] }],
      });
      await proj('delete', 'full');
    });

    it('is refused in the words of the API', slow, async () => {
      const create = (...args: readonly string[]) => fails(EXIT_API_ERROR, 'proj', 'create', 'bad', ...args);
      expect(await create('-s', '!*')).toContain("source repository has an invalid format, '!*'");
      expect(await create('-d', '!*,x')).toContain("server has an invalid format, '!*'");
      expect(await create('-d', `${IN_CLUSTER},x`, '-d', `${IN_CLUSTER},x`)).toContain(`destination '${IN_CLUSTER}/x' already added`);
      expect(await create('--dest-service-accounts', `${IN_CLUSTER},x,!a`)).toContain("defaultServiceAccount has an invalid format, '!a'");
      expect(await fails(EXIT_API_ERROR, 'proj', 'get', 'bad')).toContain('code = NotFound desc = appprojects.argoproj.io "bad" not found');
      expect(await fails(EXIT_API_ERROR, 'proj', 'set', 'bad', '--description', 'x')).toContain('not found');
      expect(await fails(EXIT_API_ERROR, 'proj', 'delete', 'bad')).toContain('not found');
    });
  });

  describe('the lists of a project', () => {
    it('hold sources', slow, async () => {
      const other = 'https://git.example/other.git';
      await proj('add-source', 'shop', other);
      expect(await proj('add-source', 'shop', other)).toBe(`Source repository '${other}' already allowed in project\n`);
      expect((await spec('shop')).sourceRepos).toEqual([REPOSITORY, other]);
      await proj('remove-source', 'shop', other);
      expect(await proj('remove-source', 'shop', other)).toBe(`Source repository '${other}' does not exist in project\n`);
      expect((await spec('shop')).sourceRepos).toEqual([REPOSITORY]);
      await proj('add-source-namespace', 'shop', 'team-b');
      expect((await spec('shop')).sourceNamespaces).toEqual(['team-a', 'team-b']);
      await proj('remove-source-namespace', 'shop', 'team-b');
      expect((await spec('shop')).sourceNamespaces).toEqual(['team-a']);
    });

    it('hold destinations and accounts for them', slow, async () => {
      await proj('add-destination', 'shop', IN_CLUSTER, 'prod');
      await proj('add-destination', 'shop', 'in-cluster', 'dev', '--name');
      expect(await fails(EXIT_CLIENT_ERROR, 'proj', 'add-destination', 'shop', IN_CLUSTER, 'prod')).toContain('already defined in project');
      expect((await spec('shop')).destinations).toEqual([
        { server: IN_CLUSTER, namespace: 'shop' },
        { server: IN_CLUSTER, namespace: 'prod' },
        { name: 'in-cluster', namespace: 'dev' },
      ]);
      await proj('remove-destination', 'shop', IN_CLUSTER, 'prod');
      expect((await spec('shop')).destinations).toHaveLength(2);
      const account = ['shop', IN_CLUSTER, 'shop', 'deployer'];
      await proj('add-destination-service-account', ...account);
      expect(await fails(EXIT_CLIENT_ERROR, 'proj', 'add-destination-service-account', ...account)).toContain('already defined');
      expect((await spec('shop')).destinationServiceAccounts).toEqual([
        { server: IN_CLUSTER, namespace: 'shop', defaultServiceAccount: 'deployer' },
      ]);
      await proj('remove-destination-service-account', ...account);
      expect((await spec('shop')).destinationServiceAccounts).toBeUndefined();
    });

    it('hold kinds that are allowed and denied', slow, async () => {
      expect(await proj('allow-cluster-resource', 'shop', '', 'Namespace')).toContain('is added to allowed cluster resources');
      expect((await spec('shop')).clusterResourceWhitelist).toEqual([{ group: '', kind: 'Namespace' }]);
      expect(await proj('deny-cluster-resource', 'shop', '', 'Namespace')).toContain('is removed from allowed cluster resources');
      await proj('deny-cluster-resource', 'shop', '', 'Node', '--list', 'deny');
      expect(await proj('deny-namespace-resource', 'shop', 'apps', 'Deployment')).toContain('is added to denied namespaced resources');
      expect(await proj('allow-namespace-resource', 'shop', 'batch', 'Job', '--list', 'allow')).toContain('is added to allowed');
      expect(await spec('shop')).toMatchObject({
        clusterResourceBlacklist: [{ group: '', kind: 'Node' }],
        namespaceResourceBlacklist: [{ group: 'apps', kind: 'Deployment' }],
        namespaceResourceWhitelist: [{ group: 'batch', kind: 'Job' }],
      });
      expect(await proj('allow-namespace-resource', 'shop', 'apps', 'Deployment')).toContain('is removed from denied');
      expect(await proj('deny-namespace-resource', 'shop', 'batch', 'Job', '--list', 'allow')).toContain('is removed from allowed');
    });

    it('hold orphans that may be there, and demands on signatures', slow, async () => {
      const orphan = ['shop', 'apps', 'Deployment', '--name', 'web'];
      await proj('add-orphaned-ignore', ...orphan);
      expect(await fails(EXIT_CLIENT_ERROR, 'proj', 'add-orphaned-ignore', ...orphan)).toContain('already defined');
      expect((await spec('shop')).orphanedResources).toEqual({ warn: true, ignore: [{ group: 'apps', kind: 'Deployment', name: 'web' }] });
      await proj('remove-orphaned-ignore', ...orphan);
      expect((await spec('shop')).orphanedResources).toEqual({ warn: true });
      await proj('add-signature-key', 'shop', 'D56C4FCA57A46444');
      expect((await spec('shop')).signatureKeys).toEqual([{ keyID: 'D56C4FCA57A46444' }]);
      await proj('remove-signature-key', 'shop', 'D56C4FCA57A46444');
      expect((await spec('shop')).signatureKeys).toBeUndefined();
      const policies = ['source-integrity', 'git', 'policies'];
      await proj(...policies, 'add', 'shop', '--repo-url', 'https://git.example/*', '--gpg-mode', 'none');
      expect(await proj(...policies, 'list', 'shop')).toContain('https://git.example/*');
      await proj(...policies, 'update', 'shop', '0', '--add-repo-url', 'https://other.example/*', '--yes');
      expect((await spec('shop')).sourceIntegrity).toEqual({
        git: {
          policies: [{ repos: [{ url: 'https://git.example/*' }, { url: 'https://other.example/*' }], gpg: { mode: 'none', keys: null } }],
        },
      });
      await proj(...policies, 'delete', 'shop', '0', '--yes');
    });
  });

  it('a project goes when no application uses it', slow, async () => {
    const destination = ['--dest-server', IN_CLUSTER, '--dest-namespace', 'shop'];
    await says('app', 'create', 'web', '--project', 'shop', '--repo', REPOSITORY, '--path', 'x', ...destination, '--validate=false');
    await proj('windows', 'add', 'shop', '-k', 'deny', '--schedule', '* * * * *', '--duration', '5m', '--applications', '*');
    expect(await says('app', 'get', 'web')).toMatch(/^SyncWindow: +Sync Denied\nAssigned Windows: +deny:\* \* \* \* \*:5m$/m);
    expect(await fails(EXIT_API_ERROR, 'app', 'sync', 'web')).toContain(
      'code = PermissionDenied desc = cannot sync: blocked by sync window',
    );
    await proj('windows', 'enable-manual-sync', 'shop', '0');
    expect(await says('app', 'get', 'web')).toMatch(/^SyncWindow: +Manual Allowed$/m);
    expect(await fails(EXIT_API_ERROR, 'proj', 'delete', 'shop')).toContain(
      'code = InvalidArgument desc = project is referenced by 1 applications',
    );
    expect(await fails(EXIT_API_ERROR, 'proj', 'remove-source', 'shop', REPOSITORY)).toContain(
      'as a result of project update 1 applications source became invalid',
    );
    expect(await fails(EXIT_API_ERROR, 'proj', 'remove-destination', 'shop', IN_CLUSTER, 'shop')).toContain(
      'as a result of project update 1 applications destination became invalid',
    );
    await says('app', 'delete', 'web', '--yes', '--cascade=false');
    await proj('delete', 'shop');
    expect(await fails(EXIT_API_ERROR, 'proj', 'delete', 'shop')).toContain('code = NotFound');
  });
}
