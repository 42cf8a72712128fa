import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareObject, defaultCompareRules, findDifferences, keyOf, kindOf, type ObjectComparison } from '../../src/engine/index.ts';
import type { DiscoveredResource, HttpKubeApi, KubeApi } from '../../src/kube/index.ts';
import { builtinSchema, schemaFromOpenApiV3, type JsonObject, type KubeObject } from '../../src/objects/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startTestApi, type TestApi } from '../support/embedded.ts';
import { kinds } from '../support/kinds.ts';
import { corpusDefinitions, manifestCorpus } from '../support/manifest-corpus.ts';
import { waitUntil } from '../support/wait-until.ts';
import { definitionType } from '../support/widget-definition.ts';

const RECORD = 'kubectl.kubernetes.io/last-applied-configuration';
const MANAGER = 'argocd-controller';
const WAYS = ['client side', 'server side'] as const;
type Way = (typeof WAYS)[number];

interface Home {
  readonly api: KubeApi;
  /** One for each way. */
  readonly namespaces: readonly string[];
  readonly discovered: readonly DiscoveredResource[];
}

/** Applies the whole corpus in one way or the other, and compares each object as it was stored: none may differ from what was wanted. */
function compareAll(home: () => Home): void {
  describe.each(WAYS)('applied on the %s', (way) => {
    const corpus = manifestCorpus();
    const made: { readonly type: DiscoveredResource; readonly desired: KubeObject }[] = [];

    afterAll(async () => {
      for (const { type, desired } of made.toReversed()) {
        const { namespace, name = '' } = desired.metadata;
        const options = { propagation: 'Background', gracePeriodSeconds: 0 } as const;
        await home().api.delete(type, { name, ...(namespace && { namespace }) }, options);
      }
    }, 60_000);

    it.each(corpus.map((object) => ({ object, title: `${object.kind} ${object.metadata.name ?? ''}` })))(
      '$title is as it was wanted',
      async ({ object }) => {
        const { api } = home();
        const { type, desired } = place(object, home(), way);
        const live = await apply(api, type, desired, way);
        made.push({ type, desired });
        expect(await differencesOf(api, desired, live, way)).toEqual([]);
      },
    );

    it('stays so when controllers have written to it', async () => {
      const { api } = home();
      const found = await Promise.all(
        made.map(async ({ type, desired }) => {
          const { namespace, name = '' } = desired.metadata;
          const live = await api.get(type, { name, ...(namespace && { namespace }) }, { keepManagedFields: true });
          return (await differencesOf(api, desired, live, way)).map((text) => `${desired.kind} ${name}: ${text}`);
        }),
      );
      const different = found.flat();
      expect(different).toEqual([]);
      expect(made).toHaveLength(corpus.length);
    }, 60_000);
  });
}

