import { describe, expect, it } from 'vitest';
import { describeFieldError } from './field-error.ts';
import type { ObjectMeta } from './kube-object.ts';
import { validateDns1035Label, validateDns1123Label, validateDns1123Subdomain, validatePathSegment } from './names.ts';
import { validateMetadata, validateMetadataUpdate } from './validate-metadata.ts';

const validate = (metadata: ObjectMeta, namespaced = true) =>
  validateMetadata(metadata, { namespaced, validateName: validateDns1123Subdomain }).map(describeFieldError);
const good = { name: 'a', namespace: 'b' };

describe('metadata', () => {
  it('that is in order is accepted', () => {
    const metadata = {
      ...good,
      generateName: 'a-',
      labels: { 'example.com/a': '', b: 'x_1' },
      annotations: { 'Example.com/A': 'anything goes' },
      finalizers: ['example.com/x'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }],
    };
    expect(validate(metadata)).toEqual([]);
  });

  it.each<[ObjectMeta, string]>([
    [{ namespace: 'b' }, 'metadata.name: Required value: name or generateName is required'],
    [
      { ...good, name: 'A' },
      "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [{ name: 'a' }, 'metadata.namespace: Required value'],
    [{ name: 'a', namespace: 'a.b' }, 'metadata.namespace: Invalid value: "a.b": must not contain dots'],
    [{ ...good, labels: { a: 'x'.repeat(64) } }, `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    [{ ...good, annotations: { a: 'x'.repeat(256 * 1024) } }, 'metadata.annotations: Too long: may not be more than 262144 bytes'],
    [
      { ...good, finalizers: ['orphan', 'foregroundDeletion'] },
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      { ...good, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] },
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ])('%j is refused: %s', (metadata, message) => {
    expect(validate(metadata)).toEqual([message]);
  });

  it('of a kind without namespaces has none', () => {
    expect(validate(good, false)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });

  it('survives references that lack their fields', () => {
    const metadata = JSON.parse('{"name":"a","namespace":"b","ownerReferences":[{}]}') as ObjectMeta;
    expect(validate(metadata)).toHaveLength(4);
  });
});

describe('metadata of an update', () => {
  const old = { ...good, uid: 'u', resourceVersion: '1', generation: 2 };
  const update = (metadata: ObjectMeta, before: ObjectMeta = old) => validateMetadataUpdate(metadata, before).map(describeFieldError);

  it('may not change what an object is', () => {
    expect(update(old)).toEqual([]);
    expect(update({ ...old, name: 'c', uid: 'v', generation: 1 })).toEqual([
      'metadata.generation: Invalid value: 1: must not be decremented',
      'metadata.name: Invalid value: "c": field is immutable',
      'metadata.uid: Invalid value: "v": field is immutable',
    ]);
  });

  it('must say which version it changes', () => {
    const { resourceVersion: _, ...without } = old;
    expect(update(without)).toEqual(['metadata.resourceVersion: Invalid value: "": must be specified for an update']);
  });

  it('may not add finalizers to an object that is going', () => {
    const going = { ...old, deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['a'] };
    expect(update({ ...going, finalizers: ['a', 'c', 'b'] }, going)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b", "c"}',
    ]);
    expect(update({ ...going, finalizers: [] }, going)).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    [validateDns1123Label, 'a-1', true],
    [validateDns1123Label, '-a', false],
    [validateDns1035Label, '1a', false],
    [validateDns1123Subdomain, 'x'.repeat(254), false],
    [validatePathSegment, 'system:node', true],
    [validatePathSegment, '..', false],
    [validatePathSegment, 'a/b', false],
  ])('%o of %j: %s', (rule, name, expected) => {
    expect(rule(name).length === 0).toBe(expected);
  });

  it('with many parts are checked in a moment', () => {
    expect(validateDns1123Subdomain(`${'a.'.repeat(50_000)}!`)).toHaveLength(2);
    expect(validateDns1123Label(`${'-'.repeat(100_000)}`)).toHaveLength(2);
  });
});
