import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../objects/index.ts';
import { jsonText, StoredObject } from './stored-object.ts';

const owners = [{ manager: 'me', fieldsV1: { 'f:data': {} } }];
const whole: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', managedFields: owners, labels: { x: '"metadata":{' } },
  data: { text: 'one\ntwo "managedFields":[ \\" }' },
  template: { metadata: { managedFields: [] } },
};
const { managedFields: _owners, ...metadata } = whole['metadata'] as JsonObject;
const lean = { ...whole, metadata };

describe('the text of an object', () => {
  it.each([
    ['whole', whole],
    ['without owners', lean],
    ['with metadata last', { data: { a: { metadata: {} } }, metadata: { managedFields: owners } }],
    ['with a key that is the prototype everywhere else', JSON.parse('{"metadata":{"name":"a","managedFields":[]},"__proto__":{"a":1}}')],
  ] as const)('comes back as it was: %s', (_title, object: JsonObject) => {
    const state = StoredObject.of(7, object);
    expect(state.object).toEqual(object);
    expect(JSON.parse(state.fullText)).toEqual(object);
    expect(StoredObject.fromBody(7, state.body).object).toEqual(object);
    expect(JSON.parse(jsonText(state.object))).toEqual(object);
  });

  it('does without the owners of fields for those who do not look at them', () => {
    const state = StoredObject.fromBody(7, StoredObject.of(7, whole).body);
    expect(state.lean).toEqual(lean);
    expect(JSON.parse(jsonText(state.lean))).toEqual(lean);
    expect(state.lean).toBe(state.lean);
    expect(state.object).toBe(state.object);
    expect(state.size).toBe(state.body.length - 1);
  });

  it('is read as it was written before the owners were kept apart', () => {
    const state = StoredObject.fromBody(7, JSON.stringify(whole));
    expect(state.lean).toEqual(lean);
    expect(state.object).toEqual(whole);
  });
});
