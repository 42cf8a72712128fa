import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/generate/openapi/write-openapi.ts';
import { readContract } from '../../scripts/generate/read-contract.ts';
import { methods } from '../../src/contract/gen/schema.ts';
import type { HttpBinding } from '../../src/contract/schema.ts';
import { createShadowLedger } from '../../src/controllers/index.ts';
import { PROMISED_ROUTES } from './promised-api.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly anyOf?: readonly object[] } }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
  readonly security?: readonly object[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const text = readFileSync(new URL('../../src/contract/gen/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('would not pass the validator with a slip in it', async () => {
    const broken = text.replace('"in": "path"', '"in": "road"');
    expect(await new Validator().validate(JSON.parse(broken) as Record<string, unknown>)).toMatchObject({ valid: false });
  });

  it('is what the contract gives, the same at every run', () => {
    expect(writeOpenApi(readContract())).toBe(text);
  });

  it('has every route of the contract once, with the methods behind it', () => {
    const wanted = methods.flatMap((method) => method.http.map((binding) => shapeOf(binding)));
    const shared = operations.filter(({ path }) => !path.startsWith('/api/fairway/'));
    expect(new Set(shared.map(({ verb, path }) => shapeOf({ verb, path })))).toEqual(new Set(wanted));
    expect(shared).toHaveLength(106);
    for (const method of methods) {
      const shape = shapeOf(method.http[0] ?? { verb: '', path: '' });
      const operation = operations.find(({ verb, path }) => shapeOf({ verb, path }) === shape)?.operation;
      expect(operation?.description).toContain(method.path);
    }
  });

  it('has the report of shadow mode, with the fields that it has', () => {
    expect(operations.map(({ verb, path }) => `${verb} ${path}`)).toContain('GET /api/fairway/v1/shadow');
    const { properties } = document.components.schemas['ShadowReport'] as { readonly properties: object };
    expect(Object.keys(properties).sort()).toEqual(Object.keys(createShadowLedger().report()).sort());
  });

  it('has no two paths that OpenAPI takes as one', () => {
    const shapes = Object.keys(document.paths).map((path) => shapeOf({ verb: '', path }));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('has a parameter for each place in a path and no other path parameters', () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map((parameter) => parameter.name),
        path,
      ).toEqual([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]));
      expect(
        inPath.every((parameter) => parameter.required === true),
        path,
      ).toBe(true);
    }
  });

  it('repeats no parameter and no operation id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const names = (operation.parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size, path).toBe(names.length);
    }
  });

  it('refers only to what it has', () => {
    const schemas = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(schemas.length).toBeGreaterThan(100);
    expect(schemas.filter((name) => !Object.hasOwn(document.components.schemas, name))).toEqual([]);
    const used = new Set(schemas);
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('says what every operation and tag is for', () => {
    expect(operations.filter(({ operation }) => operation.summary === '').map(({ path }) => path)).toEqual([]);
    const tags = new Set(document.tags.map((tag) => tag.name));
    // One for each service, and one for what is ours alone.
    expect(tags.size).toBe(14);
    expect(document.tags.every((tag) => tag.description !== '')).toBe(true);
    expect(operations.every(({ operation }) => operation.tags.every((tag) => tags.has(tag)))).toBe(true);
  });

  it('shows nested and repeated query parameters', () => {
    const update = find('PUT', '/api/v1/clusters/{id.value}');
    expect(names(update)).toEqual(['id.value', 'updatedFields', 'id.type']);
    const list = find('GET', '/api/v1/applications');
    expect(list.parameters?.find((parameter) => parameter.name === 'projects')?.schema).toEqual({
      type: 'array',
      items: { type: 'string' },
    });
    expect(names(list)).toContain('fields');
  });

  it('takes a resource itself or an object around it', () => {
    const forms = find('POST', '/api/v1/applications').requestBody?.content['application/json']?.schema.anyOf;
    expect(forms?.[0]).toMatchObject({ $ref: '#/components/schemas/Application' });
    expect(forms?.[1]).toMatchObject({ required: ['application'], properties: { upsert: {}, validate: {} } });
    expect(names(find('POST', '/api/v1/applications'))).toEqual(['upsert', 'validate']);
  });

  it('shows a stream as lines and as events', () => {
    for (const path of [
      '/api/v1/stream/applications',
      '/api/v1/applications/{name}/logs',
      '/api/v1/applications/{name}/pods/{podName}/logs',
    ])
      expect(Object.keys(find('GET', path).responses['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream']);
  });

  it('lets only signing in, the version and the settings be asked for without a sign-in', () => {
    const open = operations.filter(({ operation }) => operation.security !== undefined).map(({ operation }) => operation.operationId);
    expect(open).toEqual(['Session_Create', 'Session_Delete', 'Session_GetUserInfo', 'Settings_Get', 'Version_Version']);
  });

  it('has every promised route', () => {
    const shapes = new Set(operations.map((each) => shapeOf(each)));
    const missing = PROMISED_ROUTES.map(([route]) => route.replaceAll(/\{[^}]*\}/g, '{}')).filter((shape) => !shapes.has(shape));
    expect(missing).toEqual([]);
  });
});

function shapeOf({ verb, path }: Pick<HttpBinding, 'path'> & { verb: string }): string {
  return `${verb} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

function find(verb: string, path: string): Operation {
  const operation = document.paths[path]?.[verb.toLowerCase()];
  if (!operation) throw new Error(`no ${verb} ${path}`);
  return operation;
}

function names(operation: Operation): string[] {
  return (operation.parameters ?? []).map((parameter) => parameter.name);
}
