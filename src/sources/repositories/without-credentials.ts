import type { RepositoryAccess } from '../repository-access.ts';
import { secretFields } from './read-repository.ts';

/** What is trusted stays; who we are does not. */
export function withoutCredentials(access: RepositoryAccess): RepositoryAccess {
  const { useAzureWorkloadIdentity: _identity, ...rest } = access;
  const bare: { -readonly [Name in keyof RepositoryAccess]: RepositoryAccess[Name] } = rest;
  for (const field of secretFields) delete bare[field];
  return bare;
}
