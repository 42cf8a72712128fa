import { compileConstraint } from './constraint.ts';
import { compareVersions, parseVersion, VersionError } from './version.ts';
import type { Version } from './version.ts';

export function isVersion(text: string): boolean {
  return /\d/.test(text) && ignoring(() => parseVersion(text)) !== undefined;
}

export function isConstraint(text: string): boolean {
  // Most are names such as `HEAD`, asked for again and again, and telling why they are none takes time.
  return /[0-9xX*|]/.test(text) && ignoring(() => compileConstraint(text)) !== undefined;
}

/** The highest of the versions that satisfies the constraint, as it was spelled; what is no version is passed over. */
export function pickVersion(constraint: string, candidates: readonly string[]): string | undefined {
  const isMet = ignoring(() => compileConstraint(constraint));
  if (isMet === undefined) return undefined;
  let best: Version | undefined;
  for (const text of candidates) {
    // Of tens of thousands of tags most may be none, and telling why takes time.
    const version = /^v?\d/.test(text) ? ignoring(() => parseVersion(text)) : undefined;
    if (version === undefined || !isMet(version)) continue;
    if (best === undefined || compareVersions(version, best) > 0) best = version;
  }
  return best?.original;
}

/** Undefined for what cannot be read. */
function ignoring<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}
