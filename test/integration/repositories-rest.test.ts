import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

describe('repositories over REST', () => {
  let fairway: Fairway;
  let repository: GitRepository;
  let server: GitHttpServer;
  let url: string;
  let token: string;

  beforeAll(async () => {
    repository = await createGitRepository({ 'a.yaml': configMap('a') });
    const authorization = `Basic ${Buffer.from('robot:planted-password').toString('base64')}`;
    server = await startGitHttpServer({ root: dirname(repository.folder), authorization });
    url = `${server.url}/${basename(repository.folder)}/.git`;
    fairway = await startFairway();
    const { body } = await send('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
    ({ token } = body as { token: string });
  }, 120_000);
  afterAll(async () => {
    await fairway.stop();
    await server.close();
    await repository.remove();
  });

  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${fairway.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  async function itemsAt(path: string): Promise<unknown> {
    const { status, body } = await send('GET', path);
    expect(status).toBe(200);
    // Lists that are empty may be null.
    return (body as { items: unknown }).items ?? [];
  }
  const place = (): string => `/api/v1/repositories/${encodeURIComponent(url)}`;

  it('are none at first', async () => {
    expect(await itemsAt('/api/v1/repositories')).toEqual([]);
    expect(await send('GET', place())).toMatchObject({ status: 403, body: { code: 7, message: 'permission denied' } });
  });

  it('are asked with the credentials of the query; the body is the address', async () => {
    const validate = `${place()}/validate`;
    expect(await send('POST', `${validate}?username=robot&password=planted-password`, url)).toEqual({ status: 200, body: {} });
    const refused = await send('POST', `${validate}?username=robot&password=planted-wrong`, url);
    expect(refused.status).toBe(500);
    expect(JSON.stringify(refused.body)).toContain('error testing repository connectivity');
    expect(JSON.stringify(refused.body)).not.toContain('planted');
  });

  it('are made, changed, shown and removed, and give nothing away', async () => {
    const entry = { repo: url, username: 'robot', password: 'planted-password' };
    expect(await send('POST', '/api/v1/repositories', entry)).toMatchObject({ status: 200, body: { repo: url, type: 'git' } });
    const changed = await send('PUT', place(), { ...entry, name: 'shop' });
    expect(changed).toMatchObject({ status: 200, body: { repo: url, name: 'shop' } });
    const listed = await send('GET', '/api/v1/repositories?forceRefresh=true');
    expect(listed.body).toMatchObject({ items: [{ repo: url, name: 'shop', connectionState: { status: 'Successful' } }] });
    const refs = await send('GET', `${place()}/refs`);
    expect(refs).toEqual({ status: 200, body: { branches: ['main'] } });
    expect(`${JSON.stringify([changed, listed])}${fairway.output()}`).not.toContain('planted-password');
    expect(await send('POST', '/api/v1/repositories', { ...entry, name: 'other' })).toMatchObject({ status: 400, body: { code: 3 } });
    expect((await send('POST', '/api/v1/repositories?upsert=true', { ...entry, name: 'other' })).status).toBe(200);
    expect(await send('DELETE', place())).toEqual({ status: 200, body: {} });
    expect(await itemsAt('/api/v1/repositories')).toEqual([]);
  });

  it('makes a template of one that is only credentials', async () => {
    const [path, entry] = ['/api/v1/repositories?credsOnly=true', { repo: server.url, username: 'robot', password: 'planted-password' }];
    expect(await send('POST', path, entry)).toMatchObject({ status: 200, body: { repo: server.url, type: 'git' } });
    expect(await itemsAt('/api/v1/repositories')).toEqual([]);
    expect(await itemsAt('/api/v1/repocreds')).toEqual([{ url: server.url, username: 'robot' }]);
    expect((await send('GET', `${place()}/refs`)).body).toEqual({ branches: ['main'] });
    expect(await send('POST', path, { ...entry, username: 'other' })).toMatchObject({ status: 400, body: { code: 3 } });
    expect((await send('POST', `${path}&upsert=true`, { ...entry, username: 'other' })).status).toBe(200);
    expect(await itemsAt('/api/v1/repocreds')).toEqual([{ url: server.url, username: 'other' }]);
    expect((await send('DELETE', `/api/v1/repocreds/${encodeURIComponent(server.url)}`)).status).toBe(200);
  });

  it('has templates, certificates and keys beside them', async () => {
    const entry = { url: server.url, username: 'robot', password: 'planted-password' };
    expect(await send('POST', '/api/v1/repocreds', entry)).toMatchObject({ status: 200, body: { url: server.url } });
    const listed = await send('GET', '/api/v1/repocreds');
    expect(listed.body).toMatchObject({ items: [{ url: server.url, username: 'robot' }] });
    expect(JSON.stringify(listed)).not.toContain('planted-password');
    expect((await send('GET', `${place()}/refs`)).body).toEqual({ branches: ['main'] });
    expect((await send('DELETE', `/api/v1/repocreds/${encodeURIComponent(server.url)}`)).status).toBe(200);
    expect((await send('GET', '/api/v1/certificates')).status).toBe(200);
    expect(await itemsAt('/api/v1/gpgkeys')).toEqual([]);
    expect(await send('GET', '/api/v1/write-repositories')).toMatchObject({ status: 501, body: { message: 'hydrator is disabled' } });
  });
});
