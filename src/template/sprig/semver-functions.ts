import { define, GoError } from '../go/go-function.ts';
import { GoInt, GoStruct } from '../go/value.ts';
import { compileConstraint } from '../semver/constraint.ts';
import { compareVersions, formatVersion, parseVersion, VersionError } from '../semver/version.ts';
import type { Version } from '../semver/version.ts';
import type { NamedFunctions } from './environment.ts';

const VERSION_TYPE = '*semver.Version';

export function semverFunctions(): NamedFunctions {
  return [
    [
      'semver',
      define('string', (text: string) =>
        goVersion(
          refusing(() => parseVersion(text)),
          VERSION_TYPE,
        ),
      ),
    ],
    ['semverCompare', define('string, string', (constraint: string, text: string) => refusing(() => meetsVersion(constraint, text)))],
  ];
}

/** The constraint is read first, so that of two mistakes it is the one told. */
function meetsVersion(constraint: string, text: string): boolean {
  const isMet = compileConstraint(constraint);
  return isMet(parseVersion(text));
}

function refusing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof VersionError) throw new GoError(error.message);
    throw error;
  }
}

function goVersion(version: Version, type: string): GoStruct {
  const number = (value: bigint) => define('', () => new GoInt(value, 'uint64'));
  const text = (value: string) => define('', () => value);
  const other = (test: (order: number) => boolean) =>
    define(VERSION_TYPE, (right: GoStruct) => test(compareVersions(version, right.inner as Version)));
  const next = (changes: Partial<Version>) =>
    define('', () => {
      const changed = { ...version, prerelease: '', metadata: '', ...changes };
      return goVersion(
        { ...changed, original: `${version.original.startsWith('v') ? 'v' : ''}${formatVersion(changed)}` },
        'semver.Version',
      );
    });
  return new GoStruct({
    type,
    inner: version,
    text: () => formatVersion(version),
    methods: new Map([
      ['Major', number(version.major)],
      ['Minor', number(version.minor)],
      ['Patch', number(version.patch)],
      ['Prerelease', text(version.prerelease)],
      ['Metadata', text(version.metadata)],
      ['Original', text(version.original)],
      ['String', text(formatVersion(version))],
      ['Compare', define(VERSION_TYPE, (right: GoStruct) => new GoInt(BigInt(compareVersions(version, right.inner as Version))))],
      ['Equal', other((order) => order === 0)],
      ['LessThan', other((order) => order < 0)],
      ['GreaterThan', other((order) => order > 0)],
      ['IncPatch', next(version.prerelease === '' ? { patch: version.patch + 1n } : {})],
      ['IncMinor', next({ minor: version.minor + 1n, patch: 0n })],
      ['IncMajor', next({ major: version.major + 1n, minor: 0n, patch: 0n })],
    ]),
  });
}
