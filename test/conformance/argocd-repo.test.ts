import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;

describeWithTool('argocd', 'argocd repo and repocreds, with the stock client and a real git server', (program) => {
  let fairway: Fairway;
  let user: ArgocdUser;
  let repository: GitRepository;
  let server: GitHttpServer;
  let url: string;
  const password = ['--username', 'robot', '--password', 'planted-password'];

  beforeAll(async () => {
    repository = await createGitRepository({ 'web/a.yaml': configMap('a') });
    const authorization = `Basic ${Buffer.from('robot:planted-password').toString('base64')}`;
    server = await startGitHttpServer({ root: dirname(repository.folder), authorization });
    url = `${server.url}/${basename(repository.folder)}/.git`;
    fairway = await startFairway();
    user = await createArgocdUser(program());
    await succeed('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 120_000);

  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await fairway.stop();
    await server.close();
    await repository.remove();
  });

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }
  async function fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stdout }).toEqual({ args, code: EXIT_API_ERROR, stdout: '' });
    return stderr.replaceAll(String.raw`\"`, '"');
  }
  /** The cells of a table, line by line. */
  const cells = (table: string): string[][] =>
    table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));

  it('adds a repository that answers, and no other', async () => {
    expect(await succeed('repo', 'list')).toMatch(/^TYPE +NAME +REPO +INSECURE +OCI +LFS +CREDS +STATUS +MESSAGE +PROJECT\s*$/);
    expect(await fail('repo', 'add', url)).toContain(
      'error testing repository connectivity: unable to ls-remote HEAD on repository: failed to list refs: ',
    );
    expect(await succeed('repo', 'add', url, ...password, '--name', 'shop')).toBe(`Repository '${url}' added\n`);
    const [, line] = cells(await succeed('repo', 'list'));
    expect(line?.slice(0, 8)).toEqual(['git', 'shop', url, 'false', 'false', 'false', 'false', 'Successful']);
    expect(await succeed('repo', 'list', '-o', 'url')).toBe(`${url}\n`);
  });

  it('shows a repository in every form, and gives nothing away', async () => {
    const [, line] = cells(await succeed('repo', 'get', url));
    expect(line?.slice(0, 3)).toEqual(['git', 'shop', url]);
    const json = await succeed('repo', 'get', url, '-o', 'json', '--refresh', 'hard');
    expect(JSON.parse(json)).toMatchObject({ repo: url, type: 'git', name: 'shop', connectionState: { status: 'Successful' } });
    expect(await succeed('repo', 'get', url, '-o', 'yaml')).toContain(`repo: ${url}`);
    expect(`${json}${await succeed('repo', 'list', '-o', 'json')}${fairway.output()}`).not.toContain('planted-password');
    expect(await fail('repo', 'get', `${server.url}/other`)).toContain('code = PermissionDenied desc = permission denied');
  });

  it('adds the same again, and says what differs before it replaces anything', async () => {
    await succeed('repo', 'add', url, ...password, '--name', 'shop');
    expect(await fail('repo', 'add', url, ...password, '--name', 'other')).toContain(
      'code = InvalidArgument desc = existing repository spec is different; use upsert flag to force update; difference in keys "Name"',
    );
    expect(await succeed('repo', 'add', url, ...password, '--name', 'other', '--upsert')).toBe(`Repository '${url}' added\n`);
    expect(JSON.parse(await succeed('repo', 'get', url, '-o', 'json'))).toMatchObject({ name: 'other' });
  });

  it('deploys from it', async () => {
    const destination = ['--dest-server', 'https://kubernetes.default.svc', '--dest-namespace', 'default'];
    await succeed('app', 'create', 'shop', '--repo', url, '--path', 'web', ...destination);
    await succeed('app', 'sync', 'shop');
    await succeed('app', 'wait', 'shop', '--timeout', '60');
  });

  it('keeps one of a project beside it', async () => {
    await succeed('proj', 'create', 'team-a');
    await succeed('repo', 'add', url, ...password, '--project', 'team-a');
    const lines = cells(await succeed('repo', 'list')).slice(1);
    expect(lines.map((line) => line.at(-1))).toEqual(['', 'team-a']);
    expect(JSON.parse(await succeed('repo', 'get', url, '--project', 'team-a', '-o', 'json'))).toMatchObject({ project: 'team-a' });
    expect(await succeed('repo', 'rm', url, '--project', 'team-a')).toBe(`Repository '${url}' removed\n`);
    expect(await succeed('repo', 'list', '-o', 'url')).toBe(`${url}\n`);
  });

  it('removes a repository', async () => {
    expect(await succeed('repo', 'rm', url)).toBe(`Repository '${url}' removed\n`);
    expect(await succeed('repo', 'list', '-o', 'url')).toBe('');
    expect(await fail('repo', 'rm', url)).toContain('code = PermissionDenied desc = permission denied');
  });

  it('keeps credentials for all repositories of a server, and uses them', async () => {
    expect(await succeed('repocreds', 'add', server.url, ...password)).toBe(`Repository credentials for '${server.url}' added\n`);
    expect(cells(await succeed('repocreds', 'list'))).toEqual([
      ['URL PATTERN', 'USERNAME', 'SSH_CREDS', 'TLS_CREDS'],
      [server.url, 'robot', 'false', 'false'],
    ]);
    expect(await succeed('repocreds', 'list', '-o', 'json')).not.toContain('planted-password');
    await succeed('repo', 'add', url);
    const [, line] = cells(await succeed('repo', 'list'));
    expect(line).toEqual(expect.arrayContaining([url, 'inherited', 'Successful']));
    expect(await fail('repocreds', 'add', server.url, '--username', 'robot', '--password', 'other')).toContain(
      'existing repository credentials spec is different; use upsert flag to force update; difference in keys "Password"',
    );
    await succeed('repocreds', 'add', server.url, '--username', 'robot', '--password', 'other', '--upsert');
    const refreshed = JSON.parse(await succeed('repo', 'get', url, '-o', 'json', '--refresh', 'hard')) as object;
    expect(refreshed).toMatchObject({ inheritedCreds: true, connectionState: { status: 'Failed' } });
  });

  it('removes credentials, and only those that are meant', async () => {
    expect(await fail('repocreds', 'rm', `${server.url}/deeper`)).toContain('code = NotFound');
    expect(await succeed('repocreds', 'rm', server.url)).toBe(`Repository credentials for '${server.url}' removed\n`);
    expect(await succeed('repocreds', 'list', '-o', 'url')).toBe('');
  });
});
