import { describe, expect, it } from 'vitest';
import { createServiceCall } from '../../../test/support/service-call.ts';
import { ApiError, Code, createLogger } from '../../base/index.ts';
import type { Call } from '../call.ts';
import { auditCalls } from './audit-calls.ts';

const SERVICE = 'application.ApplicationService';

function audited(handlers: Readonly<Record<string, unknown>>, service = SERVICE) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const wrapped = auditCalls({ [service]: handlers }, log)[service] as Readonly<Record<string, (...given: unknown[]) => unknown>>;
  const call = (name: string): Call => createServiceCall(`/${service}/${name}`);
  return {
    read: (name: string, request: unknown) => wrapped[name]!(request, call(name)) as AsyncIterable<unknown>,
    ask: async (name: string, request: unknown) => wrapped[name]!(request, call(name)),
    records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    lines,
  };
}

const refusal = (): ApiError => new ApiError(Code.PermissionDenied, 'permission denied');

async function collect(messages: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

describe('The record of calls', () => {
  it.each(['PodLogs', 'WatchResourceTree'])('AUD-01: has each %s that is denied, whenever it says so', async (name) => {
    const late = audited({
      async *[name]() {
        yield await Promise.reject(refusal());
      },
    });
    await expect(collect(late.read(name, { name: 'web', applicationName: 'web', tailLines: '5' }))).rejects.toMatchObject({ code: 7 });
    const early = audited({
      [name]() {
        throw refusal();
      },
    });
    expect(() => early.read(name, { name: 'web' })).toThrow('permission denied');
    for (const { records } of [late, early])
      expect(records()).toMatchObject([
        { message: 'audit', call: `/${SERVICE}/${name}`, user: 'admin', decision: 'denied', target: { name: 'web' }, security: 2 },
      ]);
  });

  it('has nothing of streams that are read, and lets them end early', async () => {
    let isClosed = false;
    const stream = audited({
      async *PodLogs() {
        try {
          yield* [1, 2, 3];
        } finally {
          isClosed = true;
        }
      },
    });
    expect(await collect(stream.read('PodLogs', { name: 'web' }))).toEqual([1, 2, 3]);
    isClosed = false;
    for await (const _message of stream.read('PodLogs', { name: 'web' })) break;
    expect(isClosed).toBe(true);
    const broken = audited({
      async *PodLogs() {
        yield 1;
        throw new ApiError(Code.Unavailable, 'gone');
      },
    });
    await expect(collect(broken.read('PodLogs', {}))).rejects.toThrow('gone');
    expect([...stream.records(), ...broken.records()]).toEqual([]);
  });

  it('AUD-01: has each upload of files that is denied, with what its first message names', async () => {
    async function* messages(): AsyncGenerator<unknown> {
      yield { query: { name: 'web', project: 'shop', checksum: 'x' } };
      yield { chunk: { chunk: 'c2VjcmV0' } };
    }
    const seen: unknown[] = [];
    const take = async (requests: AsyncIterable<unknown>): Promise<object> => {
      for await (const request of requests) seen.push(request);
      if (seen.length > 2) throw refusal();
      return {};
    };
    const { ask, records, lines } = audited({ GetManifestsWithFiles: take });
    expect(await ask('GetManifestsWithFiles', messages())).toEqual({});
    expect(seen).toHaveLength(2);
    expect(records()).toEqual([]);
    await expect(ask('GetManifestsWithFiles', messages())).rejects.toMatchObject({ code: 7 });
    expect(records()).toMatchObject([{ decision: 'denied', target: { name: 'web', project: 'shop' } }]);
    expect(lines.join('')).not.toContain('c2VjcmV0');
  });

  it.each([
    ['https://bob:p@ss@w0rd@git.example/x', 'https://git.example/x'],
    [' https://bob:p@ss@w0rd@git.example/x', 'https://git.example/x'],
    ['HTTPS://p@ss:w0rd@git.example/x', 'HTTPS://git.example/x'],
    ['https://bob:p%2Fss@w0rd@git.example/x', 'https://git.example/x'],
    ['https://bob:w0rd%2f@git.example/x', 'https://git.example/x'],
    ['https://bob:p\\ss@w0rd@git.example/x', 'https://git.example/x'],
    ['git::https://bob:p@ss@w0rd@git.example/x', 'git::https://git.example/x'],
    ['"https://bob:p@ss@w0rd@git.example/x"', '"https://git.example/x"'],
    ['//bob:w0rd@git.example/x', '//git.example/x'],
    ['https:\\\\bob:w0rd@git.example\\x', 'https:\\\\git.example\\x'],
    ['https%3A%2F%2Fbob:w0rd%40git.example%2Fx', 'https%3A%2F%2Fgit.example%2Fx'],
    ['https%3A%2F%2Fbob:w0rd%252Fss%40git.example%2Fx', 'https%3A%2F%2Fgit.example%2Fx'],
    ['oci://git.example/x@sha256:abc', 'oci://git.example/x@sha256:abc'],
  ])('AUD-01: shows no part of a password: %s', async (repo, shown) => {
    const { ask, records, lines } = audited({ Delete: () => ({}), Create: () => ({}) }, 'repository.RepositoryService');
    await ask('Delete', { repo });
    await ask('Create', { repo: { repo } });
    expect(records()).toMatchObject([
      { decision: 'done', target: { repo: shown } },
      { decision: 'done', target: { repo: shown } },
    ]);
    expect(lines.join('')).not.toMatch(/ss@|w0rd|bob/);
  });

  it('AUD-01: looks through a long address that is none quickly', async () => {
    const { ask } = audited({ Delete: () => ({}) }, 'repository.RepositoryService');
    const startedMs = performance.now();
    for (const part of ['/', '//a', '%2f', '//%2f', 'a@', '//@', '\\', '//\\']) await ask('Delete', { repo: part.repeat(300_000) });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  const secret = { password: 'planted', bearerToken: 'planted', sshPrivateKey: 'planted', config: { password: 'planted' } };
  it.each<[string, string, object, object]>([
    ['cluster.ClusterService', 'Delete', { id: { type: 'name', value: 'prod' } }, { id: 'prod' }],
    [
      'cluster.ClusterService',
      'Update',
      { cluster: { ...secret, server: 'https://c', name: 'prod' }, id: { value: 'https://c' } },
      { id: 'https://c', server: 'https://c', name: 'prod' },
    ],
    ['cluster.ClusterService', 'Create', { cluster: { ...secret, server: 'https://c' }, upsert: true }, { server: 'https://c' }],
    [
      'repository.RepositoryService',
      'CreateRepository',
      { repo: { ...secret, repo: 'https://g', project: 'shop' } },
      { repo: 'https://g', project: 'shop' },
    ],
    ['repository.RepositoryService', 'UpdateRepository', { repo: { ...secret, repo: 'https://g' } }, { repo: 'https://g' }],
    ['repocreds.RepoCredsService', 'CreateRepositoryCredentials', { creds: { ...secret, url: 'https://g' } }, { url: 'https://g' }],
    ['repocreds.RepoCredsService', 'UpdateRepositoryCredentials', { creds: { ...secret, url: 'https://g' } }, { url: 'https://g' }],
    [
      'repository.RepositoryService',
      'GetAppDetails',
      { source: { repoURL: 'https://u:planted@g', helm: { values: 'planted' } } },
      { repoURL: 'https://g' },
    ],
    [SERVICE, 'Create', { application: { metadata: { name: 'web', namespace: 'a' }, spec: {} } }, { name: 'web', namespace: 'a' }],
    [SERVICE, 'Rollback', { name: 'web', id: 3 }, { name: 'web', id: 3 }],
  ])('AUD-01: says what %s/%s is about: %j', async (service, name, request, target) => {
    const { ask, records, lines } = audited({ [name]: () => ({}) }, service);
    await ask(name, request);
    expect(records().map((record) => record['target'])).toEqual([target]);
    expect(lines.join('')).not.toContain('planted');
  });

  it('AUD-01: tells with which token somebody came', async () => {
    const { ask, records } = audited({ Sync: () => ({}) });
    await ask('Sync', { name: 'web' });
    expect(records()).toMatchObject([{ user: 'admin', issuer: 'argocd', jti: 'id', issuedAt: 0 }]);
  });
});
