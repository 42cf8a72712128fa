import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';

import type { Git } from '../git/git.ts';
import type { MirroredCommit } from '../git/mirrors.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { ToolError } from '../process/tool-error.ts';
import type { ToolRunner } from '../process/tool-runner.ts';
import type { IntegrityPolicy } from './find-integrity.ts';

export interface VerifyOptions {
  readonly git: Git;
  readonly runner: ToolRunner;
  readonly gpg: string;
  readonly searchPath: string;
  /** Where private folders are made. */
  readonly privateFolder: string;
}

interface SignedCommit {
  readonly commit: string;
  readonly parents: readonly string[];
  /** Git's one letter for what it found. */
  readonly grade: string;
  /** The key that signed, and the one that it belongs to. */
  readonly keys: readonly string[];
  readonly author: string;
  readonly isSealed: boolean;
}

const PROBLEMS_MAX = 10;
const FORMAT = ['%H', '%P', '%G?', '%GK', '%GP', '%an <%ae>', '%(trailers:key=Argocd-gpg-seal,valueonly)'].join('%x1f');
const REASONS: Readonly<Record<string, string>> = {
  N: 'unsigned',
  B: 'bad signature',
  U: 'signed with untrusted key',
  X: 'expired signature',
  Y: 'signed with expired key',
  R: 'signed with revoked key',
  E: 'signed with key not in keyring',
};

/** Throws where a commit, or in strict mode one of those before it, is not signed as the policy demands. */
export async function verifyCommits(
  options: VerifyOptions,
  { repository, commit }: MirroredCommit,
  policy: IntegrityPolicy,
): Promise<void> {
  const commits = await withPrivateFolder(options.privateFolder, async (home) => {
    await importKeys(options, policy.keyring, home);
    const args = ['log', ...(policy.mode === 'head' ? ['-1'] : []), '-z', '--no-show-signature', `--format=${FORMAT}`, commit, '--'];
    const output = await options.git.local({ args, repository, variables: { GNUPGHOME: home } });
    return output
      .toString('utf8')
      .split('\0')
      .filter((record) => record !== '')
      .map(parseCommit);
  });
  const problems = findProblems(commits, commit, policy);
  if (problems.length > 0) throw new ApiError(Code.Unknown, problems.slice(0, PROBLEMS_MAX).join('\n'));
}

/** Only the installation's own keys are there, and those are trusted: which of them may sign is for the policy to say. */
async function importKeys({ runner, gpg, searchPath }: VerifyOptions, keyring: ReadonlyMap<string, string>, home: string): Promise<void> {
  await writeFile(join(home, 'gpg.conf'), 'trust-model always\nno-autostart\nbatch\nno-auto-key-retrieve\n');
  const env = { PATH: searchPath, GNUPGHOME: home, HOME: home, LC_ALL: 'C' };
  try {
    const input = [...keyring.values()].join('\n');
    // Keys that it cannot read are as good as none: what they signed is then not in the keyring.
    if (input !== '') await runner.run({ program: gpg, args: ['--quiet', '--import'], env, folder: home, input });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ApiError(Code.FailedPrecondition, `signatures cannot be checked: the program gpg ${error.message}`);
  }
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
  const allowed = new Set(policy.keys.map(shortId));
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
    const reason = reasonAgainst(found, allowed);
    const key = found.keys[0] ?? '';
    if (reason !== undefined && !(key !== '' && reported.has(key))) {
      reported.add(key);
      problems.push(`GIT/GPG: Failed verifying revision ${id} by '${found.author}': ${reason}${key === '' ? '' : ` (key_id=${key})`}`);
    }
    if (policy.mode === 'head' || (reason === undefined && found.isSealed)) continue;
    for (const parent of found.parents) seen.add(parent);
  }
  return problems;
}

function reasonAgainst({ grade, keys }: SignedCommit, allowed: ReadonlySet<string>): string | undefined {
  if (grade !== 'G') return REASONS[grade] ?? 'bad signature';
  return keys.some((key) => allowed.has(key)) ? undefined : 'signed with unallowed key';
}

/** The last 16 digits of an id or a fingerprint. */
function shortId(id: string): string {
  return id.trim().toUpperCase().slice(-16);
}
