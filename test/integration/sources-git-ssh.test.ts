import { basename, dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { makeSshKey, startGitSshServer } from '../support/git-ssh-server.ts';
import type { GitSshServer } from '../support/git-ssh-server.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startTunnelProxy } from '../support/tunnel-proxy.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithPrograms(['ssh', 'ssh-keygen'], 'with the ssh of the machine', () => {
  describeWithTool('ssh-git-server', 'git over SSH', describeSsh);
});

function describeSsh(program: () => string): void {
  let repository: GitRepository;
  let server: GitSshServer;
  let url: string;
  const opened: TestSources[] = [];

  beforeAll(async () => {
    repository = await createGitRepository({ 'web/a.yaml': configMap('a') });
    server = await startGitSshServer(program(), dirname(repository.folder));
    url = `ssh://git@127.0.0.1:${server.port}/${basename(repository.folder)}`;
  });
  afterAll(async () => {
    await server.close();
    await repository.remove();
  });
  afterEach(async () => {
    for (const test of opened.splice(0)) await test.close();
  });

  async function open(access: Partial<RepositoryAccess> = {}): Promise<TestSources> {
    const known = { sshPrivateKey: new Sealed(server.privateKey), sshKnownHosts: server.knownHosts };
    const test = await openTestSources({
      allowFileRepositories: false,
      access: [{ url, type: 'git', owner: 'repo-1', ...known, ...access }],
    });
    opened.push(test);
    return test;
  }

  it('renders with a key, from a host that is known', async () => {
    const test = await open();
    expect(await test.names({ repoURL: url, path: 'web' })).toEqual(['a']);
    expect(await test.sources.refs(url, { project: '' })).toEqual({ branches: ['main'], tags: [] });
  });

  it('GIT-10: refuses a host that is not known, unless told not to look', async () => {
    await expect((await open({ sshKnownHosts: '' })).render({ repoURL: url, path: 'web' })).rejects.toThrow(
      'failed to list refs: ssh: handshake failed: knownhosts: key is unknown',
    );
    expect(await (await open({ sshKnownHosts: '', insecure: true })).names({ repoURL: url, path: 'web' })).toEqual(['a']);
  });

  it('GIT-10: refuses a host whose key has changed', async () => {
    const other = (await makeSshKey()).publicKey.split(' ').slice(0, 2).join(' ');
    const test = await open({ sshKnownHosts: `[127.0.0.1]:${server.port} ${other}\n` });
    await expect(test.render({ repoURL: url, path: 'web' })).rejects.toThrow(
      'failed to list refs: ssh: handshake failed: knownhosts: key mismatch',
    );
  });

  it('says so where the key is not the right one, is none, or is not there', async () => {
    const refused = /failed to list refs: ssh: (?:handshake failed: ssh: unable to authenticate|no key found)/;
    const wrong = new Sealed((await makeSshKey()).privateKey);
    for (const sshPrivateKey of [wrong, new Sealed('no key at all'), new Sealed('')]) {
      const test = await open({ sshPrivateKey });
      await expect(test.render({ repoURL: url, path: 'web' })).rejects.toThrow(refused);
      expect(test.logged()).not.toContain('PRIVATE KEY');
    }
  });

  it('goes through the proxy of the repository, which alone knows the host', async () => {
    const hosts = { 'git.example.com': '127.0.0.1' };
    const proxy = await startTunnelProxy({ scheme: 'socks5', user: 'ada', password: 'planted-password', hosts });
    const far = url.replace('127.0.0.1', 'git.example.com');
    const sshKnownHosts = server.knownHosts.replace('127.0.0.1', 'git.example.com');
    for (const written of [proxy.url, proxy.url.replace('socks5', 'socks5h')]) {
      const test = await open({ url: far, sshKnownHosts, proxy: written });
      expect(await test.names({ repoURL: far, path: 'web' })).toEqual(['a']);
    }
    expect(new Set(proxy.targets)).toEqual(new Set([`git.example.com:${server.port}`]));
    const stranger = await open({ url: far, sshKnownHosts: server.knownHosts, proxy: proxy.url });
    await expect(stranger.render({ repoURL: far, path: 'web' })).rejects.toThrow('knownhosts: key is unknown');
    const refused = await open({ url: far, sshKnownHosts, proxy: proxy.url.replace('planted-password', 'planted-other') });
    await expect(refused.render({ repoURL: far, path: 'web' })).rejects.toThrow(/the proxy 127\.0\.0\.1:\d+ does not accept the user/);
    expect(refused.logged()).not.toContain('planted');
    const count = proxy.targets.length;
    expect(await (await open({ proxy: proxy.url, noProxy: '127.0.0.0/8' })).names({ repoURL: url, path: 'web' })).toEqual(['a']);
    expect(proxy.targets.length).toBe(count);
    await proxy.close();
  });

  it('names a proxy that is not there, and says once that it does not use one of another kind', async () => {
    const gone = await open({ proxy: 'socks5://127.0.0.1:1' });
    await expect(gone.render({ repoURL: url, path: 'web' })).rejects.toThrow(
      'failed to list refs: the proxy 127.0.0.1:1 cannot be reached',
    );
    for (const proxy of ['http://ada:planted-password@127.0.0.1:1', 'socks5://127.0.0.1']) {
      const test = await open({ proxy });
      expect(await test.names({ repoURL: url, path: 'web' })).toEqual(['a']);
      expect(test.logged().split('the proxy of a repository is not used')).toHaveLength(2);
      expect(test.logged()).not.toContain('planted');
    }
  });

  it('names a server or a repository that is not there', async () => {
    const test = await open({ url: 'ssh://git@127.0.0.1:1/x' });
    await expect(test.render({ repoURL: 'ssh://git@127.0.0.1:1/x', path: '' })).rejects.toThrow(
      'failed to list refs: dial tcp 127.0.0.1:1: connect: connection refused',
    );
    const missing = await open({ url: `${url}-missing` });
    await expect(missing.render({ repoURL: `${url}-missing`, path: '' })).rejects.toThrow('failed to list refs: repository not found');
  });
}
