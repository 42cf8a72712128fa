import { compareVersions, LENGTH_MAX, parseVersion, SUFFIX, VersionError } from './version.ts';
import type { Version } from './version.ts';

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** Which part was left open, as in `1.x`. */
  readonly open: 'none' | 'major' | 'minor' | 'patch';
}

const PART = String.raw`[0-9|xX*]+`;
const LOOSE = String.raw`v?(?:${PART})(?:\.${PART})?(?:\.${PART})?(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`;
const OPERATORS = String.raw`!=|>=|=>|<=|=<|~>|=|>|<|~|\^|`;
const RANGE = new RegExp(String.raw`\s*(${LOOSE})\s+-\s+(${LOOSE})\s*`, 'g');
const VALID = new RegExp(String.raw`^\s*(?:${OPERATORS})\s*${LOOSE}\s*(?:(?:\s+|,\s*)(?:${OPERATORS})\s*${LOOSE}\s*)*$`);
const EACH = new RegExp(String.raw`(${OPERATORS})\s*(${LOOSE})`, 'g');
const PIECES = new RegExp(String.raw`^v?(${PART})(?:\.(${PART}))?(?:\.(${PART}))?${SUFFIX}$`);

/** A test for versions that meet a constraint such as `>=1.2 <2 || ~3.1`. Throws a VersionError where it is none. */
export function compileConstraint(text: string): (version: Version) => boolean {
  if (text.length > LENGTH_MAX) throw new VersionError('improper constraint: it is too long');
  const rewritten = text.replaceAll(RANGE, (_, low: string, high: string) => `>= ${low}, <= ${high} `);
  const alternatives = rewritten.split('||').map((part) => {
    if (!VALID.test(part)) throw new VersionError(`improper constraint: ${part}`);
    return [...part.matchAll(EACH)].map(([, operator = '', body = '']) => parseConstraint(operator, body));
  });
  return (version) =>
    alternatives.some((constraints) => {
      const withPrereleases = constraints.some((constraint) => constraint.version.prerelease !== '');
      if (version.prerelease !== '' && !withPrereleases) return false;
      return constraints.every((constraint) => meets(constraint, version));
    });
}

function parseConstraint(operator: string, text: string): Constraint {
  const [, major = '', minor = '', patch = '', suffix = ''] = PIECES.exec(text) ?? [];
  const isOpen = (part: string): boolean => part === '' || /^[xX*]$/.test(part);
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  const numbers = open === 'major' ? '0.0.0' : open === 'minor' ? `${major}.0.0` : open === 'patch' ? `${major}.${minor}.0` : undefined;
  try {
    return { operator, open, version: parseVersion(numbers === undefined ? text : numbers + suffix) };
  } catch {
    throw new VersionError('constraint parser error');
  }
}

function meets({ operator, version: wanted, open }: Constraint, version: Version): boolean {
  const order = compareVersions(version, wanted);
  switch (operator) {
    case '!=':
      return differs(wanted, open, version, order);
    case '>':
      if (open === 'none' || open === 'major') return open === 'major' ? version.major > 0n || order > 0 : order > 0;
      if (version.major !== wanted.major) return version.major > wanted.major;
      return open === 'patch' && version.minor > wanted.minor;
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      if (open === 'none') return order <= 0;
      return version.major < wanted.major || (version.major === wanted.major && (version.minor <= wanted.minor || open === 'minor'));
    case '~':
    case '~>':
      return isTilde(wanted, open, version, order);
    case '^':
      return isCaret(wanted, open, version, order);
    default:
      return open === 'none' ? order === 0 : isTilde(wanted, open, version, order);
  }
}

function differs(wanted: Version, open: Constraint['open'], version: Version, order: number): boolean {
  if (open === 'none') return order !== 0;
  if (wanted.major !== version.major) return true;
  if (open === 'minor') return false;
  if (wanted.minor !== version.minor) return true;
  if (open === 'major') return wanted.patch !== version.patch || order !== 0;
  return (version.prerelease !== '' || wanted.prerelease !== '') && version.prerelease !== wanted.prerelease;
}

function isTilde(wanted: Version, open: Constraint['open'], version: Version, order: number): boolean {
  if (order < 0) return false;
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (isZero && (open === 'none' || open === 'major')) return true;
  return version.major === wanted.major && (version.minor === wanted.minor || open === 'minor');
}

function isCaret(wanted: Version, open: Constraint['open'], version: Version, order: number): boolean {
  if (order < 0) return false;
  if (wanted.major > 0n || open === 'minor') return version.major === wanted.major;
  if (version.major > 0n) return false;
  if (wanted.minor > 0n || open === 'patch') return version.minor === wanted.minor;
  return version.minor === 0n && wanted.patch === version.patch;
}
