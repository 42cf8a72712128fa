import { ApiError, Code } from '../../../base/index.ts';
import type { RepoQuery } from '../../../contract/index.ts';
import { normalizeRepositoryUrl } from '../../../model/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { permissionDenied } from '../authorise.ts';
import { projectOf, urlOf } from './describe-repository.ts';
import { withoutPassword } from './public-url.ts';
import { mayTouch, type RepositoryServiceOptions, type Scoped } from './repository-context.ts';
import type { RepositoryFamily } from './repository-family.ts';

export function scopeOf({ resource }: RepositoryFamily, secret: LabelledSecret): Scoped {
  return { url: urlOf(secret), project: projectOf(secret), resource };
}

/** The repositories that the caller may see, by project and URL. */
export function listVisible(
  context: Pick<RepositoryServiceOptions, 'policy'>,
  family: RepositoryFamily,
  call: Call,
): readonly LabelledSecret[] {
  const sortKey = (secret: LabelledSecret): string => `${projectOf(secret)}/${urlOf(secret)}`;
  return family.store
    .list()
    .filter((secret) => mayTouch(context, call, scopeOf(family, secret), 'get'))
    .map((secret) => ({ secret, key: sortKey(secret) }))
    .toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ secret }) => secret);
}

/** Those at the address and of the project that a query names; all where it names neither. */
export function filterVisible(visible: readonly LabelledSecret[], { repo = '', appProject = '' }: RepoQuery): readonly LabelledSecret[] {
  return visible.filter(
    (secret) => (repo === '' || isSameRepository(urlOf(secret), repo)) && (appProject === '' || projectOf(secret) === appProject),
  );
}

/** The repository that a query means among those that the caller may see. What cannot be seen is refused like what is not there. */
export function findVisible(visible: readonly LabelledSecret[], { repo = '', appProject = '' }: RepoQuery): LabelledSecret {
  const matching = visible.filter((secret) => isSameRepository(urlOf(secret), repo));
  const [only] = matching;
  if (only === undefined) throw permissionDenied();
  if (matching.length === 1 && appProject === '') return only;
  const found = matching.find((secret) => projectOf(secret) === appProject);
  if (found !== undefined) return found;
  const names = `url ${JSON.stringify(withoutPassword(repo))} and project ${JSON.stringify(appProject)}`;
  throw new ApiError(Code.Unknown, `repository not found for ${names}`);
}

/** The repository of exactly this project. */
export function findStored({ store }: RepositoryFamily, { url, project }: Scoped): LabelledSecret | undefined {
  return store.list().find((secret) => projectOf(secret) === project && isSameRepository(urlOf(secret), url));
}

/** Passwords do not count: callers do not get to see them. */
export function isSameRepository(left: string, right: string): boolean {
  return normalizeRepositoryUrl(withoutPassword(left)) === normalizeRepositoryUrl(withoutPassword(right));
}
