import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway } from '../../support/fairway.ts';
import type { Fairway } from '../../support/fairway.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('the Kubernetes API below /k8s', () => {
  let fairway: Fairway;
  let token: string;

  beforeAll(async () => {
    fairway = await startFairway();
    const answer = await fetch(`${fairway.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: fairway.adminPassword }),
    });
    ({ token } = (await answer.json()) as { token: string });
  });
  afterAll(() => fairway.stop());

  const ask = (
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> => fetch(`${fairway.url}/k8s${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
  const send = (method: string, path: string, contentType: string, body: string) =>
    ask(path, { method, body, headers: { 'content-type': contentType } });

  it('is closed to those who are not signed in, whatever cookies they bring', async () => {
    for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { cookie: `argocd.token=${token}` }] as Record<string, string>[]) {
      const answer = await fetch(`${fairway.url}/k8s/api/v1/namespaces`, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 });
    }
    expect((await fetch(`${fairway.url}/k8s/livez`)).status).toBe(200);
  });

  it('takes YAML, and warns of what it drops', async () => {
    const created = await send(
      'POST',
      CONFIG_MAPS,
      'application/yaml',
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: yaml}\ndota: {}\n',
    );
    expect(created.status).toBe(201);
    expect(created.headers.get('warning')).toBe('299 - "unknown field \\"dota\\""');
    const updated = await send('PUT', `${CONFIG_MAPS}/yaml`, 'application/json', '{"metadata":{"name":"other"}}');
    expect(updated.status).toBe(400);
  });

  it('refuses what is too large, in no known form, or not there', async () => {
    const large = JSON.stringify({ metadata: { name: 'large' }, data: { x: 'x'.repeat(3 << 20) } });
    expect(await (await send('POST', CONFIG_MAPS, 'application/json', large)).json()).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
    });
    expect((await send('POST', CONFIG_MAPS, 'application/json', '{"metadata":')).status).toBe(400);
    expect((await send('POST', CONFIG_MAPS, 'application/vnd.kubernetes.protobuf', 'k8s')).status).toBe(400);
    expect((await send('POST', CONFIG_MAPS, 'application/vnd.kubernetes.protobuf', 'k8s\0')).status).toBe(415);
    expect((await send('POST', CONFIG_MAPS, 'application/cbor', 'k8s')).status).toBe(415);
    expect((await send('PATCH', `${CONFIG_MAPS}/yaml`, 'application/json', '{}')).status).toBe(415);
    expect((await send('PATCH', CONFIG_MAPS, 'application/merge-patch+json', '{}')).status).toBe(405);
    expect((await ask('/apis/nothing.example.com/v1/things')).status).toBe(404);
    expect((await ask('/api/v1/pods?limit=x')).status).toBe(400);
    expect((await ask('/api/v1/pods', { headers: { accept: 'application/vnd.kubernetes.protobuf' } })).status).toBe(406);
  });

  it('answers in both forms of discovery', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    const aggregated = await ask('/apis', { headers: { accept } });
    expect(aggregated.headers.get('content-type')).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    expect(await aggregated.json()).toMatchObject({ kind: 'APIGroupDiscoveryList' });
    expect(await (await ask('/apis')).json()).toMatchObject({ kind: 'APIGroupList' });
    expect(await (await ask('/apis/apps/v1')).json()).toMatchObject({
      groupVersion: 'apps/v1',
      resources: expect.arrayContaining([
        expect.objectContaining({ name: 'deployments/scale', kind: 'Scale', group: 'autoscaling' }),
      ]) as unknown,
    });
  });

  it('shows tables and metadata alone', async () => {
    const table = (await (await ask('/api/v1/namespaces/default', { headers: { accept: TABLE } })).json()) as {
      rows: { cells: unknown[] }[];
    };
    expect(table).toMatchObject({ kind: 'Table', columnDefinitions: [{ name: 'Name' }, { name: 'Status' }, { name: 'Age' }] });
    expect(table.rows[0]?.cells.slice(0, 2)).toEqual(['default', 'Active']);
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const list = (await (await ask('/api/v1/namespaces', { headers: { accept } })).json()) as { items: object[] };
    expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(list.items[0] ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
  });

  it('refuses a watch that cannot be, and ends one that is open when it stops', async () => {
    expect((await ask('/api/v1/namespaces?watch=1&labelSelector=a+in')).status).toBe(400);
    const watch = await ask('/api/v1/namespaces?watch=1');
    const started = performance.now();
    const text = watch.text();
    await fairway.stop();
    const lines = (await text)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.every(({ type }) => type === 'ADDED')).toBe(true);
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
