import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json-value.ts';
import { messageCodec } from './message-codec.ts';

const application = messageCodec('argoproj.v1alpha1.Application');
const repository = messageCodec('argoproj.v1alpha1.Repository');
const metadata = messageCodec('k8s.meta.v1.ObjectMeta');
const query = messageCodec('application.ApplicationManifestQuery');
const tls = messageCodec('argoproj.v1alpha1.TLSClientConfig');
const create = messageCodec('application.ApplicationCreateRequest');
const selector = messageCodec('argoproj.v1alpha1.KustomizeSelector');

describe('reading JSON from a client', () => {
  it.each<[string, unknown, JsonObject]>([
    ['ignores unknown fields', { kind: 'Repository', repo: 'a', other: { deep: [1] } }, { repo: 'a' }],
    ['takes null as unset', { repo: null, username: 'u' }, { username: 'u' }],
    ['takes an alias for the field', { scmAppID: 5 }, { githubAppID: 5 }],
    ['takes names in any case', { REPO: 'a', UserName: 'b' }, { repo: 'a', username: 'b' }],
    ['takes aliases in any case', { SCMAPPID: 5 }, { githubAppID: 5 }],
    ['prefers the exact name', { scmAppID: 5, GITHUBAPPID: 6, githubAppID: 7 }, { githubAppID: 7 }],
    ['prefers an alias to another case', { githubappid: 6, scmAppID: 5 }, { githubAppID: 5 }],
    ['takes an alias where the exact name is null', { githubAppID: null, scmAppID: 5 }, { githubAppID: 5 }],
    ['reads a 64-bit number from a string', { githubAppID: '9007199254740991' }, { githubAppID: 9_007_199_254_740_991 }],
    ['drops zeros that say nothing', { repo: '', insecure: false, githubAppID: 0 }, {}],
  ])('%s', (_, value, expected) => {
    expect(repository.fromJson(value)).toEqual(expected);
  });

  it('gives canonical names, and zeros for null within lists and maps', () => {
    const value = { Labels: { a: null, b: 'x' }, finalizers: [null, 'y'], ownerReferences: [null] };
    expect(metadata.fromJson(value)).toEqual({ labels: { a: '', b: 'x' }, finalizers: ['', 'y'], ownerReferences: [{}] });
  });

  it('keeps what is explicit', () => {
    expect(create.fromJson({ upsert: false, application: {} })).toEqual({ upsert: false, application: {} });
  });

  it('reads inlined fields, also in another case', () => {
    expect(selector.fromJson({ Group: 'g', name: 'n', KustomizeGvk: { kind: 'k' } })).toEqual({ group: 'g', name: 'n' });
  });

  it('brings base64 to its standard form', () => {
    expect(tls.fromJson({ caData: '-_8' })).toEqual({ caData: '+/8=' });
  });

  it.each<[unknown, string]>([
    [{ spec: { destination: { server: 5 } } }, 'spec.destination.server: expected a string, got number'],
    [{ spec: { sources: [{}, { path: [] }] } }, 'spec.sources[1].path: expected a string, got array'],
    [{ metadata: { annotations: { 'a.b/c': { x: 1 } } } }, 'metadata.annotations["a.b/c"]: expected a string, got object'],
    [{ metadata: { labels: ['a'] } }, 'metadata.labels: expected an object, got array'],
    [{ metadata: { generation: 1.5 } }, 'metadata.generation: expected a whole number'],
    [{ metadata: { generation: true } }, 'metadata.generation: expected a number, got boolean'],
    [{ metadata: { generation: '1e3' } }, 'metadata.generation: expected a number, got string'],
    [{ metadata: { generation: 9_007_199_254_740_992 } }, 'metadata.generation: the number is beyond ±(2^53 - 1)'],
    [{ metadata: { generation: Infinity } }, 'metadata.generation: expected a whole number'],
    [{ metadata: { finalizers: 'x' } }, 'metadata.finalizers: expected an array, got string'],
    [
      { metadata: { creationTimestamp: 'now' } },
      'metadata.creationTimestamp: expected an RFC 3339 time such as 2024-01-02T03:04:05Z, got another string',
    ],
    [{ spec: { syncPolicy: { automated: { prune: 'true' } } } }, 'spec.syncPolicy.automated.prune: expected a boolean, got string'],
    [{ spec: 'x' }, 'spec: expected an object, got string'],
    [{ SPEC: { Destination: { Server: 5 } } }, 'SPEC.Destination.Server: expected a string, got number'],
    [[], 'expected an object, got array'],
    [null, 'expected an object, got null'],
    ['text', 'expected an object, got string'],
  ])('refuses %j', (value, message) => {
    expect(() => application.fromJson(value)).toThrow(expect.objectContaining({ name: 'ApiError', code: 3, message }));
  });

  it.each([{ sourcePositions: ['1', 2] }, { sourcePositions: [null, 3] }])('reads lists of numbers: %j', (value) => {
    expect(query.fromJson(value)['sourcePositions']).toEqual(value.sourcePositions.map(Number));
  });

  it.each(['%%%', 'a=b', 'AA==='])('refuses %j as base64', (caData) => {
    expect(() => tls.fromJson({ caData })).toThrow('caData: expected a base64 string, got another string');
  });

  it('does not repeat the value in the refusal, because it may be a secret', () => {
    expect(() => repository.fromJson({ password: { secret: 'hunter2' } })).toThrow('password: expected a string, got object');
    expect(() => tls.fromJson({ keyData: 'hunter2!' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') as string }),
    );
  });
});
