import { randomUUID } from 'node:crypto';
import { memberOf, type ProjectToken } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { ProjectTokenCreateRequest, ProjectTokenDeleteRequest, ProjectTokenResponse } from '../../../contract/index.ts';
import { findProjectToken, projectTokensOf, withProjectTokens, type AppProject } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, requireAllowed } from '../authorise.ts';
import type { ProjectServiceOptions } from './project-context.ts';
import { recordProjectEvent } from './record-project-event.ts';
import { modifyStored, readStored } from './store-project.ts';

/** Longer than any name that somebody would give, and short enough for a token to be carried in a header. */
const idLengthMax = 256;

/** Issues a token for a role. It is written down in the project before anybody has it. */
export async function createRoleToken(
  context: ProjectServiceOptions,
  { project = '', role = '', expiresIn = 0, id: asked = '' }: ProjectTokenCreateRequest,
  call: Call,
): Promise<ProjectTokenResponse> {
  await requireRoleAccess(context, call, project, role);
  if (asked.length > idLengthMax) throw invalid(`token id must not exceed ${idLengthMax} characters`);
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  if (expiresIn < 0 || !Number.isSafeInteger(nowSeconds + expiresIn)) throw invalid(`expiresIn ${expiresIn} is out of range`);
  const id = asked === '' ? randomUUID() : asked;
  let issued: ProjectToken | undefined;
  const add = (stored: AppProject): AppProject => {
    const tokens = requireRoleTokens(stored, role);
    if (tokens.some((token) => token.id === id)) throw invalid(`Token id '${id}' has been used. `);
    const issuedAt = findFreeTime(nowSeconds, tokens);
    issued = { project, role, id, issuedAt, expiresAt: expiresIn === 0 ? undefined : nowSeconds + expiresIn };
    const entry = { iat: issuedAt, ...(issued.expiresAt !== undefined && { exp: issued.expiresAt }), id };
    return withProjectTokens(stored, role, [entry, ...tokens]);
  };
  const stored = await modifyStored(context, project, add, call.signal);
  if (stored !== undefined) await recordProjectEvent(context, call, stored, { reason: 'ResourceCreated', action: 'created token' });
  if (issued === undefined) throw new Error('a token was stored that was not made');
  return { token: await context.sessions.signForProject(issued) };
}

/** Takes a token back: from now on it is refused. What is not there is gone already. */
export async function deleteRoleToken(
  context: ProjectServiceOptions,
  { project = '', role = '', iat = 0, id = '' }: ProjectTokenDeleteRequest,
  call: Call,
): Promise<Record<string, never>> {
  await requireRoleAccess(context, call, project, role);
  const remove = (stored: AppProject): AppProject | undefined => {
    const token = findProjectToken(stored, role, { id, issuedAt: iat });
    if (token === undefined) return undefined;
    const kept = projectTokensOf(stored, role).filter((other) => other.id !== token.id);
    return withProjectTokens(stored, role, kept);
  };
  const stored = await modifyStored(context, project, remove, call.signal);
  if (stored !== undefined) await recordProjectEvent(context, call, stored, { reason: 'ResourceDeleted', action: 'deleted token' });
  return {};
}

/** Whoever may change the project, or has the role through a group. Others do not learn whether there is such a project or role. */
async function requireRoleAccess(context: ProjectServiceOptions, call: Call, project: string, role: string): Promise<void> {
  const deed = { resource: 'projects', action: 'update', object: project };
  if (mayDo(context.policy, call, deed)) return;
  const groups = call.caller?.groups ?? [];
  const isMember = groups.length > 0 && (await groupsOf(context, project, role, call.signal)).some((group) => groups.includes(group));
  if (!isMember) requireAllowed(context.policy, call, deed);
}

async function groupsOf(context: ProjectServiceOptions, project: string, role: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { spec } = await readStored(context, project, signal);
    return (spec.roles?.find(({ name }) => name === role)?.groups ?? []).map(memberOf);
  } catch (error) {
    if (error instanceof ApiError && error.code === Code.NotFound) return [];
    throw error;
  }
}

function requireRoleTokens(project: AppProject, role: string): ReturnType<typeof projectTokensOf> {
  if (project.spec.roles?.some(({ name }) => name === role) !== true)
    throw new ApiError(Code.NotFound, `project '${project.metadata.name ?? ''}' does not have role '${role}'`);
  return projectTokensOf(project, role);
}

/** Clients delete tokens by when they were issued, so no two of a role have the same second: a later one takes the free one before. */
function findFreeTime(nowSeconds: number, tokens: readonly { readonly iat: number }[]): number {
  const taken = new Set(tokens.map(({ iat }) => iat));
  let time = nowSeconds;
  while (taken.has(time)) time -= 1;
  return time;
}

function invalid(message: string): ApiError {
  return new ApiError(Code.InvalidArgument, message);
}
