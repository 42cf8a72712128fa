import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import type { GitHttpServerOptions } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { startTunnelProxy } from '../support/tunnel-proxy.ts';

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const sealed = (text: string): Sealed<string> => new Sealed(text);

let repository: GitRepository;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  repository = await createGitRepository({ 'web/a.yaml': configMap('a') });
});
afterAll(() => repository.remove());
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** A server with the one repository, and the room that may not read folders. */
async function start(options: Partial<GitHttpServerOptions> = {}, limits = {}) {
  const server = await startGitHttpServer({ root: dirname(repository.folder), ...options });
  opened.push(server);
  const url = `${server.url}/${basename(repository.folder)}/.git`;
  const open = async (access: Partial<RepositoryAccess> = {}): Promise<TestSources> => {
    const test = await openTestSources({
      allowFileRepositories: false,
      limits,
      access: [{ url, type: 'git', owner: 'repo-1', ...access }],
    });
    opened.push(test);
    return test;
  };
  return { server, url, open };
}

describe('git over HTTP', () => {
  it('renders, asking the server once for many and not at all for what is known', async () => {
    const { server, url, open } = await start();
    const test = await open();
    const source = { repoURL: url, path: 'web', targetRevision: 'main' };
    const resolved = await Promise.all(Array.from({ length: 50 }, () => test.sources.resolve(source, { project: 'default' })));
    expect(new Set(resolved.map(({ revision }) => revision))).toEqual(new Set([await repository.git('rev-parse', 'HEAD')]));
    const afterResolve = server.requests.length;
    expect(afterResolve).toBeLessThanOrEqual(2);
    const application = { name: 'web', namespace: 'argocd', project: 'default' };
    const revision = resolved[0]?.revision ?? '';
    const render = () => test.sources.render({ source, revision, application, destinationNamespace: 'x' });
    await Promise.all(Array.from({ length: 50 }, render));
    expect(server.requests.length).toBeLessThanOrEqual(afterResolve + 3);
    const afterRender = server.requests.length;
    await render();
    expect(server.requests.length).toBe(afterRender);
  });

  it('GIT-07: gives submodules the credentials of their repository on its own server, and no other', async () => {
    const library = await createGitRepository({ 'l.yaml': configMap('library') });
    const outer = await createGitRepository({ 'o.yaml': configMap('outer') });
    for (const each of [library, outer]) opened.push({ close: () => each.remove() });
    const options = { root: dirname(outer.folder), authorization: basic('robot', 'planted-password') };
    const [own, other] = [await startGitHttpServer(options), await startGitHttpServer(options)];
    opened.push(own, other);
    const urlOf = (server: { url: string }, { folder }: GitRepository): string => `${server.url}/${basename(folder)}/.git`;
    const link = `160000,${await library.git('rev-parse', 'HEAD')},library`;
    const pointTo = async (url: string): Promise<void> => {
      await outer.commit({ '.gitmodules': `[submodule "x"]\n\tpath = library\n\turl = ${url}\n` });
      await outer.git('update-index', '--add', '--cacheinfo', link);
      await outer.git('commit', '--quiet', '--allow-empty', '--message', 'Link');
    };
    const repoURL = urlOf(own, outer);
    const signedIn = { username: sealed('robot'), password: sealed('planted-password') };
    const access: RepositoryAccess = { url: repoURL, type: 'git', owner: 'repo-1', ...signedIn };
    const source = { repoURL, path: '', directory: { recurse: true } };
    const test = await openTestSources({ access: [access], limits: { revisionMs: 0 } });
    opened.push(test);
    for (const url of [urlOf(own, library), `../../${basename(library.folder)}/.git`]) {
      await pointTo(url);
      expect(await test.names(source)).toEqual(['library', 'outer']);
    }
    await pointTo(urlOf(other, library));
    await expect(test.render(source)).rejects.toThrow('authentication required');
    // Two readers may see two hosts in one address.
    const [ours, theirHost] = [new URL(own.url).host, new URL(other.url).host];
    await pointTo(JSON.stringify(urlOf(other, library).replace(theirHost, `${ours}\\@${theirHost}`)));
    await expect(test.render(source)).rejects.toThrow('its host is not valid');
    expect(new Set(other.requests.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
    await pointTo(urlOf(other, library));
    // What is configured for it is used only where the project may use that.
    const theirs: RepositoryAccess = { url: urlOf(other, library), type: 'git', owner: 'repo-3', ...signedIn };
    for (const isAllowed of [true, false]) {
      const dependencies = { urlOf: () => undefined, isPermitted: () => isAllowed };
      const held = await openTestSources({ access: [access, theirs], dependencies });
      opened.push(held);
      if (isAllowed) expect(await held.names(source)).toEqual(['library', 'outer']);
      else await expect(held.render(source)).rejects.toThrow('authentication required');
    }
    // What is configured for the submodule counts, whatever its repository has.
    await pointTo(urlOf(own, library));
    const wrong = { url: urlOf(own, library), type: 'git', owner: 'repo-2', username: sealed('robot'), password: sealed('wrong') } as const;
    const configured = await openTestSources({ access: [access, wrong] });
    opened.push(configured);
    await expect(configured.render(source)).rejects.toThrow('authentication required');
    // Where the project does not permit it, it is one of many on the server of the repository, as if nothing were configured for it.
    const dependencies = { urlOf: () => undefined, isPermitted: (url: string) => url === repoURL };
    const ordinary = await openTestSources({ access: [access, wrong], dependencies });
    opened.push(ordinary);
    expect(await ordinary.names(source)).toEqual(['library', 'outer']);
  });

  it('resolves a branch among 50,000 refs without transferring them', async () => {
    const crowded = await createGitRepository({ 'a.yaml': configMap('a') });
    opened.push({ close: () => crowded.remove() });
    const commit = await crowded.git('rev-parse', 'HEAD');
    const lines = Array.from({ length: 50_000 }, (_, index) => `${commit} refs/heads/crowd/${index}\n`);
    await writeFile(join(crowded.folder, '.git', 'packed-refs'), `# pack-refs with: sorted\n${lines.sort().join('')}`);
    const server = await startGitHttpServer({ root: dirname(crowded.folder) });
    opened.push(server);
    const test = await openTestSources();
    opened.push(test);
    const source = { repoURL: `${server.url}/${basename(crowded.folder)}/.git`, targetRevision: 'main' };
    expect(await test.sources.resolve(source, { project: '' })).toEqual({ revision: commit });
    expect(server.bytesSent()).toBeLessThan(2000);
  });

  it('asks for a branch without a program, and with one request where the server is known', async () => {
    const { server, open, url } = await start();
    const { sources } = await open();
    let programs = 0;
    const count = (): void => {
      programs += 1;
    };
    const resolve = () => sources.resolve({ repoURL: url, targetRevision: 'main' }, { project: 'default', fresh: true });
    const commit = await repository.git('rev-parse', 'HEAD');
    expect(await resolve()).toEqual({ revision: commit });
    subscribe('child_process', count);
    const before = server.requests.length;
    expect(await resolve()).toEqual({ revision: commit });
    unsubscribe('child_process', count);
    // The server's own, which runs in this process too.
    expect(programs).toBe(1);
    expect(server.requests.slice(before).map(({ line }) => line.split(' ')[0])).toEqual(['POST']);
  });

  it('leaves a server that knows only the old protocol to git', async () => {
    const { open, url } = await start({
      misbehave(request) {
        delete request.headers['git-protocol'];
        return undefined;
      },
    });
    const { sources } = await open();
    const commit = await repository.git('rev-parse', 'HEAD');
    for (let round = 0; round < 2; round += 1)
      expect(await sources.resolve({ repoURL: url, targetRevision: 'main' }, { project: 'default', fresh: true })).toEqual({
        revision: commit,
      });
  });

  it('sees a push at once when asked for a fresh answer', async () => {
    const { url, open } = await start();
    const test = await open();
    const resolve = async (fresh: boolean) =>
      (await test.sources.resolve({ repoURL: url, targetRevision: 'main' }, { project: '', fresh })).revision;
    const before = await resolve(false);
    const commit = await repository.commit({ 'web/a.yaml': configMap('a', { round: '2' }) });
    expect(await resolve(false)).toBe(before);
    expect(await resolve(true)).toBe(commit);
  });

  it('asks once for all who want an answer from after the same moment', async () => {
    const { url, open, server } = await start();
    const { sources } = await open();
    const resolve = async (sinceMs?: number) => {
      const fresh = { fresh: true, ...(sinceMs !== undefined && { sinceMs }) };
      return (await sources.resolve({ repoURL: url, targetRevision: 'main' }, { project: '', ...fresh })).revision;
    };
    await resolve();
    const commit = await repository.commit({ 'web/a.yaml': configMap('a', { round: '3' }) });
    const sinceMs = Date.now();
    await new Promise((done) => setTimeout(done, 5));
    const asked = server.requests.length;
    expect(await Promise.all(Array.from({ length: 50 }, () => resolve(sinceMs)))).toEqual(Array.from({ length: 50 }, () => commit));
    for (let round = 0; round < 5; round += 1) expect(await resolve(sinceMs)).toBe(commit);
    const once = server.requests.length - asked;
    await resolve(Date.now());
    // From after another moment it is asked again, as often as once.
    expect(server.requests.length - asked).toBe(2 * once);
  });

  it('resolves short and full commits, and says which are not there', async () => {
    const { url, open } = await start();
    const test = await open();
    const commit = await repository.git('rev-parse', 'HEAD');
    expect((await test.render({ repoURL: url, path: 'web', targetRevision: commit.slice(0, 8) })).revision).toBe(commit);
    expect((await test.render({ repoURL: url, path: 'web', targetRevision: commit })).revision).toBe(commit);
    await expect(test.render({ repoURL: url, path: 'web', targetRevision: '1'.repeat(40) })).rejects.toThrow(
      /^failed to initialize repository resources: rpc error: code = Internal desc = Failed to checkout revision 1{40}: /,
    );
    await expect(test.render({ repoURL: url, path: 'web', targetRevision: 'nope' })).rejects.toThrow(
      "unable to resolve 'nope' to a commit SHA",
    );
  });

  it.each([
    ['user and password', basic('alice', 'pw:1'), { username: sealed('alice'), password: sealed('pw:1') }],
    ['a password alone', basic('x-access-token', 'tok'), { password: sealed('tok') }],
    ['a bearer token', 'Bearer tok-7', { bearerToken: sealed('tok-7') }],
  ])('sends %s', async (_what, authorization, access) => {
    const { url, open } = await start({ authorization });
    const test = await open(access);
    expect(await test.names({ repoURL: url, path: 'web' })).toEqual(['a']);
  });

  it('takes user and password from the URL, and never shows them', async () => {
    const { server, url } = await start({ authorization: basic('bob', 'hunter2') });
    const test = await openTestSources();
    opened.push(test);
    const withPassword = url.replace('://', '://bob:hunter2@');
    expect(await test.names({ repoURL: withPassword, path: 'web' })).toEqual(['a']);
    const wrong = url.replace('://', '://bob:hunter3@');
    const failure = test.render({ repoURL: wrong, path: 'web' });
    await expect(failure).rejects.toThrow('failed to list refs: authentication required');
    expect(server.requests.every(({ line }) => !line.includes('hunter'))).toBe(true);
    expect(test.logged()).not.toContain('hunter');
  });

  it('CRED-10: gives nothing that was fetched with the user and password of a URL to whoever has others, or none', async () => {
    const { url } = await start({ authorization: basic('bob', 'hunter2') });
    const test = await openTestSources();
    opened.push(test);
    const targetRevision = await repository.git('rev-parse', 'HEAD');
    const names = (user: string) => test.names({ repoURL: url.replace('://', `://${user}`), path: 'web', targetRevision });
    expect(await names('bob:hunter2@')).toEqual(['a']);
    for (const user of ['', 'bob@', 'bob:hunter3@', 'alice:hunter2@', 'hunter2@'])
      await expect(names(user), user).rejects.toThrow('authentication required');
    expect(await names('bob:hunter2@')).toEqual(['a']);
  });

  it.each([
    [{ status: 401, headers: { 'www-authenticate': 'Basic' } }, 'authentication required'],
    [{ status: 403 }, 'authorization failed'],
    [{ status: 404 }, 'repository not found'],
    [{ status: 500 }, /: failed to list refs: unexpected requesting "http:.*\/info\/refs\?service=git-upload-pack" status code: 500$/],
    [{ status: 429 }, /status code: 429$/],
    [{ status: 200, body: 'hello' }, /failed to list refs: /],
  ])('CRED-03: the answer %j has a text without secrets', async (answer, message) => {
    const { url, open } = await start({ misbehave: () => answer });
    const test = await open({ username: sealed('alice'), password: sealed('s3cr3t') });
    const failure = await test.render({ repoURL: url, path: 'web' }).catch((error: unknown) => error as Error);
    expect(String(failure)).toMatch(message);
    expect(`${String(failure)}${test.logged()}`).not.toMatch(/s3cr3t|YWxpY2U/);
  });

  it('CRED-05: does not follow a redirect to another host', async () => {
    const other = await startGitHttpServer({ root: dirname(repository.folder) });
    opened.push(other);
    const { url, open } = await start({ misbehave: ({ url: path }) => ({ status: 302, headers: { location: `${other.url}${path}` } }) });
    const test = await open({ username: sealed('alice'), password: sealed('s3cr3t') });
    await expect(test.render({ repoURL: url, path: 'web' })).rejects.toThrow('failed to list refs: ');
    expect(other.requests).toEqual([]);
  });

  it('names a server that is not there', async () => {
    const test = await openTestSources();
    opened.push(test);
    await expect(test.render({ repoURL: 'http://127.0.0.1:1/x', path: '' })).rejects.toThrow(
      'failed to list refs: dial tcp 127.0.0.1:1: connect: connection refused',
    );
    await expect(test.render({ repoURL: 'http://nowhere.invalid/x', path: '' })).rejects.toThrow(
      'failed to list refs: dial tcp: lookup nowhere.invalid: no such host',
    );
  });

  it('cuts off a server that hangs, while it lists and while it sends', async () => {
    const { url, open } = await start(
      { misbehave: ({ url: path }) => (path?.includes('info/refs') ? { hang: true } : undefined) },
      { listRefsMs: 700 },
    );
    const started = performance.now();
    await expect((await open()).render({ repoURL: url, path: 'web' })).rejects.toThrow(/failed to list refs: .*context deadline exceeded/);
    expect(performance.now() - started).toBeLessThan(10_000);
    const commit = await repository.git('rev-parse', 'HEAD');
    const slow = await start({ misbehave: ({ method }) => (method === 'POST' ? { hang: true } : undefined) }, { toolMs: 3_000 });
    await expect((await slow.open()).render({ repoURL: slow.url, path: 'web', targetRevision: commit })).rejects.toThrow(
      /Failed to fetch default: `git fetch` failed timeout after 3s/,
    );
  });

  it('survives a connection that is cut in the middle', async () => {
    let cuts = 0;
    const { url, open } = await start({ misbehave: ({ method }) => (method === 'POST' && cuts++ < 1 ? { cutAfterBytes: 20 } : undefined) });
    const test = await open();
    const commit = await repository.git('rev-parse', 'HEAD');
    const source = { repoURL: url, path: 'web', targetRevision: commit };
    await expect(test.render(source)).rejects.toThrow('Failed to fetch default: ');
    expect(await test.names(source)).toEqual(['a']);
  });

  it('goes through the proxy of the repository, unless the host is excepted', async () => {
    const proxy = await startTunnelProxy({ scheme: 'socks5' });
    opened.push(proxy);
    const { server, url } = await start();
    const named = url.replace('127.0.0.1', 'localhost');
    const open = async (more: Partial<RepositoryAccess>) => {
      const access = { url: named, type: 'git', owner: 'proxied', proxy: proxy.url.replace('socks5:', 'socks5h:') } as const;
      const test = await openTestSources({ access: [{ ...access, ...more }] });
      opened.push(test);
      return test;
    };
    expect(await (await open({})).names({ repoURL: named, path: 'web' })).toEqual(['a']);
    expect(proxy.targets).toContain(`localhost:${server.port}`);
    const before = proxy.targets.length;
    expect(await (await open({ noProxy: 'localhost' })).names({ repoURL: named, path: 'web' })).toEqual(['a']);
    expect(proxy.targets.length).toBe(before);
  });

  it('CRED-10: what one access fetched is not there for another', async () => {
    const { url, open } = await start({ authorization: basic('alice', 'pw') });
    const commit = await repository.git('rev-parse', 'HEAD');
    const source = { repoURL: url, path: 'web', targetRevision: commit };
    const test = await open({ username: sealed('alice'), password: sealed('pw') });
    expect(await test.names(source)).toEqual(['a']);
    const stranger = await openTestSources({ folder: test.folder });
    opened.push(stranger);
    await expect(stranger.render(source)).rejects.toThrow('authentication required');
  });

  it('lists branches and tags, and tests a repository', async () => {
    await repository.git('tag', '--force', '--annotate', '--message', 'x', 'v1.2.0');
    const { url, open } = await start();
    const test = await open();
    expect(await test.sources.refs(url, { project: '' })).toEqual({ branches: ['main'], tags: ['v1.2.0'] });
    const access = { url, type: 'git', owner: 'candidate' } as const;
    await test.sources.testRepository(access);
    await expect(test.sources.testRepository({ ...access, url: `${url}/nope` })).rejects.toThrow(
      'error testing repository connectivity: unable to ls-remote HEAD on repository: failed to list refs: repository not found',
    );
    expect((await test.sources.resolve({ repoURL: url, targetRevision: '1.x' }, { project: '' })).revision).toBe(
      await repository.git('rev-parse', 'v1.2.0^{commit}'),
    );
  });

  it('tells what a commit says about itself', async () => {
    const message = 'Promote shop\n\nArgocd-reference-commit-sha: abc123\nArgocd-reference-commit-body: "two\\nlines"';
    const commit = await repository.commit({ 'web/n.yaml': configMap('n') }, message);
    await repository.git('tag', '--annotate', '--message', 'x', 'v2.0.0');
    await repository.git('tag', 'light');
    const { server, url, open } = await start();
    const test = await open();
    const ask = () => test.sources.revisionMetadata({ repoURL: url }, commit, { project: '' });
    expect(await ask()).toEqual({
      author: 'Ada Test <ada@example.com>',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      message,
      tags: ['light', 'v2.0.0'],
      references: [{ commit: { sha: 'abc123', body: 'two\nlines' } }],
    });
    const requests = server.requests.length;
    await ask();
    expect(server.requests.length).toBe(requests);
    await expect(test.sources.revisionMetadata({ repoURL: url }, 'main', { project: '' })).rejects.toThrow(
      'revision main must be resolved',
    );
    await repository.commit({ 'web/n.yaml': undefined });
  });

  it.each(['file:///srv/x.git', 'ext::sh -c true', '--upload-pack=x', '/srv/x.git'])('GIT-01: %s never reaches git', async (repoURL) => {
    const { open } = await start();
    await expect((await open()).render({ repoURL, path: '' })).rejects.toMatchObject({ code: 3 });
  });
});

describeWithTool('pki', 'git over HTTPS', (pki) => {
  let folder: string;
  const file = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'git-pki-'));
    await promisify(execFile)(pki(), [folder]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('trusts the given authorities only', async () => {
    const { url, open } = await start({ tls: { cert: await file('serving.crt'), key: await file('serving.key') } });
    const source = { repoURL: url, path: 'web' };
    await expect((await open()).render(source)).rejects.toThrow(
      'failed to list refs: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
    expect(await (await open({ certificateAuthorities: await file('ca.crt') })).names(source)).toEqual(['a']);
    expect(await (await open({ insecure: true })).names(source)).toEqual(['a']);
  });

  it('shows its own certificate where the server asks for one', async () => {
    const ca = await file('ca.crt');
    const { url, open } = await start({ tls: { cert: await file('serving.crt'), key: await file('serving.key'), ca, requestCert: true } });
    const source = { repoURL: url, path: 'web' };
    await expect((await open({ certificateAuthorities: ca })).render(source)).rejects.toThrow('failed to list refs: ');
    const test = await open({
      certificateAuthorities: ca,
      tlsClientCertData: sealed(await file('fairway.crt')),
      tlsClientCertKey: sealed(await file('fairway.key')),
    });
    expect(await test.names(source)).toEqual(['a']);
  });
});
