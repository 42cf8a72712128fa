import { describe, expect, it } from 'vitest';
import { resourcePath, withQuery } from './resource-path.ts';

const pods = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', kind: 'ClusterRole', namespaced: false };

describe('paths', () => {
  it.each([
    [pods, {}, '/api/v1/pods'],
    [pods, { namespace: 'a' }, '/api/v1/namespaces/a/pods'],
    [pods, { namespace: 'a', name: 'b', subresource: 'log' }, '/api/v1/namespaces/a/pods/b/log'],
    [pods, { namespace: 'a', name: 'b', subresource: 'proxy/metrics' }, '/api/v1/namespaces/a/pods/b/proxy/metrics'],
    [roles, { namespace: 'ignored', name: 'system:node' }, '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'],
    [pods, { namespace: 'a', name: 'b?c#d' }, '/api/v1/namespaces/a/pods/b%3Fc%23d'],
  ])('of %j %j', (type, place, path) => {
    expect(resourcePath(type, place)).toBe(path);
  });

  it.each(['', '.', '..', 'a/b', 'a%2fb'])('have no part %j', (name) => {
    expect(() => resourcePath(pods, { namespace: 'a', name })).toThrow('cannot be part of a path');
    expect(() => resourcePath(pods, { namespace: name })).toThrow('cannot be part of a path');
  });

  it('carry only what is said', () => {
    expect(withQuery('/a', { limit: 0, watch: true, force: false, labelSelector: 'a in (b, c)', none: undefined })).toBe(
      '/a?limit=0&watch=true&labelSelector=a+in+%28b%2C+c%29',
    );
    expect(withQuery('/a', {})).toBe('/a');
  });
});
