import { posix } from 'node:path';
import { ApiError, Code, mapBounded } from '../../../../base/index.ts';
import type { JsonObject, JsonValue } from '../../../../objects/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireList, requireText, textAt, unexpected, valueAt } from '../answer-fields.ts';
import { codeCommitService, listAws, openAwsService, taggingService } from '../aws/aws-api.ts';
import { findAwsAccess } from '../aws/aws-credentials.ts';
import { ProviderError } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { chooseProtocol } from './choose-protocol.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

type CodeCommitSpec = NonNullable<GeneratorSpec<'scmProvider'>['awsCodeCommit']>;

/** Failures that say that a path is not there, and not that nobody knows. */
const absence: ReadonlySet<string> = new Set([
  'RepositoryDoesNotExistException',
  'CommitDoesNotExistException',
  'FolderDoesNotExistException',
]);

export async function openCodeCommitScm(run: ProviderRun, spec: CodeCommitSpec): Promise<ScmProvider> {
  const { limits } = run.context;
  const access = await withPrefix('error initializing AWS codecommit service: ', () =>
    findAwsAccess(run, { region: spec.region ?? '', role: spec.role ?? '' }),
  );
  const codeCommit = await openAwsService(run, codeCommitService, access);
  const { pagesMax, parallelMax } = limits;

  async function listNames(): Promise<readonly string[]> {
    const tagFilters = readTagFilters(spec.tagFilters ?? []);
    if (tagFilters.length === 0) {
      const items = (output: JsonObject) => requireList(output, 'repositories');
      const listed = await listAws(codeCommit, 'ListRepositories', { input: {}, items, token: 'nextToken', pagesMax });
      return listed.map((item) => requireText(item, 'repositoryName'));
    }
    const tagging = await openAwsService(run, taggingService, access);
    const input = { ResourceTypeFilters: ['codecommit:repository'], TagFilters: tagFilters };
    const items = (output: JsonObject) => requireList(output, 'ResourceTagMappingList');
    const listed = await listAws(tagging, 'GetResources', { input, items, token: 'PaginationToken', pagesMax });
    return listed.map((item) => nameOf(requireText(item, 'ResourceARN')));
  }

  return {
    async listRepositories(cloneProtocol) {
      const chooseUrl = chooseProtocol(cloneProtocol, cloneUrls, 'codecommit');
      const names = await withPrefix('failed to list codecommit repository: ', listNames);
      const found = await mapBounded(names, parallelMax, async (name): Promise<ScmRepository[]> => {
        const output = await withPrefix('failed to get codecommit repository: ', () =>
          codeCommit('GetRepository', { repositoryName: name }),
        );
        const metadata = valueAt(output, 'repositoryMetadata');
        const repository = requireText(metadata, 'repositoryName');
        const branch = textAt(metadata, 'defaultBranch');
        // Nobody has pushed to it yet.
        if (branch === undefined) return [];
        return [
          {
            organization: requireText(metadata, 'accountId'),
            repository,
            repositoryId: requireText(metadata, 'repositoryId'),
            url: chooseUrl(metadata),
            branch,
            sha: '',
            labels: [],
          },
        ];
      });
      return found.flat();
    },
    async listBranches(repository) {
      if (spec.allBranches !== true) return [repository];
      const input = { repositoryName: repository.repository };
      const items = (output: JsonObject) => requireList(output, 'branches');
      const branches = await listAws(codeCommit, 'ListBranches', { input, items, token: 'nextToken', pagesMax });
      return branches.map((branch) => ({ ...repository, branch: typeof branch === 'string' ? branch : '' }));
    },
    async hasPath({ repository, branch }, path) {
      const absolute = posix.join('/', path);
      if (absolute === '/') return true;
      const input = { commitSpecifier: branch, folderPath: posix.dirname(absolute), repositoryName: repository };
      try {
        const folder = await codeCommit('GetFolder', input);
        requireText(folder, 'commitId');
        const entries = ['subFolders', 'files', 'symbolicLinks', 'subModules'].flatMap((part) => {
          const listed = valueAt(folder, part);
          return Array.isArray(listed) ? (listed as JsonValue[]) : [];
        });
        return entries.some((entry) => textAt(entry, 'relativePath') === posix.basename(absolute));
      } catch (error) {
        if (error instanceof ProviderError && absence.has(error.reason)) return false;
        throw error;
      }
    },
  };
}

const cloneUrls: Readonly<Record<string, (metadata: JsonValue | undefined) => string>> = {
  ssh: (metadata) => requireText(metadata, 'cloneUrlSsh'),
  https: (metadata) => requireText(metadata, 'cloneUrlHttp'),
  'https-fips': (metadata) => toFips(requireText(metadata, 'cloneUrlHttp')),
};

const plainPrefix = 'https://git-codecommit.';
const fipsPrefix = 'https://git-codecommit-fips.';

function toFips(url: string): string {
  if (url.startsWith(fipsPrefix)) return url;
  if (url.startsWith(plainPrefix)) return `${fipsPrefix}${url.slice(plainPrefix.length)}`;
  const reason = `the provided https endpoint isn't recognized, cannot be transformed to FIPS endpoint: ${url}`;
  throw new ApiError(Code.InvalidArgument, `https-fips is provided but repoUrl can't be transformed to FIPS endpoint: ${reason}`);
}

/** Values of one key are alternatives; keys must all be there. */
function readTagFilters(filters: NonNullable<CodeCommitSpec['tagFilters']>): readonly { Key: string; Values?: string[] }[] {
  const values = new Map<string, string[]>();
  for (const { key, value } of filters) values.set(key, [...(values.get(key) ?? []), ...(value ? [value] : [])]);
  return [...values].map(([key, all]) => ({ Key: key, ...(all.length > 0 && { Values: all }) }));
}

/** `arn:aws:codecommit:<region>:<account>:<name>` */
function nameOf(arn: string): string {
  const name = arn.split(':').slice(5).join(':');
  if (name === '') throw unexpected(`${arn} names no repository`);
  return name;
}
