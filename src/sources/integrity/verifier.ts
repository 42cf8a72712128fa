import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { RevisionMetadata } from '../../contract/index.ts';
import { GitError } from '../git/git.ts';
import { isDamage } from '../git/mirrors.ts';
import type { MirroredCommit, Mirrors } from '../git/mirrors.ts';
import type { Revisions } from '../git/revisions.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { SourceLimits } from '../limits.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { RenderRequest } from '../sources.ts';
import { describeSignature } from './describe-signature.ts';
import type { IntegrityPolicy } from './find-integrity.ts';
import { createProblemMemory } from './problem-memory.ts';
import { verifyCommits } from './verify-commits.ts';
import type { VerifyOptions } from './verify-commits.ts';
import { verifyTag } from './verify-tag.ts';
import type { SignedTag } from './verify-tag.ts';

const VERIFIED_MAX = 10_000;
/** For so long a history that was found good need not be looked at for what comes after it: keys and signatures may expire. */
const WHOLE_MS = 3_600_000;
const PROBLEMS_MAX = 10;
const HISTORIES_MAX = 64;

export interface VerifierOptions extends VerifyOptions {
  readonly mirrors: Mirrors;
  readonly revisions: Revisions;
  readonly clock: Clock;
  readonly limits: Pick<SourceLimits, 'signaturesMs'>;
}

/** The commits of a history that are well signed under some rules. */
interface WellSigned {
  /** When the first of them was looked at. */
  readonly sinceMs: number;
  readonly commits: Set<string>;
}

/** What can be said about the signatures of a revision under the rules of a project. */
export type SignatureDetails = Required<Pick<RevisionMetadata, 'signatureInfo' | 'sourceIntegrityResult'>>;

type Subject = Pick<RenderRequest, 'source' | 'revision' | 'fresh' | 'hard' | 'signal'> & { readonly integrity: IntegrityPolicy };

export interface Verifier {
  /** Makes sure of signatures before anything is rendered: throws what is wrong with them. */
  verify(request: RenderRequest, access: RepositoryAccess): Promise<void>;
  describe(subject: Subject, access: RepositoryAccess): Promise<SignatureDetails>;
}

/**
 * What was found good stays so for the same commit and the same rules; what was found bad is not looked at by every application at every
 * look. All who ask for the same at once wait for one check, which goes on where the first of them gives up.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const verified = new LruMap<string, true>(VERIFIED_MAX);
  /** Since when a commit and its history are known to be good, by rules and commit. */
  const wholes = new LruMap<string, number>(VERIFIED_MAX);
  /** By rules. A check that ran out of time goes on from here, and so does that of another commit of the same history. */
  const histories = new LruMap<string, WellSigned>(HISTORIES_MAX);
  const bad = createProblemMemory(options.clock);
  const checking = createSingleFlight<readonly string[]>();

  /** The tag that a source names, if it is an object of its own that still points to the commit. */
  async function findTag({ source, signal }: Subject, access: RepositoryAccess, commit: string): Promise<SignedTag | undefined> {
    const target = { revision: source.targetRevision, tagPrefix: source.tagPrefix, fresh: false, signal };
    const ref = await options.revisions.refOf(access, target);
    if (ref?.tagId === undefined || ref.commit !== commit) return undefined;
    await options.mirrors.ensureTag(access, ref.tagId, signal);
    return { name: ref.name, id: ref.tagId };
  }

  function wellSignedUnder(rules: string, nowMs: number): WellSigned {
    const known = histories.get(rules);
    if (known !== undefined && nowMs - known.sinceMs < WHOLE_MS) return known;
    const begun = { sinceMs: nowMs, commits: new Set<string>() };
    histories.set(rules, begun);
    return begun;
  }

  async function verifyHistory(commit: MirroredCommit, policy: IntegrityPolicy): Promise<string[]> {
    const { mode, keys, keyring } = policy;
    const rules = digest(JSON.stringify([commit.repository, mode, keys, [...keyring]]));
    const { limits, clock } = options;
    const nowMs = clock.nowMs();
    // A single commit is looked at as it is now.
    const known = mode === 'strict' ? wellSignedUnder(rules, nowMs) : { sinceMs: nowMs, commits: new Set<string>() };
    let { sinceMs } = known;
    const isWhole = (id: string): boolean => {
      const atMs = mode === 'strict' ? wholes.get(`${rules} ${id}`) : undefined;
      if (atMs === undefined || nowMs - atMs >= WHOLE_MS) return false;
      // What stands on it is no newer than it is.
      sinceMs = Math.min(sinceMs, atMs);
      return true;
    };
    const call = { isWhole, good: known.commits, clock, limitMs: limits.signaturesMs };
    const problems = await verifyCommits(options, commit, policy, call);
    if (problems.length === 0 && mode === 'strict') wholes.set(`${rules} ${commit.commit}`, sinceMs);
    return problems;
  }

  async function findProblems(commit: MirroredCommit, tag: SignedTag | undefined, policy: IntegrityPolicy): Promise<string[]> {
    try {
      const problems = tag === undefined ? [] : await verifyTag(options, commit, tag, policy);
      // A signed tag vouches for the commit that it points to, but not for what came before.
      if (tag !== undefined && policy.mode === 'head') return problems;
      return [...problems, ...(await verifyHistory(commit, policy))];
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // Nothing is rendered before, so that nobody else finds out: the next look has a new mirror.
      if (isDamage(error)) await options.mirrors.discard(commit.repository);
      throw new ApiError(Code.Internal, `signatures cannot be checked: ${error.message}`);
    }
  }

  async function verify(subject: Subject, access: RepositoryAccess): Promise<readonly string[]> {
    const { revision, integrity, fresh = false, hard = false, signal } = subject;
    let commit: MirroredCommit = await options.mirrors.ensureCommit(access, revision, signal);
    // A history that was cut off looks as if it began there.
    if (integrity.mode === 'strict' && (access.depth ?? 0) > 0) throw cutOff();
    // So does one that was fetched when the repository still had a depth.
    if (integrity.mode === 'strict' && isCutOff(commit)) {
      await options.mirrors.discard(commit.repository);
      commit = await options.mirrors.ensureCommit(access, revision, signal);
      if (isCutOff(commit)) throw cutOff();
    }
    const tag = await findTag(subject, access, commit.commit);
    const rules = JSON.stringify([integrity.mode, integrity.keys, [...integrity.keyring], tag?.name, tag?.id]);
    const key = digest(`${commit.repository}\0${commit.commit}\0${rules}`);
    if (verified.get(key) === true) return [];
    const check = async (): Promise<readonly string[]> => {
      const problems = (await findProblems(commit, tag, integrity)).slice(0, PROBLEMS_MAX);
      if (problems.length > 0) bad.note(key, problems);
      else {
        bad.forget(key);
        verified.set(key, true);
      }
      return problems;
    };
    return bad.recall(key, { fresh: fresh || hard }) ?? (await checking.join(key, check, signal));
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
      const problems = await verify(subject, access);
      return {
        signatureInfo: await describeSignature(options, commit, subject.integrity.keyring),
        sourceIntegrityResult: { Checks: [{ Name: 'GIT/GPG', Problems: [...problems] }] },
      };
    },
  };
}

/** Git keeps a list of where it cut a history off. */
function isCutOff({ repository }: MirroredCommit): boolean {
  return existsSync(join(repository, 'shallow'));
}

function cutOff(): ApiError {
  return new ApiError(
    Code.FailedPrecondition,
    'the project demands signatures of the whole history, and the repository is fetched with a depth',
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
