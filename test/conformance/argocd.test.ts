import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArgocdUser } from '../support/argocd.ts';
import type { ArgocdUser } from '../support/argocd.ts';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import type { CommandResult } from '../support/run-command.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;

const CONNECTIONS = [
  { tls: 'off', title: 'without TLS', flags: ['--plaintext'] },
  { tls: 'on', title: 'with TLS and a certificate of our own', flags: ['--insecure'] },
] as const;

const TRANSPORTS = [
  { title: 'gRPC', flags: [], context: '' },
  { title: 'gRPC-Web', flags: ['--grpc-web'], context: '' },
  { title: 'gRPC-Web below a path', flags: ['--grpc-web-root-path', '/some/root'], context: '/some/root' },
] as const;

describeWithTool('argocd', 'the stock client', (argocd) => {
  describe.each(CONNECTIONS)('$title', ({ tls, flags: connection }) => {
    const fairway = useFairway(tls);

    describe.each(TRANSPORTS)('over $title', ({ flags: transport, context }) => {
      const login = (password: string): string[] => [
        'login',
        fairway().address,
        ...connection,
        ...transport,
        '--username',
        'admin',
        '--password',
        password,
      ];

      it('signs in and is known from then on', async () => {
        await using user = await createArgocdUser(argocd());
        expectOutput(
          await user.run(...login(fairway().adminPassword)),
          `'admin:login' logged in successfully\nContext '${fairway().address}${context}' updated\n`,
        );
        expectOutput(await user.run('account', 'list'), 'NAME   ENABLED  CAPABILITIES\nadmin  true     login\n');
        expectOutput(await user.run('account', 'get-user-info'), 'Logged In: true\nUsername: admin\nIssuer: argocd\nGroups: \n');
      });

      it('is told that the password is wrong', async () => {
        await using user = await createArgocdUser(argocd());
        expectRefusal(await user.run(...login('wrong')), 'code = Unauthenticated desc = Invalid username or password');
      });

      it('signs out, and its token is worth nothing from then on', async () => {
        await using user = await createArgocdUser(argocd());
        await user.run(...login(fairway().adminPassword));
        const token = /auth-token: (\S+)/.exec(await user.readConfig())?.[1] ?? '';
        const withToken = ['account', 'list', '--server', fairway().address, ...connection, ...transport, '--auth-token', token];
        expect((await user.run(...withToken)).code).toBe(0);

        const logout = await user.run('logout', `${fairway().address}${context}`, ...connection);
        expect(logout).toMatchObject({ code: 0, stdout: `Logged out from '${fairway().address}${context}'\n` });
        expect(messagesOf(logout)).toContain('token successfully invalidated on server');

        expectOutput(await user.run('account', 'get-user-info'), 'Logged In: false\n');
        expectRefusal(await user.run('account', 'list'), 'code = Unauthenticated desc = no session information');
        expectRefusal(await user.run(...withToken), 'code = Unauthenticated desc = invalid session: token is revoked, please re-login');
      });
    });
  });

  describe('asks before it goes on', () => {
    const plain = useFairway('off');
    const secure = useFairway('on');

    // Its input is closed, so the question is all that it gets to say. With --plaintext or --insecure it must not ask at all.
    it.each([
      ['without TLS', plain, 'server is not configured with TLS'],
      ['without a certificate that it knows', secure, 'server certificate had error'],
    ])('%s', async (_case, fairway, question) => {
      await using user = await createArgocdUser(argocd());
      const result = await user.run('login', fairway().address, '--username', 'admin', '--password', fairway().adminPassword);
      expect(result.code).toBe(EXIT_API_ERROR);
      expect(result.stdout).toContain(question);
    });
  });

  describe('signed in', () => {
    const fairway = useFairway('off');
    let user: ArgocdUser;

    beforeAll(async () => {
      user = await signIn(argocd(), fairway(), ['--plaintext']);
    });
    afterAll(async () => await user[Symbol.asyncDispose]());

    it('shows both versions', async () => {
      const { code, stdout, stderr } = await user.run('version');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^argocd: v3\.5\.6\+/);
      expect(stdout).toMatch(/^argocd-server: v3\.5\.6\+fairway\.\d+\.\d+\.\d+$/m);
      expect(stdout).toMatch(/^ {2}Platform: \w+\/\w+$/m);
    });

    it('shows both versions in short', async () => {
      const { stdout } = await user.run('version', '--short');
      expect(stdout).toMatch(/^argocd: v3\.5\.6\+\S+\nargocd-server: v3\.5\.6\+fairway\.\S+\n$/);
    });

    it('shows an account', async () => {
      expectOutput(
        await user.run('account', 'get', '--account', 'admin'),
        'Name:               admin\nEnabled:            true\nCapabilities:       login\n\nTokens:\nNONE\n',
      );
    });

    it('is told about an account that does not exist', async () => {
      expectRefusal(await user.run('account', 'get', '--account', 'nobody'), /code = NotFound desc = account 'nobody' does not exist/);
    });

    it.each([
      [['sync', 'applications', '*/*'], 'yes\n'],
      [['delete', 'projects', 'default'], 'yes\n'],
      [['invoke', 'extensions', 'x/y'], 'no\n'],
    ])('may or may not: can-i %j', async (question, answer) => {
      expectOutput(await user.run('account', 'can-i', ...question), answer);
    });

    it('is told that there is no such resource', async () => {
      expectRefusal(
        await user.run('account', 'can-i', 'get', 'planets', '*'),
        /code = InvalidArgument desc = \[.*applications.*\] does not contain planets/,
      );
    });

    it('shows where it is signed in', async () => {
      const { address } = fairway();
      const { code, stdout } = await user.run('context');
      expect(code).toBe(0);
      expect(stdout.split('\n').map((line) => line.split(/\s+/))).toContainEqual(['*', address, address]);
    });

    it('signs in again', async () => {
      const { stdout } = await user.run('relogin', '--password', fairway().adminPassword);
      expect(stdout).toBe(`Relogging in as 'admin:login'\nContext '${fairway().address}' updated\n`);
      expect((await user.run('account', 'list')).code).toBe(0);
    });

    it('reads a failed stream as a failure', async () => {
      const result = await user.run('app', 'logs', 'guestbook');
      expect(result.code).toBe(1);
      expect(messagesOf(result).join()).toContain('code = PermissionDenied desc = permission denied');
    });
  });

  it('asks without being signed in who it is', async () => {
    await using fairway = disposable(await startFairway());
    await using user = await createArgocdUser(argocd());
    expectOutput(await user.run('account', 'get-user-info', '--server', fairway.address, '--plaintext'), 'Logged In: false\n');
    const { stdout } = await user.run('version', '--server', fairway.address, '--plaintext');
    expect(stdout).toMatch(/^argocd-server: v3\.5\.6\+fairway\.\S+$/m);
  });
});

