import { describe, expect, it } from 'vitest';
import { methods } from '../../../contract/index.ts';
import { createMethodTable } from '../core/method-table.ts';
import { createRouteTable, type RouteMatch } from './route-table.ts';

const table = createRouteTable(createMethodTable({ services: {}, publicMethods: new Set() }).all);

function match(verb: string, path: string): string | readonly string[] {
  const found = table.match(verb, path);
  if (!('route' in found)) return found;
  const values = found.values.map(([field, value]) => `${field}=${value}`).join(' ');
  return `${found.route.method.schema.name} ${values}`.trim();
}

describe('the route table', () => {
  it('reaches every binding of the contract, except those that an earlier one has taken', () => {
    const taken: string[] = [];
    for (const method of methods) {
      for (const { verb, path } of method.http) {
        const found = table.match(verb, path.replace(/\{[^}]*\}/g, 'x')) as RouteMatch;
        if (found.route.method.schema !== method) taken.push(`${method.name} by ${found.route.method.schema.name}`);
      }
    }
    expect(taken).toEqual([
      'ListRepositories by List',
      'CreateRepository by Create',
      'UpdateRepository by Update',
      'DeleteRepository by Delete',
    ]);
  });

  it.each([
    ['PUT', '/api/v1/account/password', 'UpdatePassword'],
    ['GET', '/api/v1/account/password', 'GetAccount name=password'],
    ['POST', '/api/v1/applications/manifestsWithFiles', 'GetManifestsWithFiles'],
    ['GET', '/api/v1/applications/a%2Fb', 'Get name=a/b'],
    ['GET', '/api/v1/applications/a+b', 'Get name=a+b'],
    ['GET', '/api/v1/applications/a:b', 'Get name=a:b'],
    ['GET', '/api/v1/applications/a/revisions/x%2Fy/metadata', 'RevisionMetadata name=a revision=x/y'],
    ['GET', '/api/v1/repositories/name-without-scheme', 'Get repo=name-without-scheme'],
    ['GET', '/api/v1/repositories/refs/refs', 'ListRefs repo=refs'],
    ['GET', '/api/v1/repositories/https://h/refs', 'ListRefs repo=https://h'],
    ['GET', '/api/v1/repositories/https://h/refs/refs', 'ListRefs repo=https://h/refs'],
    ['GET', '/api/v1/repositories/oci:/h/x', 'Get repo=oci://h/x'],
    ['PUT', '/api/v1/repocreds/https://h/org', 'UpdateRepositoryCredentials creds.url=https://h/org'],
    ['POST', '/api/v1/clusters/https:/1.2.3.4:6443/rotate-auth', 'RotateAuth id.value=https://1.2.3.4:6443'],
    ['POST', '/api/v1/repositories/ssh:%2F%2Fgit@h%2Fx/appdetails', 'GetAppDetails source.repoURL=ssh://git@h/x'],
    ['GET', '/api/v1/repositories/https%3A%2F%2Fh%2Fa%2520b', 'Get repo=https://h/a%20b'],
    ['GET', '/api/v1/account/can-i/clusters/get/https://h', 'CanI resource=clusters action=get subresource=https://h'],
    ['GET', '/api/v1/account/can-i/clusters/get/', 'CanI resource=clusters action=get subresource='],
  ])('%s %s → %s', (verb, path, expected) => {
    expect(match(verb, path)).toBe(expected);
  });

  it.each([
    '/api/v1/applications/',
    '/api/v1//applications',
    '/api/v1/applications/a/',
    '/api/v1/applications/..',
    '/api/v1/applications/%2E',
    '/api/v1/%2e./account',
    '',
    'api/v1/account',
    '/api/v1/repositories/a/b',
  ])('does not know %j', (path) => {
    expect(match('GET', path)).toEqual([]);
  });

  it('names the verbs that a path knows', () => {
    expect(match('OPTIONS', '/api/v1/clusters/x')).toEqual(['GET', 'PUT', 'DELETE']);
    expect(match('PATCH', '/api/v1/clusters/https://x')).toEqual(['GET', 'PUT', 'DELETE']);
  });

  it('refuses malformed percent-encoding', () => {
    expect(() => match('GET', '/api/v1/applications/%')).toThrow(/percent-encoding/);
    expect(() => match('GET', '/api/v1/repositories/https://h/%zz')).toThrow(/percent-encoding/);
  });
});
