import type { ResourceType } from '../../../src/kube/index.ts';
import { StatusError } from '../../../src/objects/index.ts';
import type { JsonObject, KubeObject } from '../../../src/objects/index.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Scenario } from './object-scenarios.ts';
import { MANAGER } from './session.ts';
import type { Session } from './session.ts';

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

const SPEC: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    color: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
    parts: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } }, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const schema = (spec: JsonObject = SPEC) => ({
  openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object', properties: { size: { type: 'integer' } } } } },
});

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: schema(),
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  ...more,
});

function widgets(unique: string, spec: object = {}) {
  const group = `${unique}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions: [version('v1')], ...spec },
  };
}

const typeOf = (unique: string, name = 'v1'): ResourceType => ({
  group: `${unique}.example.com`,
  version: name,
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
});

async function establish({ api, create, unique }: Session, spec: object = {}): Promise<void> {
  const { metadata } = await create(definitions, widgets(unique, spec));
  await waitUntil(async () => isServed(await api.get(definitions, { name: metadata.name ?? '' })));
  // The real one serves the kind a moment after it says so.
  await waitUntil(() =>
    api.list(typeOf(unique)).then(
      () => true,
      () => false,
    ),
  );
}

function isServed(definition: KubeObject): boolean {
  const status = definition['status'] as { conditions?: { type: string; status: string }[] } | undefined;
  return status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True') === true;
}

/** What every API must do alike with kinds that users define. */
export const customScenarios: readonly Scenario[] = [
  [
    'refuses definitions that are not right',
    async ({ note, create, unique }) => {
      const bad = (label: string, spec: object, metadata?: object) =>
        note(label, create(definitions, { ...widgets(unique, spec), ...(metadata && { metadata }) }));
      await bad('another name', {}, { name: `gadgets.${unique}.example.com` });
      await bad('no schema', { versions: [{ name: 'v1', served: true, storage: true }] });
      await bad('no storage', { versions: [version('v1', { storage: false })] });
      await bad('not structural', { versions: [version('v1', { schema: schema({ properties: { a: { type: 'string' } } }) })] });
      await bad('no such scope', { scope: 'Galaxy' });
      await bad('a bad plural', { names: { plural: 'Wid gets', kind: 'Widget' } });
    },
  ],
  [
    'serves a kind as it is defined',
    async (session) => {
      const { api, namespace, note, create, patch, unique } = session;
      await establish(session);
      const widget = typeOf(unique);
      const object = (name: string, spec: object, more: object = {}) => ({
        apiVersion: `${widget.group}/v1`,
        kind: 'Widget',
        metadata: { name },
        spec,
        ...more,
      });
      await note(
        'create',
        create(widget, object('a', { size: 2, unknown: 1, free: { any: [1, { thing: true }] } }, { status: { size: 5 }, other: 1 })),
      );
      await note('strictly', create(widget, object('b', { size: 2, unknown: 1 }), { fieldValidation: 'Strict' }));
      await note('without what is required', create(widget, object('b', {})));
      await note('of a wrong type', create(widget, object('b', { size: 'two' })));
      await note('too large', create(widget, object('b', { size: 11 })));
      await note('not in the list', create(widget, object('b', { size: 1, color: 'green' })));
      await note('several at once', create(widget, object('b', { size: 0, color: 'green', parts: [{ name: 'too long' }, {}] })));
      await note('the same key twice', create(widget, object('b', { size: 1, parts: [{ name: 'a' }, { name: 'a' }] })));
      await note('a null', create(widget, object('c', { size: 1, color: null })));
      await note('bad metadata', create(widget, object('d', { size: 1 }, { metadata: { name: 'd', labels: { a: 1 } } })));
      const current = await api.get(widget, { namespace, name: 'a' });
      const options = { fieldManager: MANAGER, keepManagedFields: true };
      await note('update', api.update(widget, { ...current, spec: { size: 3 } }, options));
      const { resourceVersion: _version, ...metadata } = current.metadata;
      await note('update without a version', api.update(widget, { ...current, metadata, spec: { size: 4 } }, options));
      await note('merge', patch(widget, 'a', { type: 'merge', body: { spec: { size: 5 }, status: { size: 9 } } }));
      await note('strategic', patch(widget, 'a', { type: 'strategic', body: { spec: { size: 6 } } }));
      await note(
        'status',
        patch(widget, 'a', { type: 'merge', body: { spec: { size: 9 }, status: { size: 4 } } }, { subresource: 'status' }),
      );
      await note('scale', api.get(widget, { namespace, name: 'a' }, { subresource: 'scale' }));
      await note('scaled', patch(widget, 'a', { type: 'merge', body: { spec: { replicas: 7 } } }, { subresource: 'scale' }));
      await note('after that', api.get(widget, { namespace, name: 'a' }, { keepManagedFields: true }));
      const parts = (...names: string[]) => ({
        apiVersion: `${widget.group}/v1`,
        kind: 'Widget',
        spec: { parts: names.map((name) => ({ name })) },
      });
      await note('apply', patch(widget, 'a', { type: 'apply', body: parts('x', 'y') }, { fieldManager: 'one' }));
      await note('apply by another', patch(widget, 'a', { type: 'apply', body: parts('z') }, { fieldManager: 'two' }));
      await note('apply less', patch(widget, 'a', { type: 'apply', body: parts('y') }, { fieldManager: 'one' }));
      await note('by a field', api.list(widget, { namespace, fieldSelector: 'spec.size=7' }));
      await note('delete', api.delete(widget, { namespace, name: 'a' }));
      await api.delete(definitions, { name: `widgets.${widget.group}` });
    },
  ],
  [
    'serves several versions of the same objects, and lets a kind go',
    async (session) => {
      const { api, namespace, note, create, unique, gone } = session;
      const versions = [
        version('v1'),
        version('v2beta1', { storage: false, schema: schema({ type: 'object', properties: { size: { type: 'integer' } } }) }),
      ];
      await establish(session, { versions });
      const [v1, beta] = [typeOf(unique), typeOf(unique, 'v2beta1')];
      await note(
        'definition',
        api.get(definitions, { name: `widgets.${v1.group}` }).then(({ status }) => status),
      );
      await create(v1, { apiVersion: `${v1.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 2, color: 'red' } });
      await note('read in another version', api.get(beta, { namespace, name: 'a' }));
      await create(beta, { apiVersion: `${v1.group}/v2beta1`, kind: 'Widget', metadata: { name: 'b' }, spec: { size: 3 } });
      await note('read in the first', api.get(v1, { namespace, name: 'b' }));
      const name = `widgets.${v1.group}`;
      const current = await api.get(definitions, { name });
      const spec = current['spec'] as { scope: string };
      await note('another scope', api.update(definitions, { ...current, spec: { ...spec, scope: 'Cluster' } }));
      await note(
        'a stored version away',
        api.patch(definitions, { name }, { type: 'merge', body: { spec: { versions: [version('v3')] } } }),
      );
      await api.delete(definitions, { name });
      await gone(definitions, name);
      await waitUntil(() =>
        api.list(v1).then(
          () => false,
          () => true,
        ),
      );
      const refusal = await api.list(v1, { namespace }).catch((error: unknown) => error);
      await note('the objects', Promise.resolve(refusal instanceof StatusError ? refusal.code : 'still served'));
    },
  ],
];
