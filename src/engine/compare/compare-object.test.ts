import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject, Schema } from '../../objects/index.ts';
import { compareObject } from './compare-object.ts';
import { defaultCompareRules } from './compare-rules.ts';
import type { CompareRules } from './compare-rules.ts';

const RECORD = 'kubectl.kubernetes.io/last-applied-configuration';
const rules = (changes: Partial<CompareRules> = {}): CompareRules => ({ ...defaultCompareRules, ...changes });

function make(apiVersion: string, kind: string, parts: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'one', namespace: 'ns', ...metadata }, ...parts } as KubeObject;
}

/** As it is stored: with what a server adds, and with a record of what was applied. */
function stored(desired: KubeObject, changes: JsonObject = {}, record: KubeObject | null = desired): KubeObject {
  const annotations = { ...desired.metadata.annotations, ...(record && { [RECORD]: `${JSON.stringify(record)}\n` }) };
  const server = { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 };
  return {
    ...desired,
    ...changes,
    metadata: { ...desired.metadata, ...server, ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
}

const isModified = (desired: KubeObject | undefined, live: KubeObject | undefined, own: CompareRules = rules(), schema?: Schema): boolean =>
  compareObject({ desired, live, rules: own, ...(schema && { schema }) }).modified;

const container = (parts: JsonObject = {}): JsonObject => ({ name: 'c', image: 'nginx:1', ...parts });
const podSpec = (parts: JsonObject = {}, own: JsonObject = {}): JsonObject => ({ containers: [container(own)], ...parts });
const deployment = (spec: JsonObject = {}, template: JsonObject = podSpec()): KubeObject =>
  make('apps/v1', 'Deployment', {
    spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: template }, ...spec },
  });

/** What an API server makes of the deployment's spec. */
const defaulted = (spec: JsonObject = {}, template: JsonObject = {}, own: JsonObject = {}): JsonObject => ({
  spec: {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' }, creationTimestamp: null },
      spec: {
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
        containers: [
          container({
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
            ...own,
          }),
        ],
        ...template,
      },
    },
    ...spec,
  },
});

describe('An object with what a server added', () => {
  it.each<[string, KubeObject, KubeObject]>([
    ['has its defaults', deployment(), stored(deployment(), defaulted())],
    ['has its defaults and no record', deployment(), stored(deployment(), defaulted(), null)],
    ['has a status', deployment(), stored(deployment(), { ...defaulted(), status: { replicas: 1 } })],
    [
      'spells amounts in its own way',
      deployment({}, podSpec({}, { resources: { limits: { cpu: 0.5, memory: '1024Mi' } } })),
      stored(deployment(), defaulted({}, {}, { resources: { limits: { cpu: '500m', memory: '1Gi' } } })),
    ],
    [
      'left out what means nothing',
      deployment({}, podSpec({ hostNetwork: false, nodeSelector: {}, tolerations: [] })),
      stored(deployment(), defaulted()),
    ],
    ['left out a null', deployment({ minReadySeconds: null }), stored(deployment(), defaulted())],
    [
      'set defaults inside a list that is one value',
      networkPolicy({ ports: [{ port: 80 }] }),
      stored(networkPolicy({ ports: [{ port: 80, protocol: 'TCP' }] }), {}, networkPolicy({ ports: [{ port: 80 }] })),
    ],
    [
      'was given a label by somebody else',
      deployment(),
      { ...stored(deployment(), defaulted()), metadata: { ...stored(deployment()).metadata, labels: { team: 'a' } } },
    ],
  ])('is in sync where it %s', (_what, desired, live) => expect(isModified(desired, live)).toBe(false));
});

