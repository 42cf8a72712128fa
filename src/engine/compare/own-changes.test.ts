import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { compareObject } from './compare-object.ts';
import { defaultCompareRules } from './compare-rules.ts';

const rules = { ...defaultCompareRules };

function deployment(spec: JsonObject, fields: JsonObject, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  const entry = { manager: 'argocd-controller', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: fields };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', resourceVersion: '1', generation: 1, managedFields: [entry], ...more },
    spec,
  };
}

const containers = (...items: readonly JsonObject[]): JsonObject => ({ template: { spec: { containers: items } } });
const owned = (fields: JsonObject): JsonObject => ({
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:name': {}, ...fields } } } } },
});

const predict = (live: KubeObject, object: KubeObject, includesMutations = false) =>
  compareObject({ desired: object, live, rules, onServer: { object, includesMutations } });

describe('A comparison with what the cluster predicts', () => {
  it('counts what we would change', () => {
    const live = deployment(containers({ name: 'main', image: 'web:1' }), owned({ 'f:image': {} }));
    const predicted = deployment(containers({ name: 'main', image: 'web:2' }), owned({ 'f:image': {} }), {
      resourceVersion: '2',
      generation: 2,
    });
    expect(predict(live, predicted).modified).toBe(true);
  });

  it('finds nothing where a write would only change who wrote, and when', () => {
    const live = deployment(containers({ name: 'main', image: 'web:1' }), {});
    const predicted = deployment(containers({ name: 'main', image: 'web:1' }), owned({ 'f:image': {} }), { generation: 2 });
    expect(predict(live, predicted).modified).toBe(false);
  });

  it('leaves out what admission adds and changes, unless that is asked for', () => {
    const live = deployment(containers({ name: 'main', image: 'web:1' }), owned({ 'f:image': {} }));
    const injected = containers({ name: 'main', image: 'web:1', tty: true }, { name: 'sidecar', image: 'proxy:1' });
    const predicted = deployment(injected, owned({ 'f:image': {} }));
    expect(predict(live, predicted).modified).toBe(false);
    expect(predict(live, predicted, true).modified).toBe(true);
  });

  it('counts a field that we no longer apply as gone, and one of others not', () => {
    const before = deployment(
      { ...containers({ name: 'main', image: 'a', tty: true, stdin: true }) },
      owned({ 'f:image': {}, 'f:tty': {} }),
    );
    const withoutOurs = deployment(containers({ name: 'main', image: 'a', stdin: true }), owned({ 'f:image': {} }));
    const withoutTheirs = deployment(containers({ name: 'main', image: 'a', tty: true }), owned({ 'f:image': {}, 'f:tty': {} }));
    expect(predict(before, withoutOurs).modified).toBe(true);
    expect(predict(before, withoutTheirs).modified).toBe(false);
  });

  it('takes away what nobody applies any more of a list with keys', () => {
    const fields = (names: readonly string[]): JsonObject => ({
      'f:spec': {
        'f:template': {
          'f:spec': { 'f:containers': Object.fromEntries(names.map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {} }])) },
        },
      },
    });
    const live = deployment(containers({ name: 'main' }, { name: 'old' }, { name: 'sidecar' }), fields(['main', 'old']));
    const result = predict(live, deployment(containers({ name: 'main' }), fields(['main'])));
    expect(result.predictedLive?.['spec']).toEqual(containers({ name: 'main' }, { name: 'sidecar' }));
  });

  it('respects what is ignored', () => {
    const live = deployment({ replicas: 1 }, { 'f:spec': { 'f:replicas': {} } });
    const predicted = deployment({ replicas: 2 }, { 'f:spec': { 'f:replicas': {} } });
    const ignore = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }];
    const onServer = { object: predicted, includesMutations: false };
    expect(compareObject({ desired: predicted, live, rules: { ...rules, ignore }, onServer }).modified).toBe(false);
    expect(compareObject({ desired: predicted, live, rules, onServer }).modified).toBe(true);
  });
});
