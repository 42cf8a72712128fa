import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { KubeObject } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
});
afterAll(() => test.stop());

describe('create', () => {
  it('gives an object its identity, its time and its first owner of fields', async () => {
    const before = Number(test.api.resourceVersion);
    const created = await test.api.create(types.configMaps, configMap('identity', { data: { a: 'b' } }), {
      fieldManager: 'me',
      keepManagedFields: true,
    });
    expect(created.metadata).toMatchObject({
      name: 'identity',
      namespace: 'default',
      resourceVersion: String(before + 1),
      creationTimestamp: '2026-01-02T03:04:05Z',
      managedFields: [{ manager: 'me', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } }],
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(created.metadata.generation).toBeUndefined();
    const ref = { namespace: 'default', name: 'identity' };
    expect(await test.api.get(types.configMaps, ref, { keepManagedFields: true })).toEqual(created);
  });

  it('leaves the owners of fields out of answers unless they are asked for', async () => {
    const ref = { namespace: 'default', name: 'owned' };
    const start = test.api.resourceVersion;
    const created = await test.api.create(types.configMaps, configMap('owned'), { fieldManager: 'me' });
    const patch = { type: 'merge', body: { data: { more: 'yes' } } } as const;
    const lean = [
      created,
      await test.api.get(types.configMaps, ref),
      ...(await test.api.list(types.configMaps, { fieldSelector: 'metadata.name=owned' })).items,
      await test.api.update(types.configMaps, { ...created, data: { other: 'value' } }),
      await test.api.patch(types.configMaps, ref, patch),
    ];
    for (const { metadata } of lean) expect(metadata).not.toHaveProperty('managedFields');
    const watched = async (keepManagedFields: boolean): Promise<readonly boolean[]> => {
      const owned: boolean[] = [];
      const options = { resourceVersion: start, timeoutSeconds: 0, keepManagedFields };
      for await (const { object } of test.api.watch(types.configMaps, options)) owned.push('managedFields' in object.metadata);
      return owned;
    };
    expect(await watched(false)).toEqual([false, false, false]);
    expect(await watched(true)).toEqual([true, true, true]);
    // What was written from an answer without owners has kept them.
    const whole = await test.api.get(types.configMaps, ref, { keepManagedFields: true });
    expect(whole.metadata.managedFields?.map(({ manager }) => manager).sort()).toEqual(['fairway', 'me']);
    const [listed] = (await test.api.list(types.configMaps, { fieldSelector: 'metadata.name=owned', keepManagedFields: true })).items;
    expect(listed).toBe(whole);
    expect(JSON.parse(test.api.jsonText(whole))).toEqual(whole);
  });

  it('makes a name from a prefix', async () => {
    const input: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-', namespace: 'default' } };
    const created = await test.api.create(types.configMaps, input);
    expect(created.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('ignores what only the server decides', async () => {
    const metadata = { uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z', deletionTimestamp: '2000-01-01T00:00:00Z', generation: 7 };
    const { metadata: stored } = await test.api.create(types.configMaps, configMap('decides', { metadata }));
    expect(stored.uid).not.toBe('mine');
    expect(stored).toMatchObject({ creationTimestamp: '2026-01-02T03:04:05Z' });
    expect(stored).not.toHaveProperty('deletionTimestamp');
    expect(stored).not.toHaveProperty('generation');
  });

  it('leaves nothing behind on a dry run', async () => {
    const version = test.api.resourceVersion;
    const answer = await test.api.create(types.configMaps, configMap('dry'), { dryRun: true });
    expect(answer.metadata).toMatchObject({ name: 'dry' });
    expect(answer.metadata).not.toHaveProperty('resourceVersion');
    expect(test.api.resourceVersion).toBe(version);
    await expect(test.api.get(types.configMaps, { namespace: 'default', name: 'dry' })).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('does not share what it stores with its caller', async () => {
    const data = { a: 'b' };
    await test.api.create(types.configMaps, configMap('own', { data }));
    data.a = 'changed';
    const stored = await test.api.get(types.configMaps, { namespace: 'default', name: 'own' });
    expect(stored['data']).toEqual({ a: 'b' });
  });

  it('keeps a key called __proto__ as a key', async () => {
    const data = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    await test.api.create(types.configMaps, configMap('proto', { data }));
    const stored = await test.api.get(types.configMaps, { namespace: 'default', name: 'proto' });
    expect(test.api.jsonText(stored)).toContain('"data":{"__proto__":"x","constructor":"y"}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('spells amounts in the canonical way', async () => {
    const resources = { requests: { cpu: 0.5, memory: '1024Mi' }, limits: { cpu: '1000m' } };
    const spec = { containers: [{ name: 'c', image: 'i', resources }] };
    const pod = await test.api.create(types.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'amounts', namespace: 'default' },
      spec,
    });
    expect(pod).toMatchObject({
      spec: { containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1' } } }] },
    });
  });

  it('warns of fields that the kind does not have, and refuses them when it is to be strict', async () => {
    const input = { ...configMap('unknown'), extra: { a: 1 } } as unknown as KubeObject;
    const warnings: string[] = [];
    await expect(test.api.create(types.configMaps, input, { fieldValidation: 'Strict' })).rejects.toMatchObject({
      code: 400,
      message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "extra"',
    });
    const created = await test.api.create(types.configMaps, input, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual(['unknown field "extra"']);
    expect(created).not.toHaveProperty('extra');
  });
});

describe('create refuses', () => {
  const cases: readonly [string, KubeObject, number, string, string][] = [
    [
      'a namespace that does not exist',
      configMap('a', { metadata: { namespace: 'nope' } }),
      404,
      'NotFound',
      'namespaces "nope" not found',
    ],
    [
      'no name',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default' } },
      422,
      'Invalid',
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'a version',
      configMap('a', { metadata: { resourceVersion: '1' } }),
      500,
      '',
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'a value of another type',
      configMap('a', { data: { key: 1 } as unknown as Record<string, string> }),
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'another version',
      { ...configMap('a'), apiVersion: 'v2' },
      400,
      'BadRequest',
      'the API version in the data (v2) does not match the expected API version (v1)',
    ],
  ];
  it.each(cases)('%s', async (_title, input, code, reason, message) => {
    await expect(test.api.create(types.configMaps, input)).rejects.toMatchObject({ code, reason, message });
  });

  it('a name that is taken', async () => {
    await test.api.create(types.configMaps, configMap('taken'));
    await expect(test.api.create(types.configMaps, configMap('taken'))).rejects.toMatchObject({
      message: 'configmaps "taken" already exists',
      status: { reason: 'AlreadyExists', code: 409, details: { name: 'taken', kind: 'configmaps' } },
    });
  });

  it('a name whose owner is still on its way out', async () => {
    await test.api.create(types.configMaps, configMap('leaving', { metadata: { finalizers: ['a.b/c'] } }));
    await test.api.delete(types.configMaps, { namespace: 'default', name: 'leaving' });
    await expect(test.api.create(types.configMaps, configMap('leaving'))).rejects.toMatchObject({
      message: 'object is being deleted: configmaps "leaving" already exists',
    });
  });

  it('a kind that is not served', async () => {
    const type = { ...types.configMaps, plural: 'foos' };
    await expect(test.api.create(type, configMap('a'))).rejects.toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    });
  });
});
