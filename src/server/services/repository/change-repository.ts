import { ApiError, Code } from '../../../base/index.ts';
import type { RepoAccessQuery, RepoCreateRequest, Repository, RepoUpdateRequest } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import { decodeFields, describeDifference, hasCredentials, pickFields, repositoryFields, type FieldValues } from './credential-fields.ts';
import { urlOf } from './describe-repository.ts';
import { findStored, scopeOf } from './find-repositories.ts';
import { mergeUpdate } from './merge-update.ts';
import { withoutPassword } from './public-url.ts';
import { requireTouch, type RepositoryServiceOptions, type Scoped } from './repository-context.ts';
import type { RepositoryFamily } from './repository-family.ts';
import { requirePlainUrl } from './require-plain-url.ts';
import { testCandidate } from './test-candidate.ts';

export async function createRepository(
  context: RepositoryServiceOptions,
  family: RepositoryFamily,
  request: RepoCreateRequest,
  call: Call,
): Promise<Repository> {
  if (request.credsOnly === true) return await createTemplate(family, request, call);
  const { values, scope } = readEntry(family, request.repo);
  requireTouch(context, call, scope, 'create');
  if (family.needsCredentials && !hasCredentials(values)) throw new ApiError(Code.InvalidArgument, 'missing credentials in request');
  // One of a project may have been stored before whoever owns the project opens the way to it.
  if (scope.project === '') await testCandidate(context, values, call.signal);
  const stored = findStored(family, scope);
  if (stored === undefined) {
    await family.store.create(scope.url, scope.project, values, call.signal);
    return answer(values);
  }
  // It is found in other spellings of its address, too, and what differs tells what is stored, to who asks often enough.
  requireTouch(context, call, scopeOf(family, stored), 'create');
  const difference = describeDifference(repositoryFields, {
    what: family.what,
    stored: { ...decodeFields(repositoryFields, stored), repo: scope.url },
    wanted: values,
  });
  if (difference === undefined) return answer(values);
  if (request.upsert !== true) throw new ApiError(Code.InvalidArgument, difference);
  requireTouch(context, call, scopeOf(family, stored), 'update');
  await family.store.update(stored, values, call.signal);
  return answer(values);
}

/** Only what repositories take from a template is kept. Nobody is asked: there may be nothing at the beginning of an address. */
async function createTemplate({ templates }: RepositoryFamily, { repo, upsert }: RepoCreateRequest, call: Call): Promise<Repository> {
  if (repo === undefined) throw missingPayload();
  const { repo: url, project = '', ...fields } = repo;
  if (project !== '') throw new ApiError(Code.InvalidArgument, 'a credential template belongs to no project');
  await templates.create({ creds: { ...fields, url }, ...(upsert !== undefined && { upsert }) }, call);
  return answer({ repo: url.trim(), type: repo.type || 'git' });
}

export async function updateRepository(
  context: RepositoryServiceOptions,
  family: RepositoryFamily,
  request: RepoUpdateRequest,
  call: Call,
): Promise<Repository> {
  const { values, scope } = readEntry(family, request.repo);
  requireTouch(context, call, scope, 'update');
  const stored = findStored(family, scope);
  if (stored === undefined) throw new ApiError(Code.NotFound, `repo '${withoutPassword(scope.url)}' not found`);
  requireTouch(context, call, scopeOf(family, stored), 'update');
  const { updatedFields = [] } = request;
  const before = { ...decodeFields(repositoryFields, stored), repo: urlOf(stored) };
  const entry =
    updatedFields.length === 0 ? values : mergeUpdate(repositoryFields, { stored: before, wanted: values, names: updatedFields });
  await family.store.update(stored, entry, call.signal);
  return answer(entry);
}

/** Asks a repository with the credentials of the request, before anything is stored. */
export async function validateAccess(
  context: RepositoryServiceOptions,
  family: RepositoryFamily,
  query: RepoAccessQuery,
  call: Call,
): Promise<void> {
  const { repo = '', enableOci, insecureOciForceHttp, ...rest } = query;
  const { values, scope } = readEntry(family, {
    ...rest,
    repo,
    ...(enableOci === true && { enableOCI: true }),
    ...(insecureOciForceHttp === true && { insecureOCIForceHttp: true }),
  });
  requireTouch(context, call, scope, 'create');
  await testCandidate(context, values, call.signal);
}

function readEntry(
  { resource }: RepositoryFamily,
  repository: Repository | undefined,
): { readonly values: FieldValues; readonly scope: Scoped } {
  if (repository === undefined) throw missingPayload();
  const url = (repository.repo ?? '').trim();
  requirePlainUrl(url);
  const values = { ...pickFields(repositoryFields, repository), repo: url, type: repository.type || 'git' };
  return { values, scope: { url, project: repository.project ?? '', resource } };
}

function missingPayload(): ApiError {
  return new ApiError(Code.InvalidArgument, 'missing payload in request');
}

/** Nothing more than what tells it from others. */
function answer(values: FieldValues): Repository {
  const name = values['name'];
  return {
    repo: withoutPassword(String(values['repo'])),
    type: String(values['type']),
    ...(typeof name === 'string' && name !== '' && { name }),
  };
}
