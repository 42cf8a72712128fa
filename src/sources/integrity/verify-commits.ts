import type { Clock } from '../../base/index.ts';
import type { Git } from '../git/git.ts';
import type { MirroredCommit } from '../git/mirrors.ts';
import { formatGoDuration } from '../process/format-go-duration.ts';
import type { IntegrityPolicy } from './find-integrity.ts';
import { withKeyring } from './keyring.ts';
import type { GpgOptions } from './keyring.ts';
import { describeProblem, reasonAgainst, shortId } from './signature.ts';
import type { Signature } from './signature.ts';

export interface VerifyOptions extends GpgOptions {
  readonly git: Git;
}

export interface VerifyCall {
  /** Whether a commit and all before it, as far as they matter, are known to be well signed under the same rules. */
  readonly isWhole: (commit: string) => boolean;
  /** Commits that are known to be well signed under the same rules, whatever is before them. Those that are found to be are added. */
  readonly good: Set<string>;
  readonly clock: Clock;
  /** How long the signatures may take in all, but for the last run of git. */
  readonly limitMs: number;
}

interface SignedCommit extends Signature {
  readonly commit: string;
  readonly author: string;
}

/** What stands before and what it says of that, by commit. */
type History = ReadonlyMap<string, { readonly parents: readonly string[]; readonly isSealed: boolean }>;

const HISTORY_FORMAT = ['%H', '%P', '%(trailers:key=Argocd-gpg-seal,valueonly)'].join('%x1f');
/** What somebody else chose comes last, as there may be anything in it. */
const SIGNATURE_FORMAT = ['%H', '%G?', '%GK', '%GP', '%an <%ae>'].join('%x1f');
/** GnuPG is started for each signature: so many are read well within the time of one run of git. */
const SIGNATURES_AT_ONCE = 200;

/**
 * What is wrong with the signature of a commit, or in strict mode with those before it too. Only those are looked at that matter: not what
 * is before one that is well signed and seals it, nor what is known to be whole.
 */
export async function verifyCommits(
  options: VerifyOptions,
  { repository, commit }: MirroredCommit,
  policy: IntegrityPolicy,
  { isWhole, good, clock, limitMs }: VerifyCall,
): Promise<string[]> {
  const history: History =
    policy.mode === 'head' ? new Map([[commit, { parents: [], isSealed: false }]]) : await readHistory(options.git, repository, commit);
  const endMs = clock.nowMs() + limitMs;
  return await withKeyring(options, policy.keyring, async ({ home }) => {
    const bad = new Map<string, SignedCommit>();
    /** Whether there was time for all of them. */
    const read = async (ids: readonly string[]): Promise<boolean> => {
      for (let at = 0; at < ids.length; at += SIGNATURES_AT_ONCE) {
        // Others may have found some of them to be good meanwhile.
        const some = ids.slice(at, at + SIGNATURES_AT_ONCE).filter((id) => !good.has(id) && !bad.has(id));
        if (some.length === 0) continue;
        if (clock.nowMs() >= endMs) return false;
        for (const each of await readSignatures(options.git, { repository, home }, some))
          if (reasonAgainst(each, policy) === undefined) good.add(each.commit);
          else bad.set(each.commit, each);
      }
      return true;
    };
    const isGood = (id: string): boolean => good.has(id);
    const isSealed = (id: string): boolean => history.get(id)?.isSealed === true;
    const whole = new Set([...history.keys()].filter(isWhole));
    const near = reach(history, [commit], { whole, isEnd: isSealed });
    if (!(await read(near))) return [describeDelay(commit, limitMs)];
    // A seal that is not well signed hides nothing.
    const broken = near.filter((id) => isSealed(id) && !isGood(id));
    if (!(await read(reach(history, broken, { whole, isEnd: () => false })))) return [describeDelay(commit, limitMs)];
    const ids = reach(history, [commit], { whole, isEnd: (id) => isSealed(id) && isGood(id) });
    return describeProblems(
      ids.filter((id) => !isGood(id)),
      bad,
      policy,
    );
  });
}

/** All of it, without looking at signatures. */
async function readHistory(git: Git, repository: string, commit: string): Promise<History> {
  const args = ['log', '-z', '--no-show-signature', `--format=${HISTORY_FORMAT}`, commit, '--'];
  const history = new Map<string, { parents: string[]; isSealed: boolean }>();
  for (const record of recordsOf(await git.local({ args, repository }))) {
    const [id = '', parents = '', seal = ''] = record.split('\x1f');
    history.set(id.trim(), { parents: parents.split(' ').filter((parent) => parent !== ''), isSealed: seal.trim() !== '' });
  }
  return history;
}

async function readSignatures(
  git: Git,
  { repository, home }: { readonly repository: string; readonly home: string },
  ids: readonly string[],
): Promise<SignedCommit[]> {
  const args = ['log', '--no-walk=unsorted', '--stdin', '-z', '--no-show-signature', `--format=${SIGNATURE_FORMAT}`];
  const input = ids.map((id) => `${id}\n`).join('');
  return recordsOf(await git.local({ args, repository, input, variables: { GNUPGHOME: home } })).map((record) => {
    const [commit = '', grade = '', key = '', primary = '', ...author] = record.split('\x1f');
    const keys = [key, primary].map(shortId).filter((id) => id !== '');
    return { commit: copyOf(commit.trim()), grade, keys, author: author.join('\x1f') };
  });
}

/** Some outlive the output of git by far, and one that was only cut from it would keep all of it. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function recordsOf(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '');
}

/** The commits that are reached from some, those included: not beyond one that is an end, and nothing that is whole. */
function reach(
  history: History,
  from: readonly string[],
  { whole, isEnd }: { readonly whole: ReadonlySet<string>; readonly isEnd: (commit: string) => boolean },
): string[] {
  const seen = new Set(from.filter((id) => !whole.has(id)));
  for (const id of seen) {
    if (isEnd(id)) continue;
    for (const parent of history.get(id)?.parents ?? []) if (!whole.has(parent)) seen.add(parent);
  }
  return [...seen];
}

function describeDelay(commit: string, limitMs: number): string {
  const seal = 'a well signed commit with the trailer Argocd-gpg-seal says that what is before it need not be read';
  return `GIT/GPG: Failed verifying revision ${commit}: the signatures of its history took longer than ${formatGoDuration(limitMs)}; ${seal}`;
}

function describeProblems(ids: readonly string[], bad: ReadonlyMap<string, SignedCommit>, policy: IntegrityPolicy): string[] {
  const reported = new Set<string>();
  const problems: string[] = [];
  for (const id of ids) {
    const found = bad.get(id);
    if (found === undefined) {
      problems.push(`GIT/GPG: Failed verifying revision ${id}: it was not found`);
      continue;
    }
    const reason = reasonAgainst(found, policy);
    const key = found.keys[0] ?? '';
    if (reason !== undefined && !(key !== '' && reported.has(key))) {
      reported.add(key);
      problems.push(describeProblem(id, found.author, reason, key));
    }
  }
  return problems;
}
