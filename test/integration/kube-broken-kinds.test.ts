import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { follow, type Follower } from '../support/follow.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

describeWithCluster('A cache of kinds that break, on a real cluster', (cluster) => {
  const followers: Follower[] = [];
  let api: HttpKubeApi;
  let impatient: HttpKubeApi;
  let namespace: string;
  let webhook: ConversionWebhook;

  beforeAll(async () => {
    api = await connectTo(cluster());
    impatient = await connectTo(cluster(), { limits: { retriesMax: 0 } });
    namespace = await testNamespace(cluster());
    webhook = await startConversionWebhook(cluster().folder);
  });
  afterEach(async () => {
    await Promise.all(followers.splice(0).map((follower) => follower.stop()));
  });
  afterAll(async () => {
    await webhook.close();
    await impatient.close();
    await api.close();
  });

  function begin(type: ResourceType, options: Partial<Parameters<typeof follow>[0]> = {}): Follower {
    const follower = follow({ api, type, namespace, ...options });
    followers.push(follower);
    return follower;
  }

  const widget = (type: ResourceType, name: string): KubeObject => ({
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { namespace, name },
    spec: { size: 1 },
  });

  async function define(type: ResourceType, conversion?: KubeObject['spec']): Promise<void> {
    await api.create(definitions, definitionOf(type, conversion));
    await waitUntil(() => isListed(api, type));
  }

  it('lets a kind go that is removed while it is watched, and takes it up again when it is back', async () => {
    const type = widgetType('removed');
    await define(type);
    await api.create(type, widget(type, 'one'));
    const { reflector, mirror, converges } = begin(type);
    const others = begin(kinds.configMap);
    await converges(api);
    await api.delete(definitions, { name: `${type.plural}.${type.group}` });
    await waitUntil(() => reflector.state.name === 'waiting' && reflector.state.cause.reason === 'gone');
    expect(mirror.size).toBe(0);
    expect(reflector.trouble?.message).toBe('the API does not serve removed.example.com/v2/widgets');
    expect(others.reflector.trouble).toBeUndefined();
    await define(type);
    await api.create(type, widget(type, 'two'));
    await converges(api);
    expect([...mirror.keys()]).toEqual([`${namespace}/two`]);
    await waitUntil(() => reflector.trouble === undefined);
  });

  it('names the conversion webhook that fails, keeps what it knows, and finds back when it works', async () => {
    const type = widgetType('converted');
    await define(type, webhook.conversion());
    const older = { ...type, version: 'v1' };
    await api.create(older, widget(older, 'stored-as-v1'));
    // The API server leaves watches open and silent, and takes three seconds to say on a list what is wrong.
    const { reflector, mirror, converges } = begin(type, { api: impatient, limits: { stallMs: 500, pageTimeoutMs: 10_000 } });
    const others = begin(kinds.configMap);
    await converges(api);
    expect(webhook.calls()).toBeGreaterThan(0);
    webhook.setFailing(true);
    await api.create(older, widget(older, 'made-meanwhile'));
    await waitUntil(() => reflector.trouble?.message.includes('conversion webhook') === true);
    expect(reflector.trouble).toMatchObject({ reason: 'refused', code: 500 });
    expect(reflector.trouble?.message).toContain('the webhook is out of order');
    expect([...mirror.keys()]).toContain(`${namespace}/stored-as-v1`);
    expect(others.reflector.trouble).toBeUndefined();
    webhook.setFailing(false);
    await converges(api);
    expect([...mirror.keys()]).toContain(`${namespace}/made-meanwhile`);
  });

  it('says in the words of the API that it may not list a kind', async () => {
    const nobody = await connectTo(cluster(), { user: 'fairway' });
    const { reflector } = begin(kinds.configMap, { api: nobody });
    await waitUntil(() => reflector.trouble !== undefined);
    expect(reflector.trouble).toMatchObject({ reason: 'forbidden', code: 403 });
    expect(reflector.trouble?.message).toMatch(/configmaps is forbidden: User "[^"]+" cannot list resource "configmaps"/);
    await nobody.close();
  });

  it('says so where a kind was never there', async () => {
    const { reflector } = begin(widgetType('never'));
    await waitUntil(() => reflector.trouble !== undefined);
    expect(reflector.trouble).toMatchObject({ reason: 'gone', code: 404 });
    expect(reflector.synced).toBe(false);
  });

  it('polls a kind that can only be listed', async () => {
    const type: ResourceType = { group: '', version: 'v1', plural: 'componentstatuses', kind: 'ComponentStatus', namespaced: false };
    const follower = follow({ api, type });
    followers.push(follower);
    await waitUntil(() => follower.reflector.state.name === 'polling');
    expect(follower.mirror.size).toBeGreaterThan(0);
    await waitUntil(() => follower.reflector.counts.lists >= 3);
    expect(follower.reflector.counts).toMatchObject({ watches: 1, failures: 0 });
  });
});

function widgetType(name: string): ResourceType {
  return { group: `${name}.example.com`, version: 'v2', plural: 'widgets', kind: 'Widget', namespaced: true };
}

function definitionOf(type: ResourceType, conversion: KubeObject['spec'] | undefined): KubeObject {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${type.plural}.${type.group}` },
    spec: {
      group: type.group,
      scope: 'Namespaced',
      names: { plural: type.plural, kind: type.kind, singular: 'widget', listKind: 'WidgetList' },
      versions: conversion === undefined ? [version('v2', true)] : [version('v1', true), version('v2', false)],
      ...(conversion !== undefined && { conversion }),
    },
  } as KubeObject;
}

/** A new kind is served some time after it is established. */
async function isListed(api: HttpKubeApi, type: ResourceType): Promise<boolean> {
  try {
    await api.list(type, { limit: 1 });
    return true;
  } catch {
    // Not yet.
    return false;
  }
}

interface ConversionWebhook {
  /** The part of a definition that names it. */
  conversion(): KubeObject['spec'];
  setFailing(failing: boolean): void;
  calls(): number;
  close(): Promise<void>;
}

/** Converts widgets by renaming their version, or says that it cannot. */
async function startConversionWebhook(folder: string): Promise<ConversionWebhook> {
  const file = (name: string): Buffer => readFileSync(join(folder, 'pki', name));
  let failing = false;
  let calls = 0;
  const server: Server = createServer({ cert: file('serving.crt'), key: file('serving.key') }, (incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      calls += 1;
      const { request } = JSON.parse(Buffer.concat(chunks).toString());
      const convertedObjects = request.objects.map((object: KubeObject) => ({ ...object, apiVersion: request.desiredAPIVersion }));
      const response = failing
        ? { uid: request.uid, result: { status: 'Failed', message: 'the webhook is out of order' } }
        : { uid: request.uid, result: { status: 'Success' }, convertedObjects };
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    conversion: () => ({
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: `https://127.0.0.1:${port}/convert`, caBundle: file('ca.crt').toString('base64') },
      },
    }),
    setFailing: (value) => {
      failing = value;
    },
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
