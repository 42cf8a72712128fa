import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { createGrpcClient, type GrpcClient } from '../support/grpc-client.ts';
import { makeTar, makeTarball } from '../support/make-archive.ts';
import { signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const METHOD = '/application.ApplicationService/GetManifestsWithFiles';
const checksum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const noise = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 7919) % 251)).toString('latin1');

describe('CMP-06: files that somebody sends to be rendered', () => {
  let fairway: Fairway;
  let rest: RestCaller;
  let client: GrpcClient;
  let repository: GitRepository;
  let metadata: Record<string, string>;
  let before: string[];

  beforeAll(async () => {
    repository = await createGitRepository({ 'app/a.yaml': configMap('from-git') });
    fairway = await startFairway();
    rest = await signInAsAdmin(fairway);
    const signedIn = await rest('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
    metadata = { token: (JSON.parse(signedIn.text) as { token: string }).token };
    client = createGrpcClient(fairway.address);
    const parameters = '/k8s/api/v1/namespaces/argocd/configmaps/argocd-cmd-params-cm';
    const data = { 'reposerver.streamed.manifest.max.tar.size': '20k', 'reposerver.streamed.manifest.max.extracted.size': '60k' };
    await rest('PUT', parameters, { ...(JSON.parse((await rest('GET', parameters)).text) as object), data });
    await rest('POST', '/api/v1/applications?validate=false', {
      metadata: { name: 'sent' },
      spec: {
        project: 'default',
        source: { repoURL: repository.url, path: 'app' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      },
    });
    // What the controller itself checks out is there then.
    await waitUntil(async () => (await rest('GET', '/api/v1/applications/sent')).text.includes('"revision"'));
  }, 120_000);
  afterAll(async () => {
    client.close();
    await fairway.stop();
    await repository.remove();
  });
  beforeEach(() => {
    before = kept();
  });
  // Nothing of what was sent stays, whether it could be used or not.
  afterEach(() => expect(kept().filter((path) => !before.includes(path))).toEqual([]));

  function kept(): string[] {
    const folders = ['charts', 'trees', 'private'].map((name) => join(fairway.dataDir, 'sources', name));
    return folders.flatMap((folder) => list(folder).filter((path) => !path.startsWith(repository.folder)));
  }

  async function send(packed: Buffer, claimed = checksum(packed)): Promise<string> {
    const pieces = Array.from({ length: Math.ceil(packed.length / 4096) }, (_, index) => ({
      chunk: { chunk: packed.subarray(index * 4096, (index + 1) * 4096).toString('base64') },
    }));
    const query = { query: { name: 'sent', checksum: claimed } };
    return await client.clientStream(METHOD, [query, ...pieces], { metadata }).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) => String(error),
    );
  }

  it('are rendered within their limits', async () => {
    const said = await send(makeTarball({ 'app/a.yaml': configMap('from-here') }));
    expect(said).toContain('from-here');
    expect(said).not.toContain('from-git');
  });

  it.each<[string, () => Buffer, string]>([
    [
      'are too large packed',
      () => gzipSync(Buffer.concat([makeTar([{ path: 'app/a', content: noise }])]), { level: 0 }),
      'file exceeded max size of 20000 bytes',
    ],
    ['are too large unpacked', () => makeTarball({ 'app/a.txt': '0'.repeat(61_000) }), 'the archive is larger than allowed'],
    ['are far too large unpacked', () => makeTarball({ 'app/a.txt': '0'.repeat(5_000_000) }), 'larger than allowed'],
    ['are cut off', () => makeTarball({ 'app/a.yaml': configMap('a') }).subarray(0, 60), 'it is no gzip archive'],
    [
      'are cut off inside a file',
      () => makeTar([{ path: 'app/a.yaml', content: configMap('a') }]).subarray(0, 550),
      'ends in the middle of a file',
    ],
    ['are no archive', () => Buffer.from('x'.repeat(2000)), 'it is no gzip archive'],
    ['lead out of their folder', () => makeTarball([{ path: '../app/a.yaml', content: 'x' }]), 'illegal filepath in archive'],
    [
      'have links that lead out of it',
      () => makeTarball([{ path: 'app/a.yaml', type: '2', target: '/etc/passwd' }]),
      'illegal filepath in symlink',
    ],
  ])('that %s are refused', async (_what, pack, failure) => expect(await send(pack())).toContain(failure));

  it('that are not what was announced are refused', async () => {
    const packed = makeTarball({ 'app/a.yaml': configMap('a') });
    const other = checksum(Buffer.from('other'));
    expect(await send(packed, other)).toContain(`file checksum validation error: calc ${checksum(packed)} sent ${other}`);
    expect(await send(packed, '')).toContain('INVALID_ARGUMENT');
    for (const query of [{ name: 'sent', checksum: null }, { name: 'sent' }])
      expect(await rest('POST', '/api/v1/applications/manifestsWithFiles', { query })).toMatchObject({
        status: 400,
        text: expect.stringContaining('file checksum validation error') as string,
      });
  });
});

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
