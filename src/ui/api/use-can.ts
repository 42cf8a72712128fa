import { useQuery } from '@tanstack/react-query';
import { getJson } from './api.ts';
import { isRecord } from './call-error.ts';

const STALE_MS = 60_000;

export interface Permission {
  readonly allowed: boolean;
  /** Why not, in words; undefined while allowed or not yet known. */
  readonly reason: string | undefined;
}

const PENDING: Permission = { allowed: false, reason: undefined };

/**
 * Whether the caller may do something, with the reason where not: `useCan('applications', 'sync', 'default/web')`. Answers are shared
 * by all who ask and kept for a minute. Until the answer is there the control is disabled without a word.
 */
export function useCan(resource: string, action: string, object: string): Permission {
  const { data, error } = useQuery({
    queryKey: ['can-i', resource, action, object],
    queryFn: ({ signal }) => askPermission(resource, action, object, signal),
    staleTime: STALE_MS,
  });
  if (data !== undefined) return data;
  return error === null ? PENDING : { allowed: false, reason: `Permissions could not be checked: ${error.message}` };
}

/** The same outside a component, for one deed. */
export async function askPermission(resource: string, action: string, object: string, signal?: AbortSignal): Promise<Permission> {
  const query = new URLSearchParams({ resource, action, object });
  const answer = await getJson(`/api/fairway/v1/can-i?${query.toString()}`, { signal });
  if (isRecord(answer) && answer['allowed'] === true) return { allowed: true, reason: undefined };
  const reason = isRecord(answer) && typeof answer['reason'] === 'string' ? answer['reason'] : 'the policy does not say why';
  return { allowed: false, reason: `You may not ${action} ${describeObject(resource, object)}: ${reason}` };
}

function describeObject(resource: string, object: string): string {
  return object === '' || object === '*' ? resource : `${resource} ${object}`;
}
