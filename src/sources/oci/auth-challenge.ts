import { ApiError, Code } from '../../base/index.ts';

/** How a registry wants to be asked. */
export type AuthChallenge =
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'bearer'; readonly realm: string; readonly service: string; readonly scope: string };

const LENGTH_MAX = 8_192;
const SCHEME = /\s*([A-Za-z][A-Za-z0-9-]*)(?:\s+|$)/y;
const PARAMETER = /\s*([A-Za-z][A-Za-z0-9_-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/y;

/** Reads a `WWW-Authenticate` header; of several ways a token is preferred. Throws where none can be used. */
export function parseAuthChallenge(header: string | undefined): AuthChallenge {
  if (header === undefined || header.length > LENGTH_MAX) throw refuse('it does not say how it wants to be asked');
  const challenges = readChallenges(header);
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  if (bearer !== undefined) {
    const read = (name: string): string => bearer.parameters.get(name) ?? '';
    if (read('realm') === '') throw refuse('it does not say who gives out tokens');
    return { scheme: 'bearer', realm: read('realm'), service: read('service'), scope: read('scope') };
  }
  if (challenges.some(({ scheme }) => scheme === 'basic')) return { scheme: 'basic' };
  throw refuse('it wants to be asked in a way that is not known here');
}

interface Challenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

function readChallenges(header: string): Challenge[] {
  const challenges: Challenge[] = [];
  for (let at = 0; at < header.length;) {
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(header);
    const last = challenges.at(-1);
    if (parameter !== null && last !== undefined) {
      last.parameters.set((parameter[1] ?? '').toLowerCase(), parameter[2]?.replaceAll(/\\(.)/g, '$1') ?? parameter[3] ?? '');
      at = PARAMETER.lastIndex;
      continue;
    }
    SCHEME.lastIndex = at;
    const scheme = SCHEME.exec(header);
    if (scheme === null) throw refuse('what it says about how it wants to be asked cannot be read');
    challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    at = SCHEME.lastIndex;
  }
  return challenges;
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.Unknown, `the registry asks for credentials, and ${reason}`);
}
