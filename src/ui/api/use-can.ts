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
  return useAnswer(['can-i', resource, action, object], (signal) => askPermission(resource, action, object, signal));
}

/** Whether the caller may do something to any at all; the deed itself is asked about when it is known what it is about. */
export function useCanSomewhere(resource: string, action: string): Permission {
  return useAnswer(['can-i', resource, action], (signal) => ask('can-i-somewhere', { resource, action }, signal));
}

function useAnswer(queryKey: readonly string[], queryFn: (signal: AbortSignal) => Promise<Permission>): Permission {
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => queryFn(signal), staleTime: STALE_MS });
  if (data !== undefined) return data;
  return error === null ? PENDING : { allowed: false, reason: `Permissions could not be checked: ${error.message}` };
}

/** What `useCan` asks, outside a component, for one deed. */
export async function askPermission(resource: string, action: string, object: string, signal?: AbortSignal): Promise<Permission> {
  return ask('can-i', { resource, action, object }, signal);
}

interface Question {
  readonly resource: string;
  readonly action: string;
  readonly object?: string;
}

async function ask(route: 'can-i' | 'can-i-somewhere', question: Question, signal: AbortSignal | undefined): Promise<Permission> {
  const answer = await getJson(`/api/fairway/v1/${route}?${new URLSearchParams({ ...question }).toString()}`, { signal });
  if (isRecord(answer) && answer['allowed'] === true) return { allowed: true, reason: undefined };
  const reason = isRecord(answer) && typeof answer['reason'] === 'string' ? answer['reason'] : 'the policy does not say why';
  return { allowed: false, reason: `You may not ${question.action} ${describeObject(question)}: ${reason}` };
}

function describeObject({ resource, object = '' }: Question): string {
  return object === '' || object === '*' ? resource : `${resource} ${object}`;
}
