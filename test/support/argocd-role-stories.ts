/** What people do with the roles and windows of a project, told with the stock client: the same on every home. */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXIT_API_ERROR, type ProjectUser } from './argocd-project-user.ts';
import { useProjectUser } from './use-project-user.ts';

const slow = { timeout: 60_000 };

export function describeRoleStories(open: () => Promise<ProjectUser>): void {
  const { proj, says, fails, get, spec, file: fileOf } = useProjectUser(open, (user) => user.proj('create', 'shop'));

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
      // Two of the same second are told apart by a second, so that either may come first.
      expect(listed.map(([id = '']) => id).toSorted()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'nightly']);
      const made = listed.find(([id]) => id !== 'nightly');
      expect(new Set(listed.map(([, issuedAt]) => issuedAt)).size).toBe(2);
      const shown = await role('get', 'shop', 'ci');
      for (const [, issuedAt = 'none'] of listed) expect(shown).toContain(issuedAt);

      await role('delete-token', 'shop', 'ci', made?.[1] ?? '');
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
      const file = fileOf('window.json');
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
}