/** A server for the tests of one suite. */
function useFairway(tls: 'on' | 'off'): () => Fairway {
  let fairway: Fairway | undefined;
  beforeAll(async () => {
    fairway = await startFairway({ tls });
  });
  afterAll(async () => await fairway?.stop());
  return () => {
    if (fairway === undefined) throw new Error('the server is not started yet');
    return fairway;
  };
}

function disposable(fairway: Fairway): Fairway & AsyncDisposable {
  return { ...fairway, [Symbol.asyncDispose]: () => fairway.stop() };
}

async function signIn(program: string, fairway: Fairway, flags: readonly string[]): Promise<ArgocdUser> {
  const user = await createArgocdUser(program);
  const { code, stderr } = await user.run('login', fairway.address, ...flags, '--username', 'admin', '--password', fairway.adminPassword);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return user;
}

/** Success, and not a word of warning: the client would say so if it had to fall back to another transport. */
function expectOutput({ code, stdout, stderr }: CommandResult, expected: string): void {
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected, stderr: '' });
}

function expectRefusal(result: CommandResult, expected: string | RegExp): void {
  expect(result.code).toBe(EXIT_API_ERROR);
  const messages = messagesOf(result);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(expected);
}

/** What the client logged: JSON lines, as always when its standard error is no terminal. */
function messagesOf({ stderr }: CommandResult): string[] {
  const lines = stderr.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}
