import { ApiError, Code } from '../../../base/index.ts';
import { repositoryFields } from './credential-fields.ts';
import { createCredentialStore, type CredentialStore } from './credential-store.ts';
import { createCredentialTemplates, type CredentialTemplates } from './credential-templates.ts';
import type { RepositoryResource, RepositoryServiceOptions } from './repository-context.ts';

/** Repositories that are read and those that are written to are registered apart, in the same way. */
export interface RepositoryFamily {
  readonly resource: RepositoryResource;
  /** What errors call one of them. */
  readonly what: 'repository' | 'write repository';
  readonly store: CredentialStore;
  /** What those without credentials of their own are reached with. */
  readonly templates: CredentialTemplates;
  /** Nobody writes to a repository without. */
  readonly needsCredentials: boolean;
  /** Throws where the installation has no use for them. */
  requireEnabled(): void;
}

export function createRepositoryFamilies(context: RepositoryServiceOptions): {
  readonly read: RepositoryFamily;
  readonly write: RepositoryFamily;
} {
  return {
    read: {
      resource: 'repositories',
      what: 'repository',
      store: createCredentialStore({ ...context, type: 'repository', fields: repositoryFields }),
      templates: createCredentialTemplates(context, 'repositories'),
      needsCredentials: false,
      requireEnabled: () => undefined,
    },
    write: {
      resource: 'write-repositories',
      what: 'write repository',
      store: createCredentialStore({ ...context, type: 'repository-write', fields: repositoryFields }),
      templates: createCredentialTemplates(context, 'write-repositories'),
      needsCredentials: true,
      requireEnabled() {
        if (!context.settings.current.parameters.hydratorEnabled) throw new ApiError(Code.Unimplemented, 'hydrator is disabled');
      },
    },
  };
}
