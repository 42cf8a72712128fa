import { describe, expect, it } from 'vitest';
import { Sealed } from '../../../settings/index.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import { findDependencyAccess } from './find-dependency-access.ts';

const registered: RepositoryAccess = {
  url: 'oci://example.com/charts',
  type: 'oci',
  owner: 'repo-1',
  gcpServiceAccountKey: new Sealed('{}'),
  useAzureWorkloadIdentity: true,
  password: new Sealed('planted-password'),
  proxy: 'http://proxy.example.com',
  certificateAuthorities: 'PEM',
};
const accessTo = (url: string): RepositoryAccess => (url === registered.url ? registered : { url, type: 'oci', owner: '' });
const find = (isPermitted: boolean) =>
  findDependencyAccess(
    { accessTo, dependencies: { urlOf: () => undefined, isPermitted: () => isPermitted } },
    { name: 'shop', version: '', repository: 'oci://example.com/charts' },
    'default',
  );

describe('the repository of a dependency', () => {
  it('is reached with what is registered for it', () => {
    expect(find(true)).toEqual({ access: registered, isRefused: false });
  });

  it('CRED-10: is reached by nobody in particular where the project may not use that', () => {
    const { access, isRefused } = find(false);
    expect(isRefused).toBe(true);
    expect(Object.values(access).some((value) => value instanceof Sealed)).toBe(false);
    expect(access).toMatchObject({
      owner: '',
      useAzureWorkloadIdentity: false,
      proxy: 'http://proxy.example.com',
      certificateAuthorities: 'PEM',
    });
  });
});
