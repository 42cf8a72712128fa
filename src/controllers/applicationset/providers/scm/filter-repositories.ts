import { mapBounded, trimEndOf } from '../../../../base/index.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { compileFilter } from '../compile-filter.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

type FilterSpec = NonNullable<GeneratorSpec<'scmProvider'>['filters']>[number];
type Test = (repository: ScmRepository) => boolean;

interface Filter {
  readonly isRepository: Test;
  readonly isBranch: Test;
  readonly paths: readonly string[];
  readonly missingPaths: readonly string[];
  /** Whether it can be judged by the listing of repositories alone. */
  readonly isForBranches: boolean;
}

export interface ListOptions {
  readonly filters: readonly FilterSpec[];
  readonly cloneProtocol: string;
  readonly parallelMax: number;
}

/** The branches of all repositories that the filters let through: one filter about the repository, and one about the branch. */
export async function listFiltered(provider: ScmProvider, options: ListOptions): Promise<readonly ScmRepository[]> {
  const filters = options.filters.flatMap((spec) => readFilter(spec) ?? []);
  const [forBranches, forRepositories] = [filters.filter((one) => one.isForBranches), filters.filter((one) => !one.isForBranches)];
  const repositories = await provider.listRepositories(options.cloneProtocol);
  const kept = repositories.filter(
    (repository) => forRepositories.length === 0 || forRepositories.some(({ isRepository }) => isRepository(repository)),
  );
  const found = await mapBounded(kept, options.parallelMax, async (repository) => {
    const branches = await provider.listBranches(repository);
    if (forBranches.length === 0) return branches;
    const passed: ScmRepository[] = [];
    for (const branch of branches) if (await passesAny(provider, forBranches, branch)) passed.push(branch);
    return passed;
  });
  return found.flat();
}

async function passesAny(provider: ScmProvider, filters: readonly Filter[], branch: ScmRepository): Promise<boolean> {
  for (const filter of filters) if (await passes(provider, filter, branch)) return true;
  return false;
}

/** What costs a question comes last. */
async function passes(provider: ScmProvider, filter: Filter, branch: ScmRepository): Promise<boolean> {
  if (!filter.isRepository(branch) || !filter.isBranch(branch)) return false;
  for (const path of filter.paths) if (!(await provider.hasPath(branch, path))) return false;
  for (const path of filter.missingPaths) if (await provider.hasPath(branch, path)) return false;
  return true;
}

/** Undefined for one that says nothing. */
function readFilter(spec: FilterSpec): Filter | undefined {
  const paths = (spec.pathsExist ?? []).map(trimSlashes);
  const missingPaths = (spec.pathsDoNotExist ?? []).map(trimSlashes);
  const { repositoryMatch, labelMatch, branchMatch } = spec;
  const isForBranches = paths.length > 0 || missingPaths.length > 0 || Boolean(branchMatch);
  if (!isForBranches && !repositoryMatch && !labelMatch) return undefined;
  const isNamed = repositoryMatch ? compileFilter('RepositoryMatch', repositoryMatch) : () => true;
  const isLabel = labelMatch ? compileFilter('LabelMatch', labelMatch) : undefined;
  const isBranchName = branchMatch ? compileFilter('BranchMatch', branchMatch) : () => true;
  return {
    isRepository: ({ repository, labels }) => isNamed(repository) && (isLabel === undefined || labels.some(isLabel)),
    isBranch: ({ branch }) => isBranchName(branch),
    paths,
    missingPaths,
    isForBranches,
  };
}

function trimSlashes(path: string): string {
  return trimEndOf(path, '/');
}
