import type { AppProject, ProjectRole } from '../../contract/index.ts';

type JWTToken = NonNullable<ProjectRole['jwtTokens']>[number];
type IdentifiedToken = JWTToken & { readonly id: string };

/** How a token is named: by its id, or by when it was issued, in seconds since the epoch. */
export interface ProjectTokenName {
  readonly id?: string;
  readonly issuedAt?: number;
}

/**
 * The tokens of a role, newest first. They are kept twice: in the spec, and in the status, so that whoever applies a project without them
 * does not take them back. What is in either counts.
 */
export function projectTokensOf({ spec, status }: AppProject, role: string): readonly IdentifiedToken[] {
  const own = spec.roles?.find(({ name }) => name === role);
  if (own === undefined) return [];
  const byRole = status?.jwtTokensByRole ?? {};
  const kept = Object.hasOwn(byRole, role) ? (byRole[role]?.items ?? []) : [];
  const tokens = new Map<string, IdentifiedToken>();
  for (const token of [...kept, ...(own.jwtTokens ?? [])]) {
    const id = token.id || String(token.iat);
    if (!tokens.has(id)) tokens.set(id, { ...token, id });
  }
  return [...tokens.values()].toSorted((one, other) => other.iat - one.iat);
}

/** The token that is meant, by its id before its time. */
export function findProjectToken(project: AppProject, role: string, { id = '', issuedAt = 0 }: ProjectTokenName): JWTToken | undefined {
  const tokens = projectTokensOf(project, role);
  return tokens.find((token) => id !== '' && token.id === id) ?? tokens.find((token) => token.iat === issuedAt);
}

/** A project whose role has these tokens, in both places. */
export function withProjectTokens(project: AppProject, role: string, tokens: readonly JWTToken[]): AppProject {
  return keepTokens(project, (name) => (name === role ? tokens : projectTokensOf(project, name)));
}

/** A project with the tokens that its roles had, whatever it says of tokens itself: those of a role that is gone go with it. */
export function withTokensOf(project: AppProject, existing: AppProject): AppProject {
  return keepTokens(project, (name) => projectTokensOf(existing, name));
}

/** A project that keeps what it says of tokens in both places. */
export function withOwnTokens(project: AppProject): AppProject {
  return keepTokens(project, (name) => projectTokensOf(project, name));
}

function keepTokens(project: AppProject, tokensOf: (role: string) => readonly JWTToken[]): AppProject {
  const { jwtTokensByRole: _before, ...otherStatus } = project.status ?? {};
  const byRole: [string, { items: JWTToken[] }][] = [];
  const roles = project.spec.roles?.map((role): ProjectRole => {
    const { jwtTokens: _own, ...rest } = role;
    const tokens = tokensOf(role.name).toSorted((one, other) => other.iat - one.iat);
    if (tokens.length === 0) return rest;
    byRole.push([role.name, { items: tokens }]);
    return { ...rest, jwtTokens: tokens };
  });
  const status = { ...otherStatus, ...(byRole.length > 0 && { jwtTokensByRole: Object.fromEntries(byRole) }) };
  const { status: _status, ...rest } = project;
  return {
    ...rest,
    spec: { ...project.spec, ...(roles && { roles }) },
    ...(Object.keys(status).length > 0 && { status }),
  };
}
