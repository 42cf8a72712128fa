import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, systemClock } from '../../base/index.ts';
import type { ResourceType, WatchEvent } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import type { EmbeddedApi } from '../embedded-api.ts';
import { openEmbeddedApi } from '../open-embedded-api.ts';
import { DEFINITIONS } from './definition.ts';

const WIDGETS: ResourceType = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const APPLICATIONS: ResourceType = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
  kind: 'Application',
  namespaced: true,
};
const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

const schema = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } } },
};

/** Served versions, of which the first is stored. */
const versions = (...names: readonly string[]) => names.map((name, index) => ({ name, served: true, storage: index === 0, schema }));

function definition(plural = 'widgets', names: JsonObject = {}, spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: 'Widget', ...names },
      versions: versions('v1'),
      ...spec,
    },
  };
}

const widget = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', ...metadata },
  spec: { unknown: 1 },
});

describe('custom kinds', () => {
  const folder = { path: '' };
  let api: EmbeddedApi;
  const open = () => openEmbeddedApi({ file: join(folder.path, 'home.db'), clock: systemClock, log });

  beforeEach(async () => {
    folder.path = mkdtempSync(join(tmpdir(), 'fairway-custom-'));
    api = await open();
  });
  afterEach(async () => {
    await api.close();
    rmSync(folder.path, { recursive: true, force: true });
  });

  it('are served as soon as their definition is there, and after a restart', async () => {
    await expect(api.list(WIDGETS)).rejects.toThrow('could not find the requested resource');
    await api.create(DEFINITIONS, definition());
    expect((await api.create(WIDGETS, widget('a')))['spec']).toEqual({ size: 3 });
    await api.close();
    api = await open();
    expect((await api.get(WIDGETS, { namespace: 'default', name: 'a' }))['spec']).toEqual({ size: 3 });
    expect((await api.discover()).resources.find(({ plural }) => plural === 'widgets')).toMatchObject({ kind: 'Widget', preferred: true });
  });

  it('go with their definition, when nothing holds their objects, and their watches end', async () => {
    await api.create(DEFINITIONS, definition());
    await api.create(WIDGETS, widget('held', { finalizers: ['example.com/hold'] }));
    await api.create(WIDGETS, widget('free'));
    const watching = collect(api.watch(WIDGETS, { resourceVersion: api.resourceVersion }));
    await api.delete(DEFINITIONS, { name: 'widgets.example.com' });
    await api.controllersIdle();
    const terminating = await api.get(DEFINITIONS, { name: 'widgets.example.com' });
    expect(terminating.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    await expect(api.create(WIDGETS, widget('late'))).rejects.toMatchObject({ code: 405 });
    await api.patch(WIDGETS, { namespace: 'default', name: 'held' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    await api.controllersIdle();
    await expect(api.get(DEFINITIONS, { name: 'widgets.example.com' })).rejects.toMatchObject({ code: 404 });
    await expect(api.list(WIDGETS)).rejects.toMatchObject({ code: 404 });
    expect((await watching).filter(({ type }) => type === 'DELETED')).toHaveLength(2);
  });

  it('take with them what depends on their objects, however many that are', async () => {
    await api.create(DEFINITIONS, definition());
    const { metadata } = await api.create(WIDGETS, widget('owner'));
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid: metadata.uid ?? '' }];
    for (let index = 0; index < 20; index += 1)
      await api.create(CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `part-${index}`, namespace: 'default', ownerReferences },
      });
    await api.delete(DEFINITIONS, { name: 'widgets.example.com' });
    await api.controllersIdle();
    await expect(api.get(DEFINITIONS, { name: 'widgets.example.com' })).rejects.toMatchObject({ code: 404 });
    expect((await api.list(CONFIG_MAPS, { namespace: 'default' })).items).toEqual([]);
  });

  it('leave nothing behind where no version was served any more', async () => {
    await api.create(DEFINITIONS, definition());
    await api.create(WIDGETS, widget('hidden'));
    const unserved = { type: 'json', operations: [{ op: 'replace', path: '/spec/versions/0/served', value: false }] } as const;
    await api.patch(DEFINITIONS, { name: 'widgets.example.com' }, unserved);
    await expect(api.list(WIDGETS)).rejects.toMatchObject({ code: 404 });
    await api.delete(DEFINITIONS, { name: 'widgets.example.com' });
    await api.controllersIdle();
    await api.create(DEFINITIONS, definition());
    expect((await api.list(WIDGETS)).items).toEqual([]);
  });

  it('end their watches when their definition says something else, and not when its status does', async () => {
    await api.create(DEFINITIONS, definition('widgets', {}, { versions: versions('v1', 'v2') }));
    let isOver = false;
    const watching = collect(api.watch(WIDGETS, { resourceVersion: api.resourceVersion })).then((events) => {
      isOver = true;
      return events;
    });
    await api.create(WIDGETS, widget('a'));
    const label = { type: 'merge', body: { metadata: { labels: { a: 'b' } } } } as const;
    await api.patch(DEFINITIONS, { name: 'widgets.example.com' }, label);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    const stored = { type: 'merge', body: { spec: { versions: versions('v2', 'v1') } } } as const;
    await api.patch(DEFINITIONS, { name: 'widgets.example.com' }, stored);
    expect((await watching).map(({ type }) => type)).toEqual(['ADDED']);
    const again = collect(api.watch(WIDGETS, { resourceVersion: api.resourceVersion, timeoutSeconds: 0.2 }));
    await api.create(WIDGETS, widget('b'));
    expect((await again).map(({ object }) => object.apiVersion)).toEqual(['example.com/v1']);
  });

  it('are written with a warning of rules that nobody evaluates', async () => {
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    await api.create(DEFINITIONS, definition(), { onWarning });
    expect(warnings).toEqual([]);
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations';
    const rules = { type: 'json', operations: [{ op: 'add', path, value: [{ rule: 'self.size > 3' }] }] } as const;
    await api.patch(DEFINITIONS, { name: 'widgets.example.com' }, rules, { onWarning });
    expect(warnings).toEqual([
      'spec.versions[0].schema.openAPIV3Schema: this API evaluates no x-kubernetes-validations: objects that break the rules here (1) are accepted',
    ]);
  });

  it('do not share a name', async () => {
    await api.create(DEFINITIONS, definition());
    const second = await api.create(DEFINITIONS, definition('gadgets'));
    expect(second['status']).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict', message: '"WidgetList" is already in use' },
        { type: 'Established', status: 'False' },
      ],
    });
    expect((await api.discover()).resources.some(({ plural }) => plural === 'gadgets')).toBe(false);
  });

  it('are refused with a conversion that would need a webhook', async () => {
    const spec = {
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com' } } },
    };
    await expect(api.create(DEFINITIONS, definition('widgets', {}, spec))).rejects.toThrow(
      /spec.conversion.strategy: Forbidden: this API has no webhooks/,
    );
  });

  it('of Fairway are there from the start, and come back', async () => {
    const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'a', namespace: 'argocd' } };
    const spec = { project: 'default', destination: {}, source: { repoURL: 'https://example.com', helm: { valuesObject: { any: [1] } } } };
    expect((await api.create(APPLICATIONS, { ...application, spec }))['spec']).toEqual(spec);
    await expect(api.create(APPLICATIONS, { ...application, spec: {} })).rejects.toThrow(/spec.project: Required value/);
    await api.delete(DEFINITIONS, { name: 'applications.argoproj.io' });
    await api.controllersIdle();
    await api.close();
    api = await open();
    expect((await api.list(APPLICATIONS)).items).toEqual([]);
  });

  it('are described by documents whose hashes change with them', async () => {
    await api.create(DEFINITIONS, definition());
    const before = api.openApiHashes().get('example.com/v1');
    const document = await api.openApi('example.com/v1');
    expect(document).toMatchObject({ components: { schemas: { 'com.example.v1.Widget': { properties: { spec: { type: 'object' } } } } } });
    await api.patch(
      DEFINITIONS,
      { name: 'widgets.example.com' },
      {
        type: 'json',
        operations: [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/more', value: { type: 'string' } }],
      },
    );
    expect(api.openApiHashes().get('example.com/v1')).not.toBe(before);
    expect(await api.openApi('nothing/v1')).toBeUndefined();
  });

  it('leaves a definition of our own that a newer version has installed as it is', async () => {
    const ref = { name: 'applications.argoproj.io' };
    const change = async (version: string) =>
      api.patch(
        DEFINITIONS,
        ref,
        {
          type: 'json',
          operations: [
            { op: 'add', path: '/metadata/annotations', value: { 'fairway.dev/definitions-version': version } },
            { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/later', value: { type: 'string' } },
          ],
        },
        {},
      );
    const reopened = async (): Promise<string> => {
      await api.close();
      api = await open();
      return JSON.stringify(await api.get(DEFINITIONS, ref));
    };
    await change('999');
    expect(await reopened()).toContain('"later"');
    await change('0');
    expect(await reopened()).not.toContain('"later"');
  });
});

async function collect(events: AsyncIterable<WatchEvent>): Promise<readonly WatchEvent[]> {
  const collected: WatchEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}
