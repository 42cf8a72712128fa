import { pause, systemTimers } from '../../../base/index.ts';
import type { RepoQuery, Repository, RepositoryService } from '../../../contract/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { createRepository, updateRepository, validateAccess } from './change-repository.ts';
import { createConnectionStates, type ConnectionStates } from './connection-states.ts';
import { describeRepository } from './describe-repository.ts';
import { filterVisible, findVisible, listVisible, scopeOf } from './find-repositories.ts';
import { requireTouch, type RepositoryServiceOptions } from './repository-context.ts';
import { createRepositoryFamilies, type RepositoryFamily } from './repository-family.ts';
import { createSourceCalls } from './source-calls.ts';

/** Longer than a server is given to answer, and shorter than people and proxies wait. */
const ANSWER_LIMIT_MS = 25_000;

type Service = RepositoryService<Call>;
type FamilyCalls = Pick<Service, 'List' | 'Get' | 'Create' | 'Update' | 'Delete' | 'ValidateAccess'>;

/** The repository service. No answer carries a credential. */
export function createRepositoryService(context: RepositoryServiceOptions): Service {
  const families = createRepositoryFamilies(context);
  // Those that are written to are read as well, with what they are read with: what is found out holds for both.
  const states = createConnectionStates(context);
  const read = createFamilyCalls(context, families.read, states);
  const write = createFamilyCalls(context, families.write, states);
  return {
    ...read,
    ListRepositories: read.List,
    CreateRepository: read.Create,
    UpdateRepository: read.Update,
    DeleteRepository: read.Delete,
    ListWriteRepositories: write.List,
    GetWrite: write.Get,
    CreateWriteRepository: write.Create,
    UpdateWriteRepository: write.Update,
    DeleteWriteRepository: write.Delete,
    ValidateWriteAccess: write.ValidateAccess,
    ...createSourceCalls(context, families.read),
  };
}

function createFamilyCalls(context: RepositoryServiceOptions, family: RepositoryFamily, states: ConnectionStates): FamilyCalls {
  async function answer(secret: LabelledSecret, { forceRefresh = false }: RepoQuery, until: Promise<void>): Promise<Repository> {
    return describeRepository(secret, await states.of(secret, { fresh: forceRefresh, until }));
  }

  /** However many servers are silent, who asks is answered. */
  async function inTime<Result>(work: (until: Promise<void>) => Promise<Result>): Promise<Result> {
    const done = new AbortController();
    try {
      return await work(pause(systemTimers, ANSWER_LIMIT_MS, done.signal));
    } finally {
      done.abort();
    }
  }

  return {
    async List(query, call) {
      family.requireEnabled();
      const wanted = filterVisible(listVisible(context, family, call), query);
      return { items: await inTime((until) => Promise.all(wanted.map((secret) => answer(secret, query, until)))) };
    },
    async Get(query, call) {
      family.requireEnabled();
      const secret = findVisible(listVisible(context, family, call), query);
      return await inTime((until) => answer(secret, query, until));
    },
    async Create(request, call) {
      family.requireEnabled();
      return await createRepository(context, family, request, call);
    },
    async Update(request, call) {
      family.requireEnabled();
      return await updateRepository(context, family, request, call);
    },
    async Delete(query, call) {
      family.requireEnabled();
      const secret = findVisible(listVisible(context, family, call), query);
      requireTouch(context, call, scopeOf(family, secret), 'delete');
      await family.store.remove(secret, call.signal);
      return {};
    },
    async ValidateAccess(query, call) {
      family.requireEnabled();
      await validateAccess(context, family, query, call);
      return {};
    },
  };
}
