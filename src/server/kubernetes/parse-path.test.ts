import { describe, expect, it } from 'vitest';
import { parseKubernetesPath } from './parse-path.ts';

const resource = (more: object) => ({ kind: 'resource', namespace: undefined, name: undefined, subresource: undefined, ...more });

describe('a path below /k8s', () => {
  it.each([
    ['/k8s', { kind: 'root' }],
    ['/k8s/api', { kind: 'groups', isCore: true }],
    ['/k8s/apis', { kind: 'groups', isCore: false }],
    ['/k8s/apis/apps', { kind: 'group', group: 'apps' }],
    ['/k8s/apis/apps/v1', { kind: 'resources', group: 'apps', version: 'v1' }],
    ['/k8s/openapi/v3', { kind: 'openApiIndex' }],
    ['/k8s/openapi/v3/apis/apps/v1', { kind: 'openApi', groupVersion: 'apps/v1' }],
    ['/k8s/openapi/v2', { kind: 'openApiV2' }],
    ['/k8s/openapi/v2/api/v1', undefined],
    ['/k8s/version', { kind: 'version' }],
    ['/k8s/readyz', { kind: 'health', check: 'readyz' }],
    ['/k8s/elsewhere', undefined],
    ['/k8s/api/v1/%zz', undefined],
    ['/k8s/api/v1/pods', resource({ group: '', version: 'v1', plural: 'pods' })],
    ['/k8s/api/v1/namespaces/a', resource({ group: '', version: 'v1', plural: 'namespaces', name: 'a' })],
    ['/k8s/api/v1/namespaces/a/status', resource({ group: '', version: 'v1', plural: 'namespaces', name: 'a', subresource: 'status' })],
    ['/k8s/api/v1/namespaces/a/pods', resource({ group: '', version: 'v1', plural: 'pods', namespace: 'a' })],
    [
      '/k8s/apis/apps/v1/namespaces/a/deployments/web/scale',
      resource({ group: 'apps', version: 'v1', plural: 'deployments', namespace: 'a', name: 'web', subresource: 'scale' }),
    ],
    ['/k8s/api/v1/nodes/a%20b', resource({ group: '', version: 'v1', plural: 'nodes', name: 'a b' })],
  ])('%s', (path, expected) => {
    expect(parseKubernetesPath(path)).toEqual(expected);
  });
});
