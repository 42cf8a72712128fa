import type { RepoAccessQuery, RepoCreds, RepoQuery, Repository, RepositoryList } from '../../../contract/gen/types.ts';
import { api } from '../../api/index.ts';

/** Servers are asked one after another, and some do not answer. */
const LIST_TIMEOUT_MS = 90_000;
const TRY_TIMEOUT_MS = 60_000;

/** Repositories that are read and those that are written to are registered apart, and so are the templates of both. */
export type FamilyId = 'read' | 'write';

export interface Family {
  readonly id: FamilyId;
  /** What policies call them. */
  readonly resource: 'repositories' | 'write-repositories';
  list(query: RepoQuery, signal?: AbortSignal): Promise<RepositoryList>;
  get(query: RepoQuery): Promise<Repository>;
  create(repo: Repository): Promise<unknown>;
  update(repo: Repository, updatedFields: string[]): Promise<unknown>;
  remove(query: RepoQuery): Promise<unknown>;
  test(query: RepoAccessQuery): Promise<unknown>;
  listTemplates(signal?: AbortSignal): Promise<{ readonly items: readonly RepoCreds[] }>;
  createTemplate(creds: RepoCreds): Promise<unknown>;
  updateTemplate(creds: RepoCreds, updatedFields: string[]): Promise<unknown>;
  removeTemplate(url: string): Promise<unknown>;
}

const { RepositoryService, RepoCredsService } = api;
const patient = { timeoutMs: TRY_TIMEOUT_MS };

export const families: Readonly<Record<FamilyId, Family>> = {
  read: {
    id: 'read',
    resource: 'repositories',
    list: (query, signal) => RepositoryService.ListRepositories(query, { signal, timeoutMs: LIST_TIMEOUT_MS }),
    get: (query) => RepositoryService.Get(query, patient),
    create: (repo) => RepositoryService.CreateRepository({ repo }, patient),
    update: (repo, updatedFields) => RepositoryService.UpdateRepository({ repo, updatedFields }, patient),
    remove: (query) => RepositoryService.DeleteRepository(query),
    test: (query) => RepositoryService.ValidateAccess(query, patient),
    listTemplates: (signal) => RepoCredsService.ListRepositoryCredentials({}, { signal }),
    createTemplate: (creds) => RepoCredsService.CreateRepositoryCredentials({ creds }),
    updateTemplate: (creds, updatedFields) => RepoCredsService.UpdateRepositoryCredentials({ creds, updatedFields }),
    removeTemplate: (url) => RepoCredsService.DeleteRepositoryCredentials({ url }),
  },
  write: {
    id: 'write',
    resource: 'write-repositories',
    list: (query, signal) => RepositoryService.ListWriteRepositories(query, { signal, timeoutMs: LIST_TIMEOUT_MS }),
    get: (query) => RepositoryService.GetWrite(query, patient),
    create: (repo) => RepositoryService.CreateWriteRepository({ repo }, patient),
    update: (repo, updatedFields) => RepositoryService.UpdateWriteRepository({ repo, updatedFields }, patient),
    remove: (query) => RepositoryService.DeleteWriteRepository(query),
    test: (query) => RepositoryService.ValidateWriteAccess(query, patient),
    listTemplates: (signal) => RepoCredsService.ListWriteRepositoryCredentials({}, { signal }),
    createTemplate: (creds) => RepoCredsService.CreateWriteRepositoryCredentials({ creds }),
    updateTemplate: (creds, updatedFields) => RepoCredsService.UpdateWriteRepositoryCredentials({ creds, updatedFields }),
    removeTemplate: (url) => RepoCredsService.DeleteWriteRepositoryCredentials({ url }),
  },
};

/** What policies call a repository: one of a project with the project before it. */
export function objectOf({ repo, project = '' }: Pick<Repository, 'repo' | 'project'>): string {
  return project === '' ? repo : `${project}/${repo}`;
}
