import { compareVersions, parseVersion } from './version.ts';
import type { Version } from './version.ts';

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** How many of major, minor and patch were given as numbers. */
  readonly given: number;
}

const PART = '(?:\\d+|[xX*])';
const BOUND = `v?${PART}(?:\\.${PART}){0,2}(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?`;
const COMPARISON = new RegExp(`(=<|=>|<=|>=|!=|~>|=|<|>|~|\\^)?\\s*(${BOUND})(?=[\\s,]|$)[\\s,]*`, 'y');
const HYPHEN_RANGE = new RegExp(`(${BOUND})\\s+-\\s+(${BOUND})`, 'g');
const LENGTH_MAX = 256;

export function isConstraint(text: string): boolean {
  return parseConstraint(text) !== undefined;
}

/** The highest of the versions that satisfies the constraint, as it was spelled; what is no version is passed over. */
export function pickVersion(constraint: string, candidates: readonly string[]): string | undefined {
  const alternatives = parseConstraint(constraint);
  if (alternatives === undefined) return undefined;
  let best: { readonly text: string; readonly version: Version } | undefined;
  for (const text of candidates) {
    const version = parseVersion(text);
    if (version === undefined || !alternatives.some((all) => satisfies(version, all))) continue;
    if (best === undefined || compareVersions(version, best.version) > 0) best = { text, version };
  }
  return best?.text;
}

/** Alternatives, each of which is comparisons that must all hold. */
function parseConstraint(text: string): Comparison[][] | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const alternatives = text.replace(HYPHEN_RANGE, '>= $1 <= $2').split('||').map(parseComparisons);
  return alternatives.every((comparisons) => comparisons !== undefined) ? alternatives : undefined;
}

function parseComparisons(text: string): Comparison[] | undefined {
  const rest = text.trim();
  const comparisons: Comparison[] = [];
  COMPARISON.lastIndex = 0;
  while (COMPARISON.lastIndex < rest.length) {
    const match = COMPARISON.exec(rest);
    if (match === null) return undefined;
    const comparison = parseComparison(match[1] ?? '', match[2] ?? '');
    if (comparison === undefined) return undefined;
    comparisons.push(comparison);
  }
  return comparisons.length === 0 ? undefined : comparisons;
}

function parseComparison(operator: string, bound: string): Comparison | undefined {
  const numbers = /^v?([^-+]*)/.exec(bound)?.[1]?.split('.') ?? [];
  const wild = numbers.findIndex((part) => !/^\d+$/.test(part));
  const given = wild === -1 ? numbers.length : wild;
  const tail = bound.slice(bound.search(/[-+]|$/));
  const version = parseVersion(`${[0, 1, 2].map((index) => (index < given ? numbers[index] : '0')).join('.')}${tail}`);
  return version && { operator, version, given };
}

function satisfies(version: Version, comparisons: readonly Comparison[]): boolean {
  // Before a release come its candidates, which nobody gets who does not name one.
  const allowsPrerelease = comparisons.some((comparison) => comparison.version.prerelease !== '');
  if (version.prerelease !== '' && !allowsPrerelease) return false;
  return comparisons.every((comparison) => holds(version, comparison));
}

function holds(version: Version, { operator, version: bound, given }: Comparison): boolean {
  const difference = compareVersions(version, bound);
  const differenceInGiven = version.major - bound.major || (given < 2 ? 0 : version.minor - bound.minor);
  switch (operator) {
    case '':
    case '=':
      return given < 3 ? isWithinTilde(version, bound, given) : difference === 0;
    case '!=':
      return given < 3 ? !isWithinTilde(version, bound, given) : difference !== 0;
    case '>':
      return given === 0 ? false : given < 3 ? differenceInGiven > 0 : difference > 0;
    case '<':
      return difference < 0;
    case '>=':
    case '=>':
      return difference >= 0;
    case '<=':
    case '=<':
      return given === 0 ? true : given < 3 ? differenceInGiven <= 0 : difference <= 0;
    case '^':
      return isWithinCaret(version, bound, given);
    default:
      return isWithinTilde(version, bound, given);
  }
}

/** `~1.2.3` and `1.2.x`: as given up to the minor part, and not older. */
function isWithinTilde(version: Version, bound: Version, given: number): boolean {
  if (compareVersions(version, bound) < 0) return false;
  if (given === 0 || (given === 3 && bound.major === 0 && bound.minor === 0 && bound.patch === 0)) return true;
  return version.major === bound.major && (given === 1 || version.minor === bound.minor);
}

/** `^1.2.3`: nothing changes left of, and in, the first part that is not 0. */
function isWithinCaret(version: Version, bound: Version, given: number): boolean {
  if (compareVersions(version, bound) < 0) return false;
  if (given === 0) return true;
  if (bound.major > 0 || given === 1) return version.major === bound.major;
  if (version.major !== 0) return false;
  if (bound.minor > 0 || given === 2) return version.minor === bound.minor;
  return version.minor === 0 && version.patch === bound.patch;
}
