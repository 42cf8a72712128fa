import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import type { GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';

const large = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: { key: 'x'.repeat(5000) } });
const oid = createHash('sha256').update(large).digest('hex');
const pointer = (id: string, size: number): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize ${size}\n`;
const authorization = `Basic ${Buffer.from('ada:planted-password').toString('base64')}`;

interface Batch {
  readonly operation: string;
  readonly transfers: readonly string[];
  readonly objects: readonly { readonly oid: string; readonly size: number }[];
}

describe('a repository with large files', () => {
  let repository: GitRepository;
  let server: GitHttpServer;
  let store: StubServer;
  let batches: Batch[];
  let downloads: IncomingMessage[];
  /** The action for an object, and what is then sent. */
  let action: (oid: string) => unknown;
  let content: string;
  let test: TestSources;
  let url: string;

  beforeAll(async () => {
    repository = await createGitRepository({
      '.gitattributes': '*.json filter=lfs diff=lfs merge=lfs -text\n',
      'app/large.json': pointer(oid, large.length),
      'app/small.yaml': configMap('small'),
      'plain/a.yaml': configMap('a'),
    });
    // The API of LFS stands behind the same server as git.
    store = await startStubServer((request, response) => {
      if (request.url === '/object') {
        downloads.push(request);
        response.end(content);
        return;
      }
      void readBody(request).then((body) => {
        batches.push(JSON.parse(body) as Batch);
        const objects = batches.at(-1)?.objects.map((object) => ({ ...object, actions: { download: action(object.oid) } }));
        response.writeHead(request.headers.authorization === authorization ? 200 : 401).end(JSON.stringify({ transfer: 'basic', objects }));
      });
    });
    server = await startGitHttpServer({ root: dirname(repository.folder), authorization, besides: { '/info/lfs/': store.url } });
    url = `${server.url}/${basename(repository.folder)}/.git`;
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    await repository.remove();
  });
  beforeEach(() => {
    batches = [];
    downloads = [];
    content = large;
    action = () => ({ href: `${store.url}/object`, header: { 'x-ticket': 'planted-ticket' } });
  });

  const open = async (more: Partial<RepositoryAccess> = {}, options: Parameters<typeof openTestSources>[0] = {}): Promise<void> => {
    const access = {
      url,
      type: 'git',
      owner: 'ada',
      username: new Sealed('ada'),
      password: new Sealed('planted-password'),
      enableLfs: true,
    } as const;
    test = await openTestSources({ credentialsFor: () => ({ ...access, ...more }), ...options });
  };
  const render = (path = 'app') => test.render({ repoURL: url, path });

  it('has them in place of their pointers, fetched once', async () => {
    await open();
    const { objects } = await render();
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['large', 'small']);
    expect(objects[0]?.['data']).toEqual({ key: 'x'.repeat(5000) });
    expect(batches).toEqual([{ operation: 'download', transfers: ['basic'], objects: [{ oid, size: large.length }] }]);
    await repository.commit({ 'other.yaml': configMap('other') });
    await render();
    expect(batches).toHaveLength(1);
    expect(downloads).toHaveLength(1);
    // As a machine may leave it that lost its power.
    const [mirror = ''] = await readdir(join(test.folder, 'mirrors'));
    await writeFile(join(test.folder, 'mirrors', mirror, 'lfs-objects', oid.slice(0, 2), oid), '');
    await render();
    expect(downloads).toHaveLength(2);
    await test.close();
  });

  it('GIT-07: the password of the repository does not go to the server that has the files', async () => {
    await open();
    await render();
    expect(downloads[0]?.headers).toMatchObject({ 'x-ticket': 'planted-ticket' });
    expect(downloads[0]?.headers.authorization).toBeUndefined();
    await test.close();
  });

  it('keeps its pointers, which are no manifests, where it is not switched on; the two do not mix', async () => {
    await open();
    const folder = test.folder;
    await render();
    await test.close();
    await open({ enableLfs: false }, { folder });
    await expect(render()).rejects.toThrow('Failed to unmarshal "large.json"');
    await test.close();
    expect(batches.length + downloads.length).toBeGreaterThan(0);
  });

  it.each<[string, () => void, string]>([
    ['sends something else', () => (content = large.replace('x', 'y')), `the object ${oid} is not what its pointer says`],
    ['sends less', () => (content = 'x'), `the object ${oid} is not what its pointer says`],
    ['sends more', () => (content = `${large}x`), `the answer is larger than ${large.length} bytes`],
    ['does not have it', () => (action = () => undefined), `the server does not have the object ${oid}`],
    [
      'points to the local link',
      () => (action = () => ({ href: 'http://169.254.169.254/x' })),
      'addresses of the local link are not allowed',
    ],
    ['points into files', () => (action = () => ({ href: 'file:///etc/passwd' })), 'must be http or https'],
    ['has no address', () => (action = () => ({ href: 'x' })), 'has no address for the object'],
  ])('a server that %s is refused, and nothing of it is kept', async (_what, prepare, failure) => {
    prepare();
    await open();
    await expect(render()).rejects.toThrow(failure);
    const [mirror = ''] = await readdir(join(test.folder, 'mirrors'));
    expect(await readdir(join(test.folder, 'mirrors', mirror, 'lfs-objects'), { recursive: true }).catch(() => [])).toEqual([]);
    await test.close();
  });

  it('asks nobody where the repository says of no file that it is kept elsewhere', async () => {
    const plain = await createGitRepository({ 'a.yaml': configMap('a'), 'b.txt': pointer(oid, 5) });
    await open({ url: plain.url });
    expect(await test.names({ repoURL: plain.url, path: '.' })).toEqual(['a']);
    expect(batches).toEqual([]);
    await test.close();
    await plain.remove();
  });

  it('with more than may be fetched is refused before anything is', async () => {
    await open({}, { limits: { lfsObjectBytesMax: 1000 } });
    await expect(render()).rejects.toThrow('objects of git LFS with more than 1000 bytes');
    expect(batches).toEqual([]);
    await test.close();
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
