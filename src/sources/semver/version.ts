/** A version. Parts that were not given are 0. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Without the dash; empty for a release. */
  readonly prerelease: string;
}

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`);
const LENGTH_MAX = 256;

/** Reads a version leniently: a leading `v` and missing minor and patch are allowed. */
export function parseVersion(text: string): Version | undefined {
  const match = text.length > LENGTH_MAX ? null : VERSION.exec(text);
  if (match === null) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1, 4).map((part) => Number(part ?? '0'));
  if (![major, minor, patch].every(Number.isSafeInteger)) return undefined;
  return { major, minor, patch, prerelease: match[4] ?? '' };
}

export function isVersion(text: string): boolean {
  return parseVersion(text) !== undefined;
}

/** Negative where `left` is older. */
export function compareVersions(left: Version, right: Version): number {
  return (
    left.major - right.major ||
    left.minor - right.minor ||
    left.patch - right.patch ||
    comparePrereleases(left.prerelease, right.prerelease)
  );
}

function comparePrereleases(left: string, right: string): number {
  if (left === right) return 0;
  if (left === '' || right === '') return left === '' ? 1 : -1;
  const [lefts, rights] = [left.split('.'), right.split('.')];
  for (let index = 0; index < Math.max(lefts.length, rights.length); index += 1) {
    const [one, other] = [lefts[index], rights[index]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const difference = compareIdentifiers(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers come before words, and are compared as numbers. */
function compareIdentifiers(one: string, other: string): number {
  const [oneIsNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (oneIsNumber && otherIsNumber) return Number(one) - Number(other);
  if (oneIsNumber !== otherIsNumber) return oneIsNumber ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
