import type { ReactElement } from 'react';
import type { AppProject, JWTToken, ProjectRole } from '../../../../contract/gen/types.ts';
import { api, useUser, type Permission } from '../../../api/index.ts';
import { IssuedTokens, type IssuedToken } from '../../../design/index.ts';
import { readAgain, useCanUpdate, useShown, useShownName } from '../use-project.ts';

/** The tokens of a role: which there are, never what they are. */
export function RoleTokens({ role }: { readonly role: ProjectRole }): ReactElement {
  const project = useShownName();
  const { name } = role;
  return (
    <IssuedTokens
      owner={name}
      tokens={tokensOf(useShown(), role)}
      permission={useMayIssue(role)}
      level={3}
      onIssue={async (request) => {
        const { token = '' } = await api.ProjectService.CreateToken({ project, role: name, ...request });
        await readAgain(project);
        return token;
      }}
      onDelete={async ({ kept: { iat, id } }) => {
        await api.ProjectService.DeleteToken({ project, role: name, iat, ...(id !== undefined && { id }) });
        await readAgain(project);
      }}
    />
  );
}

/** Those who may change the project issue tokens, and so do those who have the role through a group. */
function useMayIssue({ groups = [] }: ProjectRole): Permission {
  const canUpdate = useCanUpdate();
  const own = useUser()?.groups ?? [];
  // One with a comma is written in quotes.
  const members = groups.map((group) => (/^".*"$/.test(group) ? group.slice(1, -1).replaceAll('""', '"') : group));
  return own.some((group) => members.includes(group)) ? { allowed: true, reason: undefined } : canUpdate;
}

interface RoleToken extends IssuedToken {
  readonly kept: JWTToken;
}

/** They are kept in two places; what is in either counts. The newest come first. */
function tokensOf({ status }: AppProject, { name, jwtTokens = [] }: ProjectRole): readonly RoleToken[] {
  const byRole = status?.jwtTokensByRole ?? {};
  const kept = Object.hasOwn(byRole, name) ? (byRole[name]?.items ?? []) : [];
  const all = new Map([...kept, ...jwtTokens].map((token) => [token.id || String(token.iat), token]));
  return [...all]
    .map(([id, token]) => ({ id, issuedAt: token.iat, expiresAt: token.exp ?? 0, kept: token }))
    .toSorted((one, other) => other.issuedAt - one.issuedAt);
}
