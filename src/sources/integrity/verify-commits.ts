import type { Git } from '../git/git.ts';
import type { MirroredCommit } from '../git/mirrors.ts';
import type { IntegrityPolicy } from './find-integrity.ts';
import { withKeyring } from './keyring.ts';
import type { GpgOptions } from './keyring.ts';
import { describeProblem, reasonAgainst, shortId } from './signature.ts';
import type { Signature } from './signature.ts';

export interface VerifyOptions extends GpgOptions {
  readonly git: Git;
}

interface SignedCommit extends Signature {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly isSealed: boolean;
}

const FORMAT = ['%H', '%P', '%G?', '%GK', '%GP', '%an <%ae>', '%(trailers:key=Argocd-gpg-seal,valueonly)'].join('%x1f');

/** What is wrong with the signature of a commit, or in strict mode with those before it too. */
export async function verifyCommits(
  options: VerifyOptions,
  { repository, commit }: MirroredCommit,
  policy: IntegrityPolicy,
): Promise<string[]> {
  const commits = await withKeyring(options, policy.keyring, async ({ home }) => {
    const args = ['log', ...(policy.mode === 'head' ? ['-1'] : []), '-z', '--no-show-signature', `--format=${FORMAT}`, commit, '--'];
    const output = await options.git.local({ args, repository, variables: { GNUPGHOME: home } });
    return output
      .toString('utf8')
      .split('\0')
      .filter((record) => record !== '')
      .map(parseCommit);
  });
  return findProblems(commits, commit, policy);
}

function parseCommit(record: string): SignedCommit {
  const [commit = '', parents = '', grade = '', key = '', primary = '', author = '', seal = ''] = record.split('\x1f');
  return {
    commit: commit.trim(),
    parents: parents.split(' ').filter((parent) => parent !== ''),
    grade,
    keys: [key, primary].map(shortId).filter((id) => id !== ''),
    author,
    isSealed: seal.trim() !== '',
  };
}

/** Walks from the commit to its first, and not beyond one that is well signed and seals what came before. */
function findProblems(commits: readonly SignedCommit[], start: string, policy: IntegrityPolicy): string[] {
  const byId = new Map(commits.map((each) => [each.commit, each]));
  const seen = new Set<string>([start]);
  const reported = new Set<string>();
  const problems: string[] = [];
  for (const id of seen) {
    const found = byId.get(id);
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
    if (policy.mode === 'head' || (reason === undefined && found.isSealed)) continue;
    for (const parent of found.parents) seen.add(parent);
  }
  return problems;
}
