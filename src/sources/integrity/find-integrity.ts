import { ApiError, Code } from '../../base/index.ts';
import type { AppProjectSpec } from '../../contract/index.ts';
import { createGlob } from '../directory/glob.ts';

/** What a project demands of the signatures of a repository's commits. */
export interface IntegrityPolicy {
  /** `head`: the commit, or the tag that names it; `strict`: all of its history too. */
  readonly mode: 'head' | 'strict';
  /** Ids of the keys that are accepted. */
  readonly keys: readonly string[];
  /** Armoured public keys by id: all that the installation knows. */
  readonly keyring: ReadonlyMap<string, string>;
}

/** The rule of a project for a repository; undefined where it demands nothing. */
export function findIntegrity(
  spec: Pick<AppProjectSpec, 'signatureKeys' | 'sourceIntegrity'>,
  url: string,
  keyring: ReadonlyMap<string, string>,
): IntegrityPolicy | undefined {
  const git = spec.sourceIntegrity?.git;
  if (git === undefined || git === null) {
    const keys = (spec.signatureKeys ?? []).map(({ keyID }) => keyID);
    return keys.length === 0 ? undefined : { mode: 'head', keys, keyring };
  }
  const matching = git.policies.filter(({ repos }) =>
    matchesRepository(
      (repos ?? []).map((repo) => repo.url),
      url,
    ),
  );
  if (matching.length > 1)
    throw new ApiError(Code.Unknown, `multiple (${matching.length}) git source integrity policies found for repo URL: ${url}`);
  const gpg = matching[0]?.gpg;
  if (gpg === undefined || gpg === null || gpg.mode === 'none') return undefined;
  if (gpg.mode !== 'head' && gpg.mode !== 'strict')
    throw new ApiError(Code.Unknown, `the source integrity mode '${gpg.mode}' is not known`);
  return { mode: gpg.mode, keys: gpg.keys ?? [], keyring };
}

/** What somebody sends instead of what a repository holds is signed by nobody. */
export function localManifestsRefused(): ApiError {
  return new ApiError(Code.FailedPrecondition, 'Cannot use local manifests when source integrity is enforced');
}

/** Throws where a project demands signatures of any of the repositories. */
export function requireNoIntegrity(
  spec: Pick<AppProjectSpec, 'signatureKeys' | 'sourceIntegrity'>,
  sources: readonly { readonly repoURL: string }[],
  keyring: ReadonlyMap<string, string>,
): void {
  if (sources.some(({ repoURL }) => findIntegrity(spec, repoURL, keyring) !== undefined)) throw localManifestsRefused();
}

/** A pattern with `!` excludes, whatever the others say. */
function matchesRepository(patterns: readonly string[], url: string): boolean {
  const excluded = patterns.some((pattern) => pattern.startsWith('!') && createGlob(pattern.slice(1))(url));
  return !excluded && patterns.some((pattern) => !pattern.startsWith('!') && createGlob(pattern)(url));
}
