import { expect, it } from 'vitest';
import { builtinSchema } from '../schema/index.ts';
import { emptyObjectOf } from './empty-object.ts';
import { trackUpdate } from './track-update.ts';

const schema = builtinSchema('apps/v1', 'Deployment') ?? {};

it('has the objects that are there before anything is set', () => {
  expect(emptyObjectOf(schema)).toMatchObject({
    metadata: {},
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  });
});

it('gives the creator the fields in them, and not themselves', () => {
  const after = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { replicas: 1, template: { spec: { containers: [{ name: 'a' }] } } },
  };
  const [entry] = trackUpdate({
    before: undefined,
    after,
    manager: 'cli',
    nowMs: 0,
    schema,
    isBuiltin: true,
    emptyObject: emptyObjectOf(schema),
  });
  expect(entry?.fieldsV1).toEqual({
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:replicas': {},
      'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } } },
    },
  });
});
