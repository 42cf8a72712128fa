import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { makeSshKey, startGitSshServer, type GitSshServer } from '../support/git-ssh-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;

describeWithPrograms(['ssh', 'ssh-keygen'], 'with the ssh of the machine', () => {
  describeWithTool('argocd', 'argocd cert, with the stock client and real git servers', describeCertificates);
});

function describeCertificates(program: () => string): void {
  let fairway: Fairway;
  let user: ArgocdUser;
  let repository: GitRepository;
  let secure: GitHttpServer;
  let ssh: GitSshServer;
  let folder: string;
  let httpsUrl: string;
  let sshUrl: string;
  const file = (name: string): string => join(folder, name);
  const text = (name: string): Promise<string> => readFile(file(name), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trust-'));
    await promisify(execFile)(await ensureTool('pki'), [folder]);
    repository = await createGitRepository({ 'web/a.yaml': configMap('a') });
    const [root, name] = [dirname(repository.folder), basename(repository.folder)];
    secure = await startGitHttpServer({ root, tls: { cert: await text('serving.crt'), key: await text('serving.key') } });
    httpsUrl = `${secure.url}/${name}/.git`;
    ssh = await startGitSshServer(await ensureTool('ssh-git-server'), root);
    sshUrl = `ssh://git@127.0.0.1:${ssh.port}/${name}`;
    await writeFile(file('ssh-key'), ssh.privateKey, { mode: 0o600 });
    fairway = await startFairway();
    user = await createArgocdUser(program());
    await succeed('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 600_000);

  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await fairway.stop();
    await ssh.close();
    await secure.close();
    await repository.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }
  async function fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stdout }).toEqual({ args, code: EXIT_API_ERROR, stdout: expect.any(String) });
    return stderr.replaceAll(String.raw`\"`, '"');
  }

  it('trusts a server by its certificate once somebody says so', async () => {
    expect(await fail('repo', 'add', httpsUrl)).toContain('x509: certificate signed by unknown authority');
    expect(await succeed('cert', 'add-tls', '127.0.0.1', '--from', file('ca.crt'))).toContain('127.0.0.1');
    expect(await succeed('cert', 'list', '--cert-type', 'https')).toMatch(/^127\.0\.0\.1 +https +(rsa|ecdsa|ed25519) +CN=/m);
    expect(await succeed('repo', 'add', httpsUrl)).toBe(`Repository '${httpsUrl}' added\n`);
  });

  it('replaces a certificate only when told to, and takes nothing that is none', async () => {
    await succeed('cert', 'add-tls', '127.0.0.1', '--from', file('ca.crt'));
    expect(await fail('cert', 'add-tls', '127.0.0.1', '--from', file('serving.crt'))).toContain(
      "TLS certificate for server '127.0.0.1' already exists, and upsert was not specified",
    );
    expect(await fail('cert', 'add-tls', 'not a host', '--from', file('ca.crt'))).toContain('invalid hostname in request: not a host');
    await succeed('cert', 'add-tls', '127.0.0.1', '--from', file('serving.crt'), '--upsert');
  });

  it('trusts a host by its key once somebody says so', async () => {
    const add = ['repo', 'add', sshUrl, '--ssh-private-key-path', file('ssh-key')];
    expect(await fail(...add)).toContain('error testing repository connectivity');
    await writeFile(file('known-hosts'), ssh.knownHosts);
    expect(await succeed('cert', 'add-ssh', '--batch', '--from', file('known-hosts'))).toContain('Successfully created 1 SSH known host');
    expect(await succeed('cert', 'list', '--cert-type', 'ssh', '--hostname-pattern', '[127.0.0.1]:*')).toMatch(
      new RegExp(String.raw`^\[127\.0\.0\.1\]:${ssh.port} +ssh +[\w-]+ +SHA256:[A-Za-z0-9+/]{43}\s*$`, 'm'),
    );
    expect(await succeed(...add)).toBe(`Repository '${sshUrl}' added\n`);
    expect(await succeed('repo', 'get', sshUrl, '-o', 'json')).not.toContain('PRIVATE KEY');
  });

  it('notices another key for a known host', async () => {
    const [host = '', keyType = ''] = ssh.knownHosts.split(' ');
    const other = (await makeSshKey()).publicKey.split(' ');
    expect(other[0]).toBe(keyType);
    await writeFile(file('other-hosts'), `${host} ${keyType} ${other[1]}\n`);
    expect(await fail('cert', 'add-ssh', '--batch', '--from', file('other-hosts'))).toContain(
      `key for '${host}' (subtype: '${keyType}') already exists, and upsert was not specified`,
    );
  });

  it('removes what a pattern names, and nothing else', async () => {
    expect(await succeed('cert', 'rm', 'nobody.example')).toContain('none matched');
    expect(await succeed('cert', 'rm', '127.0.0.1', '--cert-type', 'https')).toContain('127.0.0.1');
    expect(await succeed('cert', 'list', '--cert-type', 'https')).not.toContain('127.0.0.1');
    expect(await succeed('cert', 'list', '--cert-type', 'ssh')).toContain(`[127.0.0.1]:${ssh.port}`);
    expect(await succeed('cert', 'rm', `[127.0.0.1]:${ssh.port}`, '--cert-type', 'ssh')).toContain(`[127.0.0.1]:${ssh.port}`);
    expect(await succeed('cert', 'list', '--cert-type', 'ssh')).not.toContain('127.0.0.1');
    const { connectionState } = JSON.parse(await succeed('repo', 'get', sshUrl, '-o', 'json')) as { connectionState: object };
    expect(connectionState).toMatchObject({ status: 'Failed' });
  });
}
