import type { RepoQuery, Repository, RepositoryList, RepositoryService } from '../../../contract/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { createRepository, updateRepository, validateAccess } from './change-repository.ts';
import { createConnectionStates } from './connection-states.ts';
import { repositoryFields } from './credential-fields.ts';
import { createCredentialStore } from './credential-store.ts';
import { describeRepository } from './describe-repository.ts';
import { findStored, findVisible, listVisible, scopeOf } from './find-repositories.ts';
import { requireTouch, requireVisible, type RepositoryServiceOptions } from './repository-context.ts';

type Implemented = Pick<
  RepositoryService<Call>,
  | 'List'
  | 'ListRepositories'
  | 'Get'
  | 'Create'
  | 'CreateRepository'
  | 'Update'
  | 'UpdateRepository'
  | 'Delete'
  | 'DeleteRepository'
  | 'ValidateAccess'
  | 'ListRefs'
>;

/** The repository service. No answer carries a credential. */
export function createRepositoryService(context: RepositoryServiceOptions): Implemented {
  const store = createCredentialStore({ ...context, type: 'repository', fields: repositoryFields });
  const states = createConnectionStates(context);

  async function answer(secret: LabelledSecret, { forceRefresh = false }: RepoQuery): Promise<Repository> {
    return describeRepository(secret, await states.of(secret, { fresh: forceRefresh }));
  }

  async function list(query: RepoQuery, call: Call): Promise<RepositoryList> {
    return { items: await Promise.all(listVisible(context, store, call).map((secret) => answer(secret, query))) };
  }

  async function remove(query: RepoQuery, call: Call): Promise<Record<string, never>> {
    const secret = findVisible(listVisible(context, store, call), query);
    requireTouch(context, call, scopeOf(secret), 'delete');
    await store.remove(secret, call.signal);
    return {};
  }

  const create: Implemented['Create'] = (request, call) => createRepository(context, store, request, call);
  const update: Implemented['Update'] = (request, call) => updateRepository(context, store, request, call);
  return {
    List: list,
    ListRepositories: list,
    Get: async (query, call) => await answer(findVisible(listVisible(context, store, call), query), query),
    Create: create,
    CreateRepository: create,
    Update: update,
    UpdateRepository: update,
    Delete: remove,
    DeleteRepository: remove,
    async ValidateAccess(query, call) {
      await validateAccess(context, query, call);
      return {};
    },
    async ListRefs({ repo = '', appProject = '' }, call) {
      const own = appProject === '' ? undefined : findStored(store, { url: repo, project: appProject });
      // A repository that nobody has configured may be a public one.
      requireVisible(context, call, { url: repo, project: own === undefined ? '' : appProject });
      const { branches, tags } = await context.sources.refs(repo, { project: appProject, signal: call.signal });
      return { branches: [...branches], tags: [...tags] };
    },
  };
}
