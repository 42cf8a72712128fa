import { createHash } from 'node:crypto';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import { GitError } from '../git/git.ts';
import type { MirroredCommit, Mirrors } from '../git/mirrors.ts';
import type { Revisions } from '../git/revisions.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { RenderRequest } from '../sources.ts';
import { verifyCommits } from './verify-commits.ts';
import type { VerifyOptions } from './verify-commits.ts';

const VERIFIED_MAX = 10_000;

export interface VerifierOptions extends VerifyOptions {
  readonly mirrors: Mirrors;
  readonly revisions: Revisions;
}

/** Makes sure of signatures before anything is rendered. What was found good stays so for the same commit and the same rules. */
export function createVerifier(options: VerifierOptions) {
  const verified = new LruMap<string, true>(VERIFIED_MAX);

  return async function verify({ source, revision, integrity, signal }: RenderRequest, access: RepositoryAccess): Promise<void> {
    if (integrity === undefined) return;
    const commit: MirroredCommit = await options.mirrors.ensureCommit(access, revision, signal);
    const target = { revision: source.targetRevision, tagPrefix: source.tagPrefix, fresh: false, signal };
    // The signature of such a tag would be the one that counts. As long as it cannot be checked, none of it is good.
    if (await options.revisions.isAnnotatedTag(access, target))
      throw new ApiError(
        Code.Unimplemented,
        'signatures of annotated tags are not checked yet: name a branch, a commit or a plain tag instead',
      );
    // A history that was cut off looks as if it began there.
    if (integrity.mode === 'strict' && (access.depth ?? 0) > 0)
      throw new ApiError(
        Code.FailedPrecondition,
        'the project demands signatures of the whole history, and the repository is fetched with a depth',
      );
    const rules = JSON.stringify([integrity.mode, integrity.keys, [...integrity.keyring]]);
    const key = createHash('sha256').update(`${commit.repository}\0${commit.commit}\0${rules}`).digest('hex');
    if (verified.get(key) === true) return;
    try {
      await verifyCommits(options, commit, integrity);
    } catch (error) {
      if (error instanceof GitError) throw new ApiError(Code.Internal, `signatures cannot be checked: ${error.message}`);
      throw error;
    }
    verified.set(key, true);
  };
}
