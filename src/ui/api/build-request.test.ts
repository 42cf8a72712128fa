import { describe, expect, it } from 'vitest';
import { restRoutes } from '../../contract/gen/rest-routes.ts';
import { buildRequest } from './build-request.ts';

const { AccountService, ApplicationService, ClusterService, RepositoryService } = restRoutes;

describe('a request', () => {
  it('has in its query what is not in its path', () => {
    expect(buildRequest(ApplicationService.Get, { name: 'web', appNamespace: 'argocd', projects: ['a', 'b'] })).toEqual({
      verb: 'GET',
      address: '/api/v1/applications/web?appNamespace=argocd&projects=a&projects=b',
      body: undefined,
    });
  });

  it('has in its body the field that the contract names, or all that is left', () => {
    expect(buildRequest(ApplicationService.Create, { application: { metadata: { name: 'web' } }, upsert: true })).toEqual({
      verb: 'POST',
      address: '/api/v1/applications?upsert=true',
      body: '{"metadata":{"name":"web"}}',
    });
    expect(buildRequest(ApplicationService.Sync, { name: 'web', prune: false })).toEqual({
      verb: 'POST',
      address: '/api/v1/applications/web/sync',
      body: '{"prune":false}',
    });
  });

  it('has no credentials in its address', () => {
    const asked = { repo: 'https://git.example/shop', username: 'ada', password: 'planted' };
    expect(buildRequest(RepositoryService.ValidateAccess, asked)).toEqual({
      verb: 'POST',
      address: '/api/v1/repositories/https%3A%2F%2Fgit.example%2Fshop/validate',
      body: '{"username":"ada","password":"planted"}',
    });
  });

  it('keeps names of others inside their part of the path', () => {
    expect(buildRequest(ApplicationService.Get, { name: '../../x?y#z' }).address).toBe('/api/v1/applications/..%2F..%2Fx%3Fy%23z');
    expect(buildRequest(ClusterService.Get, { id: { value: 'https://a/b', type: 'url' } }).address).toContain(
      '/api/v1/clusters/https%3A%2F%2Fa%2Fb',
    );
    expect(buildRequest(AccountService.CanI, { resource: 'applications', action: 'sync', subresource: 'a b/*' }).address).toBe(
      '/api/v1/account/can-i/applications/sync/a%20b/*',
    );
  });

  it('asks for fields, and leaves out what is empty', () => {
    expect(buildRequest(ApplicationService.List, { search: '', limit: 0, autoSyncEnabled: false }, 'items.metadata').address).toBe(
      '/api/v1/applications?limit=0&autoSyncEnabled=false&fields=items.metadata',
    );
  });
});
