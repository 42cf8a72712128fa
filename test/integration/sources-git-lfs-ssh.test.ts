import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { startGitSshServer } from '../support/git-ssh-server.ts';
import type { GitSshServer } from '../support/git-ssh-server.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const large = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: { key: 'x'.repeat(5000) } });
const oid = createHash('sha256').update(large).digest('hex');
const TOKEN = 'RemoteAuth planted-token';

describeWithPrograms(['ssh', 'ssh-keygen'], 'with the ssh of the machine', () => {
  describeWithTool('ssh-git-server', 'a repository with large files that is reached by SSH', describeLargeFiles);
});

function describeLargeFiles(program: () => string): void {
  let repository: GitRepository;
  let server: GitSshServer;
  let store: StubServer;
  let said: string;
  let url: string;
  let asked: { readonly line: string; readonly authorization: string | undefined }[];
  const opened: TestSources[] = [];

  beforeAll(async () => {
    repository = await createGitRepository({
      '.gitattributes': '*.json filter=lfs diff=lfs merge=lfs -text\n',
      'app/large.json': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${large.length}\n`,
    });
    server = await startGitSshServer(program(), repository.folder);
    url = `ssh://git@127.0.0.1:${server.port}/.git`;
    said = join(repository.folder, 'lfs-authenticate.json');
    store = await startStubServer((request, response) => {
      asked.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
      if (request.headers.authorization !== TOKEN) return void response.writeHead(401).end();
      if (request.url === '/object') return void response.end(large);
      void readBody(request).then((body) => {
        const { objects } = JSON.parse(body) as { objects: object[] };
        const download = { href: `${store.url}/object`, header: { authorization: TOKEN } };
        response.end(JSON.stringify({ transfer: 'basic', objects: objects.map((object) => ({ ...object, actions: { download } })) }));
      });
    });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    await repository.remove();
  });
  beforeEach(() => {
    asked = [];
  });
  afterEach(async () => {
    for (const test of opened.splice(0)) await test.close();
    await rm(said, { force: true });
  });

  async function render(allowFileRepositories = true) {
    const keys = { sshPrivateKey: new Sealed(server.privateKey), sshKnownHosts: server.knownHosts };
    const access = { url, type: 'git', owner: 'secret', enableLfs: true, ...keys } as const;
    const test = await openTestSources({ allowFileRepositories, access: [access] });
    opened.push(test);
    return await test.render({ repoURL: url, path: 'app' });
  }

  it('has them from where its server says, with the token that it gives', async () => {
    await writeFile(said, JSON.stringify({ href: `${store.url}/lfs/`, header: { Authorization: TOKEN }, expires_in: 600 }));
    const { objects } = await render();
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['large']);
    expect(asked).toEqual([
      { line: 'POST /lfs/objects/batch', authorization: TOKEN },
      { line: 'GET /object', authorization: TOKEN },
    ]);
  });

  it('says so where its server does not say where they are, or says something else', async () => {
    await expect(render()).rejects.toThrow('git LFS: the server does not say where its large files are');
    await writeFile(said, `{"href": "${TOKEN}`);
    await expect(render()).rejects.toThrow(/^git LFS: what the server says about its large files cannot be read$/);
    expect(asked).toEqual([]);
  });

  it.each(['http://files.example.com/lfs', 'file:///etc', 'https://user:pw@files.example.com/'])(
    'GIT-07: does not send the token to %s',
    async (href) => {
      await writeFile(said, JSON.stringify({ href, header: { Authorization: TOKEN } }));
      await expect(render()).rejects.toThrow(/^git LFS: the server keeps its large files at an address that is not https$/);
    },
  );

  it('SSRF-01: is not led to this machine by its server', async () => {
    await writeFile(said, JSON.stringify({ href: `${store.url}/lfs`, header: { Authorization: TOKEN } }));
    await expect(render(false)).rejects.toThrow('addresses of this machine are not allowed here');
    expect(asked).toEqual([]);
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
