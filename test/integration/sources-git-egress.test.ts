import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHttpServer } from '../support/git-http-server.ts';
import type { GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

describe('SSRF-01: a repository', () => {
  let repository: GitRepository;
  let server: GitHttpServer;
  let test: TestSources;
  const registered = (url: string) => ({ url, type: 'git', owner: 'repo-1/' }) as const;
  const at = (host: string): string => `http://${host}:${server.port}/${basename(repository.folder)}/.git`;

  beforeAll(async () => {
    repository = await createGitRepository({ 'a.yaml': configMap('a') });
    server = await startGitHttpServer({ root: dirname(repository.folder) });
    test = await openTestSources({
      allowFileRepositories: false,
      access: [registered(at('localhost')), registered('http://169.254.169.254/registered')],
    });
  });
  afterAll(async () => {
    await test.close();
    await server.close();
    await repository.remove();
  });

  it.each(['127.0.0.1', '127.1.2.3', '[::1]', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', 'LOCALHOST.', 'localhost.localdomain'])(
    'that nobody registered is not on this machine: %s',
    async (host) => {
      const before = server.requests.length;
      await expect(test.render({ repoURL: at(host), path: '.' })).rejects.toThrow(
        /addresses of this machine are not allowed here|its host is not valid|no such host/,
      );
      await expect(test.render({ repoURL: at(host).replace('http:', 'ssh:'), path: '.' })).rejects.toThrow(
        /addresses of this machine are not allowed here|its host is not valid|no such host/,
      );
      expect(server.requests).toHaveLength(before);
    },
  );

  it.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1'])(
    'has no host that reads differently to different readers: %s',
    async (host) => {
      await expect(test.render({ repoURL: at(host), path: '.' })).rejects.toThrow('its host is not valid');
    },
  );

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.169.254/registered',
    'https://[fe80::1]/x',
    'http://[fd00:ec2::254]/x',
    'http://[::ffff:169.254.169.254]/x',
    'ssh://git@169.254.169.254/x',
    'git@169.254.169.254:x',
  ])('is never on the local link, registered or not: %s', async (repoURL) => {
    await expect(test.render({ repoURL, path: '.' })).rejects.toThrow(/addresses of the local link are not allowed|its host is not valid/);
  });

  it('that an administrator registered may be on this machine, and is connected to at the address that was looked up', async () => {
    expect(await test.names({ repoURL: at('localhost'), path: '.' })).toEqual(['a']);
  });
});
