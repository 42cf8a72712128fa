import type { RepoCredsService } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import { createCredentialTemplates, type CredentialTemplatesOptions } from '../repository/credential-templates.ts';

/** The credential templates: what repositories whose URL begins alike are reached with. Their secrets are only ever written. */
export function createRepocredsService(context: CredentialTemplatesOptions): RepoCredsService<Call> {
  const read = createCredentialTemplates(context, 'repositories');
  const write = createCredentialTemplates(context, 'write-repositories');
  return {
    ListRepositoryCredentials: ({ url }, call) => read.list(url, call),
    CreateRepositoryCredentials: (request, call) => read.create(request, call),
    UpdateRepositoryCredentials: (request, call) => read.update(request, call),
    DeleteRepositoryCredentials: ({ url }, call) => read.remove(url, call),
    ListWriteRepositoryCredentials: ({ url }, call) => write.list(url, call),
    CreateWriteRepositoryCredentials: (request, call) => write.create(request, call),
    UpdateWriteRepositoryCredentials: (request, call) => write.update(request, call),
    DeleteWriteRepositoryCredentials: ({ url }, call) => write.remove(url, call),
  };
}
