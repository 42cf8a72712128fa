/** A version as semver.org has it, read as loosely as the tools around Helm do: parts may be missing, a `v` may precede. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;
}

export class VersionError extends Error {}

const NUMBERS_MAX = 2n ** 64n - 1n;
export const SUFFIX = String.raw`(-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`;
const VERSION = new RegExp(String.raw`^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?${SUFFIX}$`);
/** Longer texts are no versions, and patterns should not have to find that out. */
export const LENGTH_MAX = 256;

export function parseVersion(text: string): Version {
  const found = text.length > LENGTH_MAX ? null : VERSION.exec(text);
  if (found === null) throw new VersionError('invalid semantic version');
  const [, major = '0', minor = '0', patch = '0', , prerelease = '', , metadata = ''] = found;
  const numbers = [major, minor, patch].map(BigInt);
  const tooLarge = numbers.find((number) => number > NUMBERS_MAX);
  if (tooLarge !== undefined)
    throw new VersionError(`error parsing version segment: strconv.ParseUint: parsing "${tooLarge}": value out of range`);
  for (const part of prerelease.split('.')) if (/^0\d+$/.test(part)) throw new VersionError('version segment starts with 0');
  const [a = 0n, b = 0n, c = 0n] = numbers;
  return { major: a, minor: b, patch: c, prerelease, metadata, original: text };
}

export function formatVersion({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === '' ? '' : `-${prerelease}`}${metadata === '' ? '' : `+${metadata}`}`;
}

export function compareVersions(left: Version, right: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1;
  if (left.prerelease === right.prerelease) return 0;
  if (left.prerelease === '') return 1;
  return right.prerelease === '' ? -1 : comparePrereleases(left.prerelease, right.prerelease);
}

function comparePrereleases(left: string, right: string): number {
  const [ours, theirs] = [left.split('.'), right.split('.')];
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const [a, b] = [ours[at] ?? '', theirs[at] ?? ''];
    if (a === b) continue;
    if (a === '' || b === '') return a === '' ? -1 : 1;
    const [aNumber, bNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (aNumber && bNumber) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (aNumber !== bNumber) return aNumber ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
