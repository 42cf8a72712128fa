import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { createArgocdUser, type ArgocdUser } from './argocd.ts';
import type { Fairway } from './fairway.ts';
import type { CommandResult } from './run-command.ts';
import { waitUntil } from './wait-until.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;
const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const ACCOUNTS = { 'accounts.alice': 'login, apiKey', 'accounts.bob': 'login', 'accounts.ci': 'apiKey' };
const POLICY = 'p, role:shop, applications, sync, shop/*, allow\ng, alice, role:shop\np, ci, applications, *, */*, allow';

/** Where the stories are told: a running program, and the API that its settings are in. */
export interface AccountStage {
  readonly argocd: string;
  readonly fairway: Fairway;
  readonly api: HttpKubeApi;
  readonly namespace: string;
}

/** What people do with accounts, with the stock client. */
export function describeAccountStories(open: () => Promise<AccountStage>): void {
  let stage: AccountStage;
  let fairway: Fairway;
  const argocd = (): string => stage.argocd;

  beforeAll(async () => {
    stage = await open();
    ({ fairway } = stage);
    await configure('argocd-cm', ACCOUNTS);
    await configure('argocd-rbac-cm', { 'policy.csv': POLICY });
  });

  afterAll(async () => {
    await stage?.api.close();
    await fairway?.stop();
  });

  async function configure(name: string, data: Readonly<Record<string, string | null>>): Promise<void> {
    const { api, namespace } = stage;
    await api.patch(CONFIG_MAPS, { namespace, name }, { type: 'merge', body: { data } });
  }

  async function signIn(username: string, password: string): Promise<ArgocdUser> {
    const user = await createArgocdUser(argocd());
    let said: CommandResult | undefined;
    await waitUntil(async () => {
      said = await user.run('login', fairway.address, '--plaintext', '--username', username, '--password', password);
      return said.code === 0;
    }).catch(() => expect(said).toMatchObject({ code: 0 }));
    return user;
  }

  const signInAdmin = () => signIn('admin', fairway.adminPassword);

  async function ask(user: ArgocdUser, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args, code: 0, said: '' });
    return stdout;
  }

  async function refuse(user: ArgocdUser, ...args: readonly string[]): Promise<string> {
    const result = await user.run(...args);
    expect({ args, code: result.code }).toEqual({ args, code: EXIT_API_ERROR });
    return `${result.stdout}${result.stderr}`.replaceAll(String.raw`\"`, '"');
  }

  it('list and show accounts', async () => {
    await using admin = await signInAdmin();
    await waitUntil(async () => (await admin.run('account', 'list')).stdout.includes('alice'));
    expect(await ask(admin, 'account', 'list')).toBe(
      'NAME   ENABLED  CAPABILITIES\nadmin  true     login\nalice  true     login, apiKey\nbob    true     login\nci     true     apiKey\n',
    );
    expect(await ask(admin, 'account', 'get', '--account', 'alice')).toBe(
      'Name:               alice\nEnabled:            true\nCapabilities:       login, apiKey\n\nTokens:\nNONE\n',
    );
    expect(await refuse(admin, 'account', 'get', '--account', 'nobody')).toContain(
      "code = NotFound desc = account 'nobody' does not exist",
    );
  });

  it('set a password for somebody, who signs in with it, changes it, and is signed in with the new one', async () => {
    await using admin = await signInAdmin();
    const set = (password: string, current: string) =>
      ['account', 'update-password', '--account', 'alice', '--new-password', password, '--current-password', current] as const;
    expect(await refuse(admin, ...set('first password', 'wrong'))).toContain(
      'code = InvalidArgument desc = current password does not match',
    );
    expect(await refuse(admin, ...set('short', fairway.adminPassword))).toContain(
      'new password does not match the following expression: ^.{8,32}$',
    );
    expect(await ask(admin, ...set('first password', fairway.adminPassword))).toBe('Password updated\n');

    await using alice = await signIn('alice', 'first password');
    expect(await ask(alice, 'account', 'get-user-info')).toContain('Username: alice');
    const change = ['account', 'update-password', '--current-password', 'first password', '--new-password', 'second password'];
    expect(await ask(alice, ...change)).toContain('Password updated\n');
    expect(await ask(alice, 'account', 'get-user-info')).toContain('Username: alice');
    expect(await refuse(alice, 'login', fairway.address, '--plaintext', '--username', 'alice', '--password', 'first password')).toContain(
      'Invalid username or password',
    );
    expect(await refuse(alice, ...change.with(2, '--account').with(3, 'bob'), '--current-password', 'second password')).toContain(
      'code = PermissionDenied desc = permission denied: accounts, update, bob, sub: alice',
    );
  });

  it('make a token, use it, and take it back', async () => {
    await using admin = await signInAdmin();
    const token = (await ask(admin, 'account', 'generate-token', '--account', 'ci', '--id', 'pipeline')).trim();
    const use = ['--server', fairway.address, '--plaintext', '--auth-token', token];
    await using robot = await createArgocdUser(argocd());
    expect(await ask(robot, 'account', 'get-user-info', ...use)).toContain('Username: ci');
    expect(await ask(robot, 'account', 'can-i', 'sync', 'applications', 'any/app', ...use)).toBe('yes\n');
    expect(await ask(admin, 'account', 'get', '--account', 'ci')).toMatch(/Tokens:\nID +ISSUED AT +EXPIRING AT\npipeline +\S+ +never\n/);
    expect(await refuse(admin, 'account', 'generate-token', '--account', 'ci', '--id', 'pipeline')).toContain(
      "account already has token with id 'pipeline'",
    );
    expect(await refuse(admin, 'account', 'generate-token', '--account', 'bob')).toContain("account 'bob' does not have apiKey capability");
    expect(await ask(admin, 'account', 'generate-token', '--account', 'ci', '--expires-in', '1h', '--id', 'short')).not.toBe('');
    await ask(admin, 'account', 'delete-token', '--account', 'ci', 'pipeline');
    expect(await refuse(robot, 'account', 'list', ...use)).toContain('invalid session: account ci does not have token with id pipeline');
    expect(await refuse(admin, 'account', 'delete-token', '--account', 'ci', 'pipeline')).toContain(
      "code = NotFound desc = token with id 'pipeline' does not exist",
    );
  });

  it('tell what somebody can do, and follow a change of the policy within seconds', async () => {
    await using admin = await signInAdmin();
    await ask(
      admin,
      'account',
      'update-password',
      '--account',
      'bob',
      '--new-password',
      'bobs password',
      '--current-password',
      fairway.adminPassword,
    );
    await using bob = await signIn('bob', 'bobs password');
    const may = async (...deed: readonly string[]) => (await ask(bob, 'account', 'can-i', ...deed)).trim();
    expect(await may('sync', 'applications', 'shop/api')).toBe('no');
    await configure('argocd-rbac-cm', { 'policy.more.csv': 'g, bob, role:shop\np, bob, logs, get, shop/*, allow' });
    const changedAtMs = performance.now();
    await waitUntil(async () => (await may('sync', 'applications', 'shop/api')) === 'yes');
    expect(performance.now() - changedAtMs).toBeLessThan(10_000);
    expect(await may('sync', 'applications', 'shop/argocd/api')).toBe('yes');
    expect(await may('sync', 'applications', 'web/api')).toBe('no');
    expect([await may('get', 'logs', 'shop/api'), await may('create', 'exec', 'shop/api')]).toEqual(['yes', 'no']);
    expect(await refuse(bob, 'account', 'can-i', 'fly', 'applications', '*')).toContain(
      '[get create update delete sync override action invoke] does not contain fly',
    );
    expect(await ask(bob, 'account', 'list')).toBe('NAME  ENABLED  CAPABILITIES\nbob   true     login\n');
    await configure('argocd-rbac-cm', { 'policy.more.csv': 'p, bob, applications, sync, shop/*, deny\ng, bob, role:shop' });
    await waitUntil(async () => (await may('sync', 'applications', 'shop/api')) === 'no');
  });

  it('print a session token and the hash of a password without asking the server', async () => {
    await using admin = await signInAdmin();
    expect((await ask(admin, 'account', 'session-token')).trim().split('.')).toHaveLength(3);
    expect(await ask(admin, 'account', 'bcrypt', '--password', 'x')).toMatch(/^\$2a\$10\$/);
  });

  describe('an account that is switched off', () => {
    it('AUTH-14, AUTH-15: is refused at once with its session and its tokens', async () => {
      await using admin = await signInAdmin();
      await ask(
        admin,
        'account',
        'update-password',
        '--account',
        'alice',
        '--new-password',
        'third password',
        '--current-password',
        fairway.adminPassword,
      );
      await using alice = await signIn('alice', 'third password');
      const token = (await ask(alice, 'account', 'generate-token')).trim();
      const use = ['--server', fairway.address, '--plaintext', '--auth-token', token];
      expect(await ask(alice, 'account', 'can-i', 'get', 'accounts', 'x', ...use)).toBe('no\n');
      await configure('argocd-cm', { 'accounts.alice.enabled': 'false' });
      await waitUntil(async () => (await alice.run('account', 'list')).code === EXIT_API_ERROR);
      expect(await refuse(alice, 'account', 'list')).toContain('invalid session: account alice is disabled');
      expect(await refuse(alice, 'account', 'list', ...use)).toContain('invalid session: account alice is disabled');
      await configure('argocd-cm', { 'accounts.alice.enabled': null, 'accounts.alice': 'login' });
      await waitUntil(async () => (await alice.run('account', 'list')).code === 0);
      expect(await refuse(alice, 'account', 'list', ...use)).toContain("account alice does not have 'apiKey' capability");
    });
  });
}
