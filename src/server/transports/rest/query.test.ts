import { describe, expect, it } from 'vitest';
import { messageCodec, type JsonObject } from '../../../contract/index.ts';
import { bindQuery, parseQuery } from './query.ts';

function bind(message: string, query: string, isTaken: (name: string) => boolean = () => false): JsonObject {
  const request: JsonObject = {};
  bindQuery(messageCodec(message).schema, request, parseQuery(query, 100), isTaken);
  return request;
}

describe('bindQuery', () => {
  it.each([
    ['cluster.ClusterQuery', 'id.type=name&id.value=x&server=s', { id: { type: 'name', value: 'x' }, server: 's' }],
    ['repository.RepoAccessQuery', 'scmAppID=5&SCMAPPPRIVATEKEY=k', { githubAppID: 5, githubAppPrivateKey: 'k' }],
    ['application.ApplicationPodLogsQuery', 'sinceTime=2024-01-02T03%3A04%3A05Z', { sinceTime: '2024-01-02T03:04:05Z' }],
    ['application.ApplicationQuery', '', {}],
    ['application.ApplicationQuery', '&&=&a', {}],
    ['application.ApplicationQuery', 'name', { name: '' }],
    ['application.ApplicationQuery', 'name.x=1&projects.x=1', {}],
  ])('%s takes %s', (message, query, expected) => {
    expect(bind(message, query)).toEqual(expected);
  });

  it('leaves out what is taken', () => {
    expect(bind('application.ApplicationQuery', 'name=a&repo=r', (name) => name === 'name')).toEqual({ repo: 'r' });
  });

  it.each([
    ['cluster.ClusterQuery', 'id=x'],
    ['application.ApplicationServerSideDiffQuery', 'liveResources=x'],
    ['application.ApplicationQuery', 'name[x]=1'],
  ])('%s refuses %s', (message, query) => {
    expect(() => bind(message, query)).toThrow(/cannot be given in a query/);
  });

  it.each(['__proto__=1', '__proto__.polluted=1', 'constructor.prototype.polluted=1', 'id.__proto__.polluted=1', 'id[__proto__]=1'])(
    'pollutes nothing with %s (NODE-04)',
    (query) => {
      try {
        bind('cluster.ClusterQuery', query);
      } catch {
        // Whether it is refused or left out does not matter here.
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );
});
