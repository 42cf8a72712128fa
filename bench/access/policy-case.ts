/** A policy and applications of an installation with many teams. */
import type { Caller } from '../../src/access/index.ts';

const teamCount = 48;

/** Two hundred lines: four for each team, and a few for everyone. */
export const policyLines: readonly string[] = [
  'p, role:viewer, applications, get, */*, allow',
  'p, role:viewer, applications, get, secret-*/*, deny',
  'p, role:operator, applications, sync, */*, allow',
  'p, role:operator, logs, get, */*, allow',
  'g, operators, role:operator',
  'g, role:operator, role:viewer',
  'g, platform, role:admin',
  'p, auditor, projects, get, *, allow',
  ...Array.from({ length: teamCount }, (_, team) => [
    `p, role:team-${team}, applications, *, team-${team}/*, allow`,
    `p, role:team-${team}, applications, delete, team-${team}/production-*, deny`,
    `p, role:team-${team}, logs, get, team-${team}/*, allow`,
    `g, team-${team}, role:team-${team}`,
  ]).flat(),
];

/** `<project>/<name>`, as policies name them. */
export function nameApplications(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `team-${index % (teamCount * 2)}/${index % 7 === 0 ? 'production-' : ''}app-${index}`);
}

/** Somebody of three teams, through a provider that tells groups. */
export const member: Caller = {
  username: 'alice@example.com',
  issuer: 'https://sso.example.com',
  groups: ['everyone', 'team-3', 'team-17', 'team-40', 'people'],
  capability: 'login',
  tokenId: 'x',
  issuedAt: 0,
  expiresAt: undefined,
};
