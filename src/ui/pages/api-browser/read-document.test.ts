import { describe, expect, it } from 'vitest';
import { buildAddress, missingNames } from './build-address.ts';
import { readDocument, searchServices, typeOf, type Operation } from './read-document.ts';

const operation = (id: string, parts: object = {}, answer = 'Done.') => ({
  tags: ['ApplicationSet'],
  summary: `Does ${id}.`,
  description: `gRPC: \`/applicationset.ApplicationSetService/${id}\``,
  operationId: `ApplicationSet_${id}`,
  responses: {
    200: { description: answer, content: { 'application/json': { schema: { $ref: '#/components/schemas/ApplicationSetList' } } } },
  },
  ...parts,
});
const names = { name: 'projects', in: 'query', schema: { type: 'array', items: { type: 'string' } } };
const text = (name: string, place = 'query') => ({ name, in: place, schema: { type: 'string' } });
const document = readDocument({
  tags: [{ name: 'ApplicationSet', description: 'Sets.' }],
  paths: {
    '/api/v1/applicationsets': { get: operation('List', { parameters: [names, text('selector')] }) },
    '/api/v1/applicationsets/generate': { post: operation('Generate') },
    '/api/v1/applicationsets/{name}': { get: operation('Get', { parameters: [text('name', 'path'), text('appsetNamespace')] }) },
    '/api/v1/stream/applicationsets': { get: operation('Watch', {}, 'A stream: one JSON object on each line.') },
  },
});

function find(id: string): Operation {
  return document.services.flatMap(({ operations }) => operations).find((operation) => operation.id === id)!;
}

describe('the description of the API', () => {
  it('is read as services, methods, parameters and answers', () => {
    expect(document.services.map(({ name }) => name)).toContain('ApplicationSet');
    const list = find('ApplicationSet_List');
    expect(list).toMatchObject({
      verb: 'GET',
      path: '/api/v1/applicationsets',
      method: '/applicationset.ApplicationSetService/List',
      isStream: false,
    });
    expect(list.parameters.map(({ name }) => name)).toContain('selector');
    expect(typeOf(list.answer)).toBe('ApplicationSetList');
    expect(find('ApplicationSet_Watch').isStream).toBe(true);
  });

  it('of something else is empty', () => {
    for (const value of [undefined, [], 'x', { paths: [], tags: 5 }])
      expect(readDocument(value)).toEqual({ services: [], schemas: new Map() });
  });

  it('is searched by all words, wherever they are', () => {
    const found = searchServices(document.services, 'post  applicationsets generate');
    expect(found.flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual(['ApplicationSet_Generate']);
    expect(searchServices(document.services, 'nothing like this')).toEqual([]);
  });

  it('becomes addresses', () => {
    const get = find('ApplicationSet_Get');
    expect(missingNames(get, { name: ' ' })).toEqual(['name']);
    expect(buildAddress(get, { name: 'a/b c', appsetNamespace: 'x&y' })).toBe('/api/v1/applicationsets/a%2Fb%20c?appsetNamespace=x%26y');
    expect(buildAddress(find('ApplicationSet_List'), { projects: 'a\nb\n', selector: '' })).toBe(
      '/api/v1/applicationsets?projects=a&projects=b',
    );
    expect(buildAddress(get, {})).toBe('/api/v1/applicationsets/');
  });
});
