import { describe, expect, it, vi } from 'vitest';
import { readOpenApiDocument } from '../../contract/index.ts';

/** What the scripts of the page export that needs no page. */
interface SchemaModule {
  readonly describeType: (schema: object) => string;
  readonly exampleOf: (schema: object, api: object) => unknown;
}
interface RequestModule {
  readonly addressOf: (path: string, values: readonly { parameter: { in: string; name: string }; texts: readonly string[] }[]) => string;
  readonly curlOf: (request: { verb: string; url: string; body: string; hasToken: boolean }) => string;
}
interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}
interface Api {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, object>> }>> };
}

const load = async <Module>(name: string): Promise<Module> => (await import(new URL(`./pages/${name}`, import.meta.url).href)) as Module;
const { describeType, exampleOf } = await load<SchemaModule>('schema.js');
const { addressOf, curlOf } = await load<RequestModule>('request.js');
const api = JSON.parse(await readOpenApiDocument()) as Api;

describe('the pages of the API browser', () => {
  it('have an example for every body, small enough to be read', () => {
    const bodies = Object.values(api.paths).flatMap((item) => Object.values(item).flatMap(({ requestBody }) => requestBody ?? []));
    expect(bodies.length).toBeGreaterThan(20);
    for (const { content } of bodies) expect(JSON.stringify(exampleOf(content['application/json'].schema, api)).length).toBeLessThan(4000);
  });

  it('start an application from what one must give', () => {
    expect(exampleOf({ $ref: '#/components/schemas/Application' }, api)).toMatchObject({
      metadata: {},
      spec: { destination: {}, project: '' },
    });
  });

  it('propose no list or object that would mean something', () => {
    const schema = api.paths['/api/v1/applications/{name}/sync']?.['post']?.requestBody?.content['application/json'].schema ?? {};
    expect(exampleOf(schema, api)).toEqual({ revision: '', dryRun: false, prune: false, appNamespace: '', project: '' });
  });

  it('name the type of every field', () => {
    for (const [name, { properties = {} }] of Object.entries(api.components.schemas))
      for (const [field, schema] of Object.entries(properties)) expect(describeType(schema), `${name}.${field}`).toMatch(/^[A-Z]?[a-z]/i);
    expect(describeType({ type: 'array', items: { $ref: '#/components/schemas/Account' } })).toBe('list of Account');
    expect(describeType({ type: ['string', 'null'], format: 'date-time' })).toBe('string or null (date-time)');
    expect(describeType({})).toBe('any JSON');
  });

  it('build addresses below the place where the page is', () => {
    vi.stubGlobal('document', { baseURI: 'http://host/root/docs#/x' });
    const values = [
      { parameter: { in: 'path', name: 'repo' }, texts: ['https://a/b c'] },
      { parameter: { in: 'query', name: 'projects' }, texts: ['a&b', 'c'] },
      { parameter: { in: 'query', name: 'id' }, texts: [] },
    ];
    expect(addressOf('/api/v1/repositories/{repo}/refs', values)).toBe(
      'http://host/root/api/v1/repositories/https%3A%2F%2Fa%2Fb%20c/refs?projects=a%26b&projects=c',
    );
    vi.unstubAllGlobals();
  });

  it('show a command that a shell takes as it is meant, without the token', () => {
    expect(curlOf({ verb: 'POST', url: 'http://host/x', body: `{"a":"it's"}`, hasToken: true })).toBe(
      `curl -X POST 'http://host/x' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data-raw '{"a":"it'\\''s"}'`,
    );
  });
});
