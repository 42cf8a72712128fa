import { expect, it } from 'vitest';
import { Sealed } from '../../../settings/index.ts';
import { secretFields } from '../../repositories/read-repository.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import { findDependencyAccess } from './find-dependency-access.ts';

it('has no credential of any kind where the project may not use what is registered', () => {
  const secrets = Object.fromEntries(secretFields.map((field) => [field, new Sealed(`the ${field}`)]));
  const accessTo = (url: string): RepositoryAccess => ({
    url,
    type: 'helm',
    owner: 'charts/',
    certificateAuthorities: 'PEM',
    useAzureWorkloadIdentity: true,
    ...secrets,
  });
  const dependency = { name: 'lib', version: '1.0.0', repository: 'https://charts.example.com' };
  const find = (isPermitted: boolean) =>
    findDependencyAccess({ accessTo, dependencies: { urlOf: () => undefined, isPermitted: () => isPermitted } }, dependency, 'default');
  expect(find(true)).toMatchObject({ access: { useAzureWorkloadIdentity: true, owner: 'charts/' }, isRefused: false });
  expect(find(false)).toEqual({
    access: { url: dependency.repository, type: 'helm', owner: '', certificateAuthorities: 'PEM' },
    isRefused: true,
  });
});
