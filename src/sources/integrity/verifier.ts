import { createHash } from 'node:crypto';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { RevisionMetadata } from '../../contract/index.ts';
import { GitError } from '../git/git.ts';
import type { MirroredCommit, Mirrors } from '../git/mirrors.ts';
import type { Revisions } from '../git/revisions.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { RenderRequest } from '../sources.ts';
import { describeSignature } from './describe-signature.ts';
import type { IntegrityPolicy } from './find-integrity.ts';
import { verifyCommits } from './verify-commits.ts';
import type { VerifyOptions } from './verify-commits.ts';
import { verifyTag } from './verify-tag.ts';
import type { SignedTag } from './verify-tag.ts';

const VERIFIED_MAX = 10_000;
const PROBLEMS_MAX = 10;

export interface VerifierOptions extends VerifyOptions {
  readonly mirrors: Mirrors;
  readonly revisions: Revisions;
}

/** What can be said about the signatures of a revision under the rules of a project. */
export type SignatureDetails = Required<Pick<RevisionMetadata, 'signatureInfo' | 'sourceIntegrityResult'>>;

type Subject = Pick<RenderRequest, 'source' | 'revision' | 'signal'> & { readonly integrity: IntegrityPolicy };

export interface Verifier {
  /** Makes sure of signatures before anything is rendered: throws what is wrong with them. */
  verify(request: RenderRequest, access: RepositoryAccess): Promise<void>;
  describe(subject: Subject, access: RepositoryAccess): Promise<SignatureDetails>;
}

/** What was found good stays so for the same commit and the same rules. */
export function createVerifier(options: VerifierOptions): Verifier {
  const verified = new LruMap<string, true>(VERIFIED_MAX);

  /** The tag that a source names, if it is an object of its own that still points to the commit. */
  async function findTag({ source, signal }: Subject, access: RepositoryAccess, commit: string): Promise<SignedTag | undefined> {
    const target = { revision: source.targetRevision, tagPrefix: source.tagPrefix, fresh: false, signal };
    const ref = await options.revisions.refOf(access, target);
    if (ref?.tagId === undefined || ref.commit !== commit) return undefined;
    await options.mirrors.ensureTag(access, ref.tagId, signal);
    return { name: ref.name, id: ref.tagId };
  }

  async function findProblems(commit: MirroredCommit, tag: SignedTag | undefined, policy: IntegrityPolicy): Promise<string[]> {
    try {
      const problems = tag === undefined ? [] : await verifyTag(options, commit, tag, policy);
      // A signed tag vouches for the commit that it points to, but not for what came before.
      if (tag !== undefined && policy.mode === 'head') return problems;
      return [...problems, ...(await verifyCommits(options, commit, policy))];
    } catch (error) {
      if (error instanceof GitError) throw new ApiError(Code.Internal, `signatures cannot be checked: ${error.message}`);
      throw error;
    }
  }

  async function verify(subject: Subject, access: RepositoryAccess): Promise<string[]> {
    const { revision, integrity, signal } = subject;
    const commit: MirroredCommit = await options.mirrors.ensureCommit(access, revision, signal);
    // A history that was cut off looks as if it began there.
    if (integrity.mode === 'strict' && (access.depth ?? 0) > 0)
      throw new ApiError(
        Code.FailedPrecondition,
        'the project demands signatures of the whole history, and the repository is fetched with a depth',
      );
    const tag = await findTag(subject, access, commit.commit);
    const rules = JSON.stringify([integrity.mode, integrity.keys, [...integrity.keyring], tag?.name, tag?.id]);
    const key = createHash('sha256').update(`${commit.repository}\0${commit.commit}\0${rules}`).digest('hex');
    if (verified.get(key) === true) return [];
    const problems = await findProblems(commit, tag, integrity);
    if (problems.length === 0) verified.set(key, true);
    return problems.slice(0, PROBLEMS_MAX);
  }

  return {
    async verify(request, access) {
      const { integrity } = request;
      if (integrity === undefined) return;
      const problems = await verify({ ...request, integrity }, access);
      if (problems.length > 0) throw new ApiError(Code.Unknown, problems.join('\n'));
    },
    async describe(subject, access) {
      const commit = await options.mirrors.ensureCommit(access, subject.revision, subject.signal);
      const Problems = await verify(subject, access);
      return {
        signatureInfo: await describeSignature(options, commit, subject.integrity.keyring),
        sourceIntegrityResult: { Checks: [{ Name: 'GIT/GPG', Problems }] },
      };
    },
  };
}
