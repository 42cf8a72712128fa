import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MirroredCommit } from '../git/mirrors.ts';
import type { IntegrityPolicy } from './find-integrity.ts';
import { withKeyring } from './keyring.ts';
import { describeProblem, reasonAgainst, shortId } from './signature.ts';
import type { Signature } from './signature.ts';
import type { VerifyOptions } from './verify-commits.ts';

export interface SignedTag {
  /** `refs/tags/…` */
  readonly name: string;
  readonly id: string;
}

const SIGNATURE = '-----BEGIN PGP SIGNATURE-----';
/** Git's letters for what GnuPG says of a signature. */
const GRADES: Readonly<Record<string, string>> = {
  GOODSIG: 'G',
  BADSIG: 'B',
  EXPSIG: 'X',
  EXPKEYSIG: 'Y',
  REVKEYSIG: 'R',
  ERRSIG: 'E',
};

/** What is wrong with the signature of a tag that is an object of its own. */
export async function verifyTag(
  options: VerifyOptions,
  { repository, commit }: MirroredCommit,
  tag: SignedTag,
  policy: IntegrityPolicy,
): Promise<string[]> {
  const content = (await options.git.local({ args: ['cat-file', 'tag', tag.id], repository })).toString('latin1');
  const author = Buffer.from(/^tagger (.*>) \d+ [+-]\d+$/m.exec(content)?.[1] ?? '', 'latin1').toString('utf8');
  const named = /^tag (.*)$/m.exec(content)?.[1] ?? '';
  const shown = tag.name.replace(/^refs\/tags\//, '');
  // What a tag points to is what its object says, not what the server says of it.
  const target = (await options.git.local({ args: ['rev-parse', '--verify', `${tag.id}^{commit}`], repository })).toString('utf8').trim();
  if (target !== commit) return [describeProblem(shown, author, 'the tag points to another commit')];
  // A good signature under another name says nothing about this one: an older release would pass for a newer.
  if (named !== shown) return [describeProblem(shown, author, 'the tag was signed under another name')];
  const at = content.startsWith(SIGNATURE) ? 0 : content.indexOf(`\n${SIGNATURE}`) + 1;
  const signature = at === 0 ? { grade: 'N', keys: [] } : await check(options, policy, content.slice(0, at), content.slice(at));
  const reason = reasonAgainst(signature, policy);
  return reason === undefined ? [] : [describeProblem(shown, author, reason, signature.keys[0])];
}

async function check(options: VerifyOptions, policy: IntegrityPolicy, text: string, signature: string): Promise<Signature> {
  return await withKeyring(options, policy.keyring, async ({ home, gpg }) => {
    const place = join(home, 'signature.asc');
    await writeFile(place, signature, 'latin1');
    const textPlace = join(home, 'text');
    await writeFile(textPlace, text, 'latin1');
    const { stdout } = await gpg(['--status-fd=1', '--verify', place, textPlace]);
    return readStatus(stdout.toString('utf8'));
  });
}

/** Several signatures are as bad as none: which of them is meant cannot be told. */
function readStatus(status: string): Signature {
  const lines = status.split('\n').flatMap((line) => (line.startsWith('[GNUPG:] ') ? [line.slice(9).split(' ')] : []));
  const verdicts = lines.filter(([word = '']) => Object.hasOwn(GRADES, word));
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length > 1) return { grade: 'B', keys: [] };
  const [word = '', key = ''] = verdict;
  const valid = lines.find(([first]) => first === 'VALIDSIG');
  // The fingerprint of the key that signed comes first, that of the one which it belongs to last.
  const keys = [valid?.[1] ?? key, valid?.at(-1) ?? ''].map(shortId).filter((id) => id !== '');
  if (word === 'GOODSIG' && valid === undefined) return { grade: 'B', keys };
  return { grade: GRADES[word] ?? 'B', keys };
}