function networkPolicy(rule: JsonObject): KubeObject {
  return make('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [rule] } });
}

describe('A change', () => {
  it.each<[string, KubeObject, KubeObject]>([
    ['of a field that is wanted', deployment({ replicas: 2 }), stored(deployment({ replicas: 2 }), defaulted({ replicas: 3 }))],
    [
      'of a field from its zero',
      deployment({}, podSpec({ hostNetwork: false })),
      stored(deployment({}, podSpec({ hostNetwork: false })), defaulted({}, { hostNetwork: true })),
    ],
    ['in a container', deployment(), stored(deployment(), defaulted({}, {}, { image: 'nginx:2' }))],
    [
      'of a field whose absence means something',
      deployment({}, podSpec({ automountServiceAccountToken: false })),
      stored(deployment(), defaulted(), null),
    ],
    [
      'to the default, of what was applied before and is no longer wanted',
      deployment(),
      stored(deployment({ replicas: 2 }), defaulted({ replicas: 2 }), deployment({ replicas: 2 })),
    ],
    [
      'that is gone from the source',
      make('v1', 'ConfigMap', { data: { a: '1' } }),
      stored(make('v1', 'ConfigMap', { data: { a: '1', b: '2' } }), {}, make('v1', 'ConfigMap', { data: { a: '1', b: '2' } })),
    ],
    [
      'of an annotation',
      { ...deployment(), metadata: { name: 'one', namespace: 'ns', annotations: { a: 'new' } } },
      stored({ ...deployment(), metadata: { name: 'one', namespace: 'ns', annotations: { a: 'old' } } }, defaulted()),
    ],
    [
      'of the order in a list that is one value',
      deployment({}, podSpec({}, { args: ['a', 'b'] })),
      stored(deployment(), defaulted({}, {}, { args: ['b', 'a'] })),
    ],
  ])('%s is a difference', (_what, desired, live) => expect(isModified(desired, live)).toBe(true));

  it.each<[string, KubeObject, KubeObject]>([
    [
      'of a field that nobody wants',
      make('v1', 'ConfigMap', { data: { a: '1' } }),
      stored(make('v1', 'ConfigMap', { data: { a: '1', b: '2' } }), {}, make('v1', 'ConfigMap', { data: { a: '1' } })),
    ],
    ['to a value equal to the default', deployment({ replicas: 1 }), stored(deployment(), defaulted())],
    [
      'of the namespace in an old record',
      make('v1', 'ConfigMap', { data: { a: '1' } }),
      stored(
        make('v1', 'ConfigMap', { data: { a: '1' } }),
        {},
        { ...make('v1', 'ConfigMap', { data: { a: '1' } }), metadata: { name: 'one' } },
      ),
    ],
    [
      'of a record that is no JSON',
      deployment(),
      { ...stored(deployment(), defaulted()), metadata: { ...stored(deployment()).metadata, annotations: { [RECORD]: '{' } } },
    ],
  ])('%s is none', (_what, desired, live) => expect(isModified(desired, live)).toBe(false));
});

describe('Kinds with rules of their own', () => {
  const secret = (parts: JsonObject): KubeObject => make('v1', 'Secret', { type: 'Opaque', ...parts });
  const role = (parts: JsonObject): KubeObject => make('rbac.authorization.k8s.io/v1', 'ClusterRole', parts, {});

  it.each<[string, KubeObject, KubeObject, Partial<CompareRules>, boolean]>([
    ['a Secret in plain text', secret({ stringData: { a: 'A' } }), stored(secret({ data: { a: 'QQ==' } }), {}, null), {}, false],
    ['a Secret in other plain text', secret({ stringData: { a: 'B' } }), stored(secret({ data: { a: 'QQ==' } }), {}, null), {}, true],
    ['a role without rules', role({ rules: [] }), stored(role({ rules: null }), {}, null), {}, false],
    [
      'an aggregated role',
      role({ aggregationRule: {}, rules: [] }),
      stored(role({ aggregationRule: {}, rules: [{ verbs: ['get'] }] }), {}, null),
      { ignoreAggregatedRoles: true },
      false,
    ],
    ['a role whose rules were taken away', role({ rules: [{ verbs: ['get'] }] }), stored(role({ rules: null }), {}, null), {}, true],
    [
      'Endpoints in another order',
      make('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '2' }, { ip: '1' }], ports: [{ port: 1 }] }] }),
      stored(
        make('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '1' }, { ip: '2' }], ports: [{ port: 1, protocol: 'TCP' }] }] }),
        {},
        undefined,
      ),
      {},
      false,
    ],
    [
      'a status that is wanted',
      make('v1', 'Pod', { spec: podSpec(), status: { phase: 'x' } }),
      stored(make('v1', 'Pod', { spec: podSpec(), status: { phase: 'y' } }), {}, null),
      {},
      false,
    ],
    [
      'a status that counts',
      make('v1', 'Pod', { spec: podSpec(), status: { phase: 'x' } }),
      stored(make('v1', 'Pod', { spec: podSpec(), status: { phase: 'y' } }), {}, null),
      { ignoreStatus: 'none' },
      true,
    ],
  ])('%s', (_what, desired, live, own, modified) => expect(isModified(desired, live, rules(own))).toBe(modified));
});

describe('Custom kinds', () => {
  const widget = (spec: JsonObject): KubeObject => make('example.com/v1', 'Widget', { spec });
  const schema: Schema = {
    type: 'object',
    properties: new Map([
      [
        'spec',
        {
          type: 'object',
          properties: new Map<string, Schema>([
            ['size', { type: 'integer', default: 3 }],
            [
              'parts',
              {
                type: 'array',
                items: { type: 'object', properties: new Map<string, Schema>([['colour', { type: 'string', default: 'red' }]]) },
              },
            ],
          ]),
        },
      ],
    ]),
  };

  it('are compared field by field, and lists as one value', () => {
    expect(isModified(widget({ a: 1 }), stored(widget({ a: 1, b: 2 }), {}, null))).toBe(false);
    expect(isModified(widget({ a: 1 }), stored(widget({ a: 1, b: 2 }), {}, widget({ a: 1, b: 2 })))).toBe(true);
    expect(isModified(widget({ list: [1, 2] }), stored(widget({ list: [2, 1] }), {}, null))).toBe(true);
  });

  it('know the defaults of their schema, also in lists', () => {
    expect(
      isModified(widget({ parts: [{ n: 1 }] }), stored(widget({ size: 3, parts: [{ n: 1, colour: 'red' }] }), {}, null), rules(), schema),
    ).toBe(false);
    expect(
      isModified(widget({ parts: [{ n: 1 }] }), stored(widget({ size: 3, parts: [{ n: 1, colour: 'blue' }] }), {}, null), rules(), schema),
    ).toBe(true);
  });
});

describe('Known types in custom kinds', () => {
  const rollout = (requests: JsonObject, hostNetwork?: boolean): KubeObject =>
    make('argoproj.io/v1alpha1', 'Rollout', {
      spec: {
        template: { spec: { ...(hostNetwork !== undefined && { hostNetwork }), containers: [{ name: 'c', resources: { requests } }] } },
      },
    });
  const widget = (spec: JsonObject): KubeObject => make('example.com/v1', 'Widget', { spec });
  const knownTypes = [
    { group: 'example.com', kind: 'Widget', field: 'spec.parts.size', type: 'core/Quantity' },
    { group: 'example.com', kind: 'Widget', field: 'spec.every', type: 'meta/v1/Duration' },
  ];

  it('have one spelling', () => {
    expect(isModified(rollout({ cpu: 0.5 }, false), stored(rollout({ cpu: '500m' }), {}, null))).toBe(false);
    expect(isModified(rollout({ cpu: 0.5 }), stored(rollout({ cpu: '600m' }), {}, null))).toBe(true);
  });

  it('are named by settings, also in lists', () => {
    const [desired, live] = [
      widget({ every: '90m', parts: [{ size: '1024Mi' }] }),
      stored(widget({ every: '1h30m0s', parts: [{ size: '1Gi' }] }), {}, null),
    ];
    expect(isModified(desired, live, rules({ knownTypes }))).toBe(false);
    expect(isModified(desired, live)).toBe(true);
  });
});

describe('Server-side apply', () => {
  const syncOptions = ['ServerSideApply=true'];
  const owned = (fields: JsonObject): JsonObject => ({
    managedFields: [{ manager: 'argocd-controller', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields }],
  });
  const map = (data: JsonObject, metadata: JsonObject = {}): KubeObject => make('v1', 'ConfigMap', { data }, metadata);

  it('removes what was applied before and is no longer wanted, and nothing else', () => {
    const live = map({ a: '1', b: '2' }, owned({ 'f:data': { 'f:a': {}, 'f:b': {} } }));
    expect(isModified(map({ a: '1' }), live, rules({ syncOptions }))).toBe(true);
    expect(isModified(map({ a: '1' }), map({ a: '1', b: '2' }, owned({ 'f:data': { 'f:a': {} } })), rules({ syncOptions }))).toBe(false);
    expect(isModified(map({ a: '1' }), map({ a: '1', b: '2' }), rules({ syncOptions }))).toBe(false);
  });

  it('knows defaults and amounts too', () => {
    const desired = deployment({}, podSpec({}, { resources: { limits: { cpu: 0.5 } } }));
    const live = stored(deployment(), defaulted({}, {}, { resources: { limits: { cpu: '500m' } } }), null);
    expect(isModified(desired, live, rules({ syncOptions }))).toBe(false);
  });
});

describe('Ignored differences', () => {
  const desired = deployment({ replicas: 2 });
  const live = stored(desired, defaulted({ replicas: 3 }));
  const ignore = (rule: JsonObject): CompareRules => rules({ ignore: [{ group: 'apps', kind: 'Deployment', ...rule }] });

  it.each<[string, JsonObject, boolean]>([
    ['a pointer', { jsonPointers: ['/spec/replicas'] }, false],
    ['a pointer to something else', { jsonPointers: ['/spec/paused', '/nothing/at/all'] }, true],
    ['a pattern of groups and kinds', { group: '*', kind: 'Dep*', jsonPointers: ['/spec/replicas'] }, false],
    ['another kind', { kind: 'StatefulSet', jsonPointers: ['/spec/replicas'] }, true],
    ['the object by name', { name: 'one', namespace: 'ns', jsonPointers: ['/spec/replicas'] }, false],
    ['another name', { name: 'two', jsonPointers: ['/spec/replicas'] }, true],
    ['another namespace', { namespace: 'other', jsonPointers: ['/spec/replicas'] }, true],
  ])('by %s', (_what, rule, modified) => expect(isModified(desired, live, ignore(rule))).toBe(modified));

  it('may name a key with a slash, and an element of a list', () => {
    const wanted = { ...desired, metadata: { ...desired.metadata, annotations: { 'a.b/c': '1' } } };
    const changed = {
      ...stored(wanted, defaulted({ replicas: 2 }, {}, { image: 'other' })),
      metadata: { ...stored(wanted).metadata, annotations: { 'a.b/c': '2' } },
    };
    expect(
      isModified(wanted, changed, ignore({ jsonPointers: ['/metadata/annotations/a.b~1c', '/spec/template/spec/containers/0/image'] })),
    ).toBe(false);
    expect(isModified(wanted, changed, ignore({ jsonPointers: ['/metadata/annotations/a.b~1c'] }))).toBe(true);
  });
});

describe('One side alone', () => {
  it('is modified where it is wanted, and not where it is there', () => {
    const one = make('v1', 'ConfigMap', {});
    expect(compareObject({ desired: one, live: undefined, rules: rules() })).toMatchObject({ modified: true, normalizedLive: undefined });
    expect(compareObject({ desired: undefined, live: one, rules: rules() })).toMatchObject({ modified: false, predictedLive: undefined });
  });
});

it('JQ-01, JQ-02: goes on where somebody ignores all of an object, or all of its metadata', () => {
  const ignoring = (rule: object): CompareRules => rules({ ignore: [{ group: 'apps', kind: 'Deployment', ...rule }] });
  const labelled = { ...deployment(), metadata: { ...deployment().metadata, labels: { team: 'a' } } };
  for (const rule of [{ jsonPointers: ['/metadata'] }, { jqPathExpressions: ['.metadata'] }]) {
    expect(isModified(labelled, stored(deployment(), defaulted()), ignoring(rule))).toBe(false);
    expect(isModified(deployment({ replicas: 2 }), stored(deployment(), defaulted()), ignoring(rule))).toBe(true);
  }
  for (const expression of ['.', '.a) | (1'])
    expect(isModified(deployment({ replicas: 2 }), stored(deployment(), defaulted()), ignoring({ jqPathExpressions: [expression] }))).toBe(
      true,
    );
});
