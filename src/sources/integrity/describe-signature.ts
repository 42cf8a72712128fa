import type { MirroredCommit } from '../git/mirrors.ts';
import { withKeyring } from './keyring.ts';
import { shortId } from './signature.ts';
import type { VerifyOptions } from './verify-commits.ts';

/** Git's letter, the key, and all that GnuPG said. */
const FORMAT = ['%G?', '%GK', '%GG'].join('%x1f');
const VERDICTS: Readonly<Record<string, string>> = {
  G: 'Good',
  U: 'Good',
  B: 'Bad',
  X: 'Invalid',
  Y: 'Invalid',
  R: 'Invalid',
  E: 'Unknown',
};

/** One line about who signed a commit, whoever may. */
export async function describeSignature(
  options: VerifyOptions,
  { repository, commit }: MirroredCommit,
  keyring: ReadonlyMap<string, string>,
): Promise<string> {
  const output = await withKeyring(options, keyring, ({ home }) => {
    const args = ['log', '-1', '--no-show-signature', `--format=${FORMAT}`, commit, '--'];
    return options.git.local({ args, repository, variables: { GNUPGHOME: home } });
  });
  const [grade = '', key = '', said = ''] = output.toString('utf8').split('\x1f');
  const verdict = VERDICTS[grade.trim()];
  if (verdict === undefined) return 'Revision is not signed.';
  const cipher = /\busing (\w{1,20}) key\b/.exec(said)?.[1] ?? 'unknown';
  return `${verdict} signature from ${cipher} key ${shortId(key)}`;
}
