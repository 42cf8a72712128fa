import { useQuery } from '@tanstack/react-query';
import { api, getJson } from './api.ts';
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

const PROJECTS_MAX = 30;

/** Whether the caller may do something to at least one: to all, or to those of a project that they see. The deed itself is asked about when it is known. */
export function useCanSomewhere(resource: string, action: string): Permission {
  const { data, error } = useQuery({
    queryKey: ['can-i-somewhere', resource, action],
    queryFn: async ({ signal }) => {
      const everywhere = await askPermission(resource, action, '*', signal);
      if (everywhere.allowed) return everywhere;
      const { items } = await api.ProjectService.List({}, { signal, fields: 'items.metadata.name' });
      const names = (items ?? []).flatMap(({ metadata }) => metadata.name ?? []).slice(0, PROJECTS_MAX);
      const answers = await Promise.all(names.map((name) => askPermission(resource, action, `${name}/*`, signal)));
      return answers.find(({ allowed }) => allowed) ?? everywhere;
    },
    staleTime: STALE_MS,
  });
  if (data !== undefined) return data;
  return error === null ? PENDING : { allowed: false, reason: `Permissions could not be checked: ${error.message}` };
}

/** What `useCan` asks, outside a component, for one deed. */
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
