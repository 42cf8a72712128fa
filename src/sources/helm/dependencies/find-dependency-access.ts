import { ApiError, Code, trimEndOf } from '../../../base/index.ts';
import { withoutCredentials } from '../../repositories/without-credentials.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import type { DependencyContext } from './build-dependencies.ts';
import type { Dependency } from './read-dependencies.ts';

/** How the repository of a dependency is reached: with what is registered for it, as far as the project may use that. */
export function findDependencyAccess(
  { accessTo, dependencies }: Pick<DependencyContext, 'accessTo' | 'dependencies'>,
  { name, repository }: Dependency,
  project: string,
): { readonly access: RepositoryAccess; readonly isRefused: boolean } {
  const url = addressOf(repository, (alias) => dependencies.urlOf(alias, project));
  const candidates = url.startsWith('oci://') ? registryCandidates(url, name) : [url];
  const configured = candidates.map((candidate) => accessTo(candidate, project)).find(({ owner }) => /[^/]/.test(owner));
  const type = url.startsWith('oci://') ? 'oci' : 'helm';
  const stranger: RepositoryAccess = { ...withoutCredentials(accessTo(url, project)), url, type, owner: '' };
  if (configured === undefined) return { access: stranger, isRefused: false };
  if (!dependencies.isPermitted(configured.url, project)) return { access: stranger, isRefused: true };
  return { access: { ...configured, url, type }, isRefused: false };
}

/** `@name` and `alias:name` are registered repositories. */
function addressOf(repository: string, urlOf: (alias: string) => string | undefined): string {
  const alias = /^(?:@|alias:)(.+)$/.exec(repository)?.[1];
  if (alias === undefined) {
    if (/^(?:https?|oci):\/\//i.test(repository)) return repository.replace(/^oci:/i, 'oci:');
    throw new ApiError(Code.Unknown, `the repository of a dependency is neither a name nor an http, https, oci or file address`);
  }
  const url = urlOf(alias);
  if (url === undefined) throw new ApiError(Code.Unknown, `no repository definition for ${repository}`);
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `oci://${url}`;
}

/** A registry may be registered as a whole, or a part of it, with or without its scheme: the closest comes first. */
function registryCandidates(url: string, name: string): string[] {
  const steps = `${trimEndOf(url.slice('oci://'.length), '/')}/${name}`.split('/');
  return steps.map((_, index) => steps.slice(0, steps.length - index).join('/')).flatMap((path) => [`oci://${path}`, path]);
}
