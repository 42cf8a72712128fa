import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppProject } from '../../src/model/index.ts';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** The client's exit codes for an error of the server, and for one of its own. */
const EXIT_API_ERROR = 20;
const EXIT_CLIENT_ERROR = 1;
const IN_CLUSTER = 'https://kubernetes.default.svc';
const REPOSITORY = 'https://git.example/shop.git';
const slow = { timeout: 60_000 };

describeWithTool('argocd', 'argocd proj, with the stock client', (argocd) => {
  let fairway: Fairway;
  let user: ArgocdUser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairway-proj-'));
    const editor = join(folder, 'editor');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/^description: .*/description: Edited/" "$1"\n');
    await chmod(editor, 0o755);
    fairway = await startFairway();
    user = await createArgocdUser(argocd(), { EDITOR: editor, TZ: 'UTC' });
    await says('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 120_000);

  afterAll(async () => {
    await user?.[Symbol.asyncDispose]();
    await fairway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command that must succeed; what it said. */
  async function says(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args, code: 0, said: '' });
    // What it reports about lists goes to its standard error.
    return `${stdout}${stderr}`;
  }

  const proj = (...args: readonly string[]): Promise<string> => says('proj', ...args);

  /** Runs a command that must fail like this; what it said. */
  async function fails(code: number, ...args: readonly string[]): Promise<string> {
    const result = await user.run(...args);
    expect({ args, code: result.code }).toEqual({ args, code });
    return `${result.stdout}${result.stderr}`.replaceAll(String.raw`\"`, '"');
  }

  const get = async (name: string): Promise<AppProject> => JSON.parse(await proj('get', name, '-o', 'json')) as AppProject;
  const spec = async (name: string): Promise<AppProject['spec']> => (await get(name)).spec;

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
      const file = join(folder, 'full.json');
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

  describe('a role', () => {
    const role = (...args: readonly string[]): Promise<string> => proj('role', ...args);
    const asToken = (token: string, ...args: readonly string[]): Promise<string> => says(...args, '--auth-token', token);

    it('is created with policies and groups', slow, async () => {
      expect(await role('create', 'shop', 'ci', '--description', 'Builds')).toBe("Role 'ci' created\n");
      expect(await role('create', 'shop', 'ci')).toBe("Role 'ci' already exists\n");
      expect(await fails(EXIT_API_ERROR, 'proj', 'role', 'create', 'shop', 'c i')).toContain("invalid role name 'c i'. Must consist of");
      const policy = ['shop', 'ci', '--action', 'sync', '--permission', 'allow', '--object', '*'];
      await role('add-policy', ...policy);
      expect(await fails(EXIT_API_ERROR, 'proj', 'role', 'add-policy', ...policy)).toContain(
        "code = AlreadyExists desc = policy 'p, proj:shop:ci, applications, sync, shop/*, allow' already exists for role 'ci'",
      );
      await role('add-policy', 'shop', 'ci', '-a', 'get', '-o', 'web', '-p', 'deny');
      await role('remove-policy', 'shop', 'ci', '-a', 'get', '-o', 'web', '-p', 'deny');
      expect(await role('add-group', 'shop', 'ci', 'devs')).toBe("Group 'devs' added to role 'ci'\n");
      expect(await role('add-group', 'shop', 'ci', 'devs')).toBe("Group 'devs' already present in role 'ci'\n");
      await role('add-group', 'shop', 'ci', 'ops');
      expect(await role('remove-group', 'shop', 'ci', 'ops')).toBe("Group 'ops' removed from role 'ci'\n");
      expect(await role('list', 'shop')).toBe('ROLE-NAME  DESCRIPTION\nci         Builds\n');
      expect(await role('get', 'shop', 'ci')).toBe(
        [
          'Role Name:     ci',
          'Description:   Builds',
          'Policies:',
          'p, proj:shop:ci, projects, get, shop, allow',
          'p, proj:shop:ci, applications, sync, shop/*, allow',
          'g, devs, proj:shop:ci',
          'Groups:',
          '  - devs',
          'JWT Tokens:',
          'ID  ISSUED-AT  EXPIRES-AT',
          '',
        ].join('\n'),
      );
    });

    it('has tokens, which are good for its project until they are deleted', slow, async () => {
      expect(await role('create-token', 'shop', 'ci', '--id', 'nightly', '--expires-in', '1h')).toMatch(
        /^Create token succeeded for proj:shop:ci\.\n {2}ID: nightly\n {2}Issued At: \S+\n {2}Expires At: \d{4}-\S+\n {2}Token: \S+\n$/,
      );
      expect(await fails(EXIT_API_ERROR, 'proj', 'role', 'create-token', 'shop', 'ci', '--id', 'nightly')).toContain(
        "Token id 'nightly' has been used. ",
      );
      expect(await fails(EXIT_API_ERROR, 'proj', 'role', 'create-token', 'shop', 'nope')).toContain(
        "code = NotFound desc = project 'shop' does not have role 'nope'",
      );
      const token = (await role('create-token', 'shop', 'ci', '--token-only')).trim();

      expect(await asToken(token, 'account', 'get-user-info')).toContain('Logged In: true\nUsername: proj:shop:ci\nIssuer: argocd\n');
      expect(await asToken(token, 'proj', 'list', '-o', 'name')).toBe('shop\n');
      expect(await asToken(token, 'account', 'can-i', 'sync', 'applications', 'shop/web')).toBe('yes\n');
      expect(await asToken(token, 'account', 'can-i', 'sync', 'applications', 'default/web')).toBe('no\n');
      expect(await fails(EXIT_API_ERROR, 'proj', 'get', 'default', '--auth-token', token)).toContain(
        'permission denied: projects, get, default, sub: proj:shop:ci',
      );
      expect(await fails(EXIT_API_ERROR, 'proj', 'role', 'create-token', 'shop', 'ci', '--auth-token', token)).toContain(
        'permission denied: projects, update, shop',
      );

      const listed = (await role('list-tokens', 'shop', 'ci', '--unixtime'))
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(/\s+/));
      expect(listed.map(([id]) => id)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'nightly']);
      expect(new Set(listed.map(([, issuedAt]) => issuedAt)).size).toBe(2);
      const shown = await role('get', 'shop', 'ci');
      for (const [, issuedAt = 'none'] of listed) expect(shown).toContain(issuedAt);

      await role('delete-token', 'shop', 'ci', listed[0]?.[1] ?? '');
      expect(await fails(EXIT_API_ERROR, 'proj', 'get', 'shop', '--auth-token', token)).toMatch(
        /code = Unauthenticated desc = invalid session: JWT token for role 'ci' issued at '\d+' does not exist in project 'shop'/,
      );
      expect(await role('list-tokens', 'shop', 'ci')).toMatch(/^ID +ISSUED AT +EXPIRES AT\nnightly +\S+ +\S+\n$/);
      await role('delete-token', 'shop', 'ci', '12345');
    });

    it('takes its tokens with it', slow, async () => {
      const token = (await role('create-token', 'shop', 'ci', '--token-only')).trim();
      expect(await role('delete', 'shop', 'ci')).toBe("Role 'ci' deleted\n");
      expect(await role('delete', 'shop', 'ci')).toBe("Role 'ci' does not exist in project\n");
      expect((await get('shop')).status).toEqual({});
      await role('create', 'shop', 'ci');
      expect(await fails(EXIT_API_ERROR, 'proj', 'get', 'shop', '--auth-token', token)).toContain('does not exist in project');
    });
  });

  describe('sync windows', () => {
    const windows = (...args: readonly string[]): Promise<string> => proj('windows', ...args);
    const rows = async (): Promise<readonly string[]> =>
      (await windows('list', 'shop'))
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim().replaceAll(/ {2,}/g, '|'));

    it('are added, shown, changed and deleted', slow, async () => {
      await windows(
        'add',
        'shop',
        '--kind',
        'allow',
        '--schedule',
        '0 0 29 2 *',
        '--duration',
        '1m',
        '--applications',
        '*',
        '--description',
        'rare',
      );
      await windows(
        'add',
        'shop',
        '-k',
        'deny',
        '--schedule',
        '* * * * *',
        '--duration',
        '2m',
        '--namespaces',
        'shop',
        '--time-zone',
        'Europe/Berlin',
        '--manual-sync',
      );
      await windows(
        'add',
        'shop',
        '-k',
        'deny',
        '--schedule',
        '* * * * *',
        '--duration',
        '2m',
        '--clusters',
        'in-cluster',
        '--applications',
        'web',
        '--use-and-operator',
      );
      expect(await rows()).toEqual([
        '0|Inactive|allow|0 0 29 2 *|1m|*|-|-|Disabled|Disabled|UTC|Disabled',
        '1|Active|deny|* * * * *|2m|-|shop|-|Enabled|Disabled|Europe/Berlin|Disabled',
        '2|Active|deny|* * * * *|2m|web|-|in-cluster|Disabled|Disabled|UTC|Enabled',
      ]);
      await windows('enable-manual-sync', 'shop', '0');
      await windows('disable-manual-sync', 'shop', '1');
      await windows('enable-sync-overrun', 'shop', '1');
      await windows('update', 'shop', '0', '--schedule', '0 23 29 2 *', '--duration', '2m');
      expect(await rows()).toEqual([
        '0|Inactive|allow|0 23 29 2 *|2m|*|-|-|Enabled|Disabled|UTC|Disabled',
        '1|Active|deny|* * * * *|2m|-|shop|-|Disabled|Enabled|Europe/Berlin|Disabled',
        '2|Active|deny|* * * * *|2m|web|-|in-cluster|Disabled|Disabled|UTC|Enabled',
      ]);
      await windows('disable-sync-overrun', 'shop', '1');
      await windows('delete', 'shop', '0');
      expect(await fails(EXIT_API_ERROR, 'proj', 'windows', 'delete', 'shop', '9')).toContain("window with id '9' not found");
      expect((await spec('shop')).syncWindows).toEqual([
        { kind: 'deny', schedule: '* * * * *', duration: '2m', namespaces: ['shop'], timeZone: 'Europe/Berlin' },
        {
          kind: 'deny',
          schedule: '* * * * *',
          duration: '2m',
          clusters: ['in-cluster'],
          applications: ['web'],
          timeZone: 'UTC',
          andOperator: true,
        },
      ]);
    });

    it('are refused where they mean nothing', slow, async () => {
      const add = (...args: readonly string[]) => fails(EXIT_API_ERROR, 'proj', 'windows', 'add', 'shop', ...args);
      expect(await add('-k', 'allow', '--schedule', '* * * * *', '--duration', '2m')).toContain(
        "code = OutOfRange desc = window 'allow':'* * * * *':'2m' requires one of application, cluster or namespace",
      );
      const file = join(folder, 'window.json');
      const bad = { syncWindows: [{ kind: 'deny', schedule: 'never', duration: '1h', applications: ['*'] }] };
      await writeFile(
        file,
        JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'bad' }, spec: bad }),
      );
      expect(await fails(EXIT_API_ERROR, 'proj', 'create', '-f', file)).toContain(
        "code = Unknown desc = error validating project: cannot parse schedule 'never': expected exactly 5 fields, found 1: [never]",
      );
    });
  });

  it('a project goes when no application uses it', slow, async () => {
    await says(
      ...['app', 'create', 'web', '--project', 'shop', '--repo', REPOSITORY, '--path', 'x', '--dest-server', IN_CLUSTER],
      ...['--dest-namespace', 'shop', '--validate=false'],
    );
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
});
