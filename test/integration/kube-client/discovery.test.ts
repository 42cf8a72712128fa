import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/index.ts';
import { createHttpKubeApi } from '../../../src/kube/index.ts';
import type { Credentials, Discovery, HttpKubeApi } from '../../../src/kube/index.ts';
import { connectTo, describeWithCluster, quietLog } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ANONYMOUS: Credentials = { identity: { type: 'none' }, trust: { insecure: false }, disableCompression: false };

describeWithCluster('discovery on a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let old: HttpKubeApi;
  const paths: string[] = [];
  beforeAll(async () => {
    api = await connectTo(cluster());
    const server = await startGateway();
    old = createHttpKubeApi({
      server,
      credentials: ANONYMOUS,
      clock: systemClock,
      log: quietLog,
      userAgent: 'test',
      limits: { retryDelayMs: 1 },
    });
  });
  afterAll(async () => {
    gateway.close();
    await old.close();
    await api.close();
  });

  /** A gateway in front of the cluster that passes everything on with one Accept header, as an old server would have it. */
  const gateway = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? '');
    const pki = join(cluster().folder, 'pki');
    const file = (name: string): Buffer => readFileSync(join(pki, name));
    const options = {
      ca: file('ca.crt'),
      cert: file('admin.crt'),
      key: file('admin.key'),
      headers: { accept: 'application/json' },
      agent: false,
    } as const;
    secureRequest(`${cluster().url}${incoming.url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' });
      answer.pipe(outgoing);
    }).end();
  });
  const startGateway = (): Promise<string> =>
    new Promise((resolve) => gateway.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`)));

  /** Other test files may add kinds of their own to the cluster meanwhile; these groups are always there. */
  const isOwn = ({ group }: { group: string }): boolean => !group.includes('.') || group.endsWith('.k8s.io');
  const sorted = ({ resources }: Discovery) =>
    resources
      .filter(isOwn)
      .map((resource) => ({ ...resource, subresources: [...resource.subresources].sort(), verbs: [...resource.verbs].sort() }))
      .sort((one, other) => `${one.group}/${one.version}/${one.plural}`.localeCompare(`${other.group}/${other.version}/${other.plural}`));

  it('knows every resource, in the new form and in the old, alike', async () => {
    const aggregated = await api.discover();
    const found = aggregated.resources.find(({ group, plural }) => group === 'apps' && plural === 'deployments');
    expect(found).toMatchObject({
      version: 'v1',
      kind: 'Deployment',
      namespaced: true,
      singular: 'deployment',
      shortNames: ['deploy'],
      preferred: true,
    });
    expect(found?.subresources.toSorted()).toEqual(['scale', 'status']);
    expect(aggregated.failures.filter(isOwn)).toEqual([]);
    const legacy = await old.discover();
    expect(paths).toContain('/apis/apps/v1');
    expect(sorted(legacy)).toEqual(sorted(aggregated));
  });

  it('remembers what it saw until asked to look again', async () => {
    const one = await api.discover();
    expect(await api.discover()).toBe(one);
    expect(await api.discover({ fresh: true })).not.toBe(one);
  });

  it('names a group whose server does not answer, and still shows the others', async () => {
    const spec = { group: 'gone.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true };
    await api.create(kinds.apiService, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.gone.example' },
      spec: { ...spec, service: { name: 'nobody', namespace: 'default' } },
    });
    const discovery = await waitUntil(async () => {
      const seen = await api.discover({ fresh: true });
      return seen.failures.some(({ group }) => group === 'gone.example') && seen;
    });
    expect(discovery.failures).toContainEqual({ group: 'gone.example', version: 'v1', message: expect.stringMatching(/./) as string });
    expect(discovery.resources.length).toBeGreaterThan(50);
    const legacy = await old.discover({ fresh: true });
    expect(legacy.failures).toContainEqual({ group: 'gone.example', version: 'v1', message: expect.stringMatching(/./) as string });
    expect(sorted(legacy)).toEqual(sorted(discovery));
    await api.delete(kinds.apiService, { name: 'v1.gone.example' });
  });

  it('reads schemas of one group version, and nothing where there are none', async () => {
    const document = await api.openApi('apps/v1');
    expect(document).toHaveProperty(['components', 'schemas', 'io.k8s.api.apps.v1.Deployment']);
    expect(await api.openApi('apps/v1')).toBe(document);
    expect(await api.openApi('v1')).toHaveProperty(['paths', '/api/v1/pods']);
    expect(await api.openApi('nothing.example/v1')).toBeUndefined();
  });

  it('says its version', async () => {
    expect(await api.version()).toMatchObject({ gitVersion: expect.stringMatching(/^v1\.36/) as string });
  });
});
