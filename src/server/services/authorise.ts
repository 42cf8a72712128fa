import type { Policy } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import { formatTime } from '../../objects/index.ts';
import type { Asker } from '../call.ts';

/** What somebody wants to do to what. */
export interface Deed {
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

export function mayDo(policy: Policy, { caller }: Pick<Asker, 'caller'>, { resource, action, object }: Deed): boolean {
  return caller !== undefined && policy.isAllowed(caller, resource, action, object);
}

/** Throws the refusal that says what was not allowed: for deeds whose object the caller named. */
export function requireAllowed(policy: Policy, call: Pick<Asker, 'caller'>, deed: Deed): void {
  if (mayDo(policy, call, deed)) return;
  const { caller } = call;
  const who = caller === undefined ? '' : `, sub: ${caller.username}, iat: ${formatTime(caller.issuedAt * 1000)}`;
  throw new ApiError(Code.PermissionDenied, `permission denied: ${deed.resource}, ${deed.action}, ${deed.object}${who}`);
}

/** The refusal that does not tell whether there is such a thing. */
export function permissionDenied(): ApiError {
  return new ApiError(Code.PermissionDenied, 'permission denied');
}