function place(manifest: KubeObject, { namespaces, discovered }: Home, way: Way): { type: DiscoveredResource; desired: KubeObject } {
  const { group, version, kind } = kindOf(manifest);
  const namespace = namespaces[WAYS.indexOf(way)] ?? '';
  const type = discovered.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (type === undefined) throw new Error(`${kind} of ${group}/${version} is not served`);
  const object = type.namespaced ? manifest : withOwnName(manifest, way);
  const options = way === 'server side' ? { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' } : {};
  const annotations = {
    ...object.metadata.annotations,
    ...options,
    'argocd.argoproj.io/tracking-id': `corpus:${group}/${kind}:${namespace}/${keyOf(object).name}`,
  };
  return { type, desired: { ...object, metadata: { ...object.metadata, annotations, ...(type.namespaced && { namespace }) } } };
}

/** What has no namespace to be apart in has a name for each way. */
function withOwnName(object: KubeObject, way: Way): KubeObject {
  if (way === 'client side') return object;
  const text = JSON.stringify(object).replaceAll('corpus', 'corpus2');
  return JSON.parse(text) as KubeObject;
}

async function apply(api: KubeApi, type: DiscoveredResource, desired: KubeObject, way: Way): Promise<KubeObject> {
  const { namespace, name = '' } = desired.metadata;
  const options = { fieldManager: MANAGER, keepManagedFields: true, fieldValidation: 'Strict' } as const;
  if (way === 'server side') {
    const patch = { type: 'apply', body: desired as unknown as JsonObject, force: true } as const;
    return api.patch(type, { name, ...(namespace && { namespace }) }, patch, options);
  }
  const record = { ...desired.metadata.annotations, [RECORD]: `${JSON.stringify(desired)}\n` };
  return api.create(type, { ...desired, metadata: { ...desired.metadata, annotations: record } }, options);
}

async function differencesOf(api: KubeApi, desired: KubeObject, live: KubeObject, way: Way): Promise<readonly string[]> {
  const kind = kindOf(desired);
  const document = await api.openApi(kind.group === '' ? kind.version : `${kind.group}/${kind.version}`);
  const known = document && schemaFromOpenApiV3(document, kind);
  // With the cluster's own schemas, and, for built-in kinds, with those that are known without it.
  const isBuiltin = builtinSchema(desired.apiVersion, desired.kind) !== undefined;
  return [known, ...(isBuiltin ? [undefined] : [])].flatMap((schema) => {
    const comparison: ObjectComparison = compareObject({ desired, live, rules: { ...defaultCompareRules }, ...(schema && { schema }) });
    if (!comparison.modified) return [];
    return findDifferences({ desired, live, comparison }).map(({ path, cause }) => `${path} (${cause}, ${way})`);
  });
}

/** Defines the custom kinds of the corpus; those of real operators need the API's protection of groups to be told so. */
async function define(api: KubeApi): Promise<readonly DiscoveredResource[]> {
  const definitions = corpusDefinitions();
  for (const definition of definitions) {
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    await api.create(definitionType, { ...definition, metadata: { ...definition.metadata, annotations } });
  }
  const names = definitions.map(({ metadata }) => metadata.name ?? '');
  // A cluster serves a kind a moment before it describes it.
  for (const { group, version, kind } of definitions.map(kindDefinedBy))
    await waitUntil(async () => {
      await api.openApiHashes?.();
      const document = await api.openApi(`${group}/${version}`);
      return document !== undefined && schemaFromOpenApiV3(document, { group, version, kind }) !== undefined;
    });
  return waitUntil(async () => {
    const { resources } = await api.discover({ fresh: true });
    const served = new Set(resources.map(({ group, plural }) => `${plural}.${group}`));
    return names.every((name) => served.has(name)) ? resources : undefined;
  });
}

function kindDefinedBy(definition: KubeObject): { group: string; version: string; kind: string } {
  const spec = definition['spec'] as unknown as { group: string; names: { kind: string }; versions: { name: string }[] };
  return { group: spec.group, version: spec.versions[0]?.name ?? '', kind: spec.names.kind };
}

async function undefine(api: KubeApi): Promise<void> {
  for (const { metadata } of corpusDefinitions()) await api.delete(definitionType, { name: metadata.name ?? '' });
}

describe('The corpus', () => {
  it('has at least 100 objects of all kinds', () => {
    const corpus = manifestCorpus();
    expect(corpus.length).toBeGreaterThanOrEqual(100);
    expect(new Set(corpus.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).size).toBeGreaterThanOrEqual(70);
  });
});

describe('Objects in the embedded API', () => {
  let test: TestApi;
  let home: Home;
  beforeAll(async () => {
    test = await startTestApi();
    const resources = await define(test.api);
    const namespaces = ['one', 'two'];
    for (const name of namespaces) await test.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    home = { api: test.api, namespaces, discovered: resources };
  });
  afterAll(() => test.stop());
  compareAll(() => home);
});

describeWithCluster('Objects in a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let home: Home;
  beforeAll(async () => {
    api = await connectTo(cluster());
    const resources = await define(api);
    home = { api, namespaces: [await testNamespace(cluster()), await testNamespace(cluster())], discovered: resources };
  });
  afterAll(async () => {
    await undefine(api);
    await api.close();
  }, 60_000);
  compareAll(() => home);
});
