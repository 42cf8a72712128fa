import type { ApplicationSet, ApplicationSetCondition } from '../../../contract/gen/types.ts';

/** How a set is doing, since when, and why, in one line. */
export interface SetState {
  /** In the words of health. */
  readonly health: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string | null | undefined;
}

/** From its conditions: they say since when, which the health that the server derives from them does not. */
export function stateOf({ status, metadata }: ApplicationSet): SetState {
  const conditions = status?.conditions ?? [];
  const find = (type: string): ApplicationSetCondition | undefined =>
    conditions.find((condition) => condition.type === type && condition.status === 'True');
  if (metadata.deletionTimestamp != null)
    return { health: 'Progressing', reason: 'Deleting', message: 'It is being deleted', since: metadata.deletionTimestamp };
  const decisive = [
    ['Degraded', find('ErrorOccurred')],
    ['Progressing', find('RolloutProgressing')],
    ['Healthy', find('ResourcesUpToDate')],
  ] as const;
  for (const [health, condition] of decisive) {
    if (condition === undefined) continue;
    const { reason, lastTransitionTime } = condition;
    // That all is well with nothing is what somebody has to be told who wonders where the applications are.
    const isIdle = health === 'Healthy' && (status?.resources ?? []).length === 0;
    return { health, reason, message: isIdle ? 'Its generators yield nothing' : condition.message, since: lastTransitionTime };
  }
  if (conditions.length === 0)
    return { health: 'Unknown', reason: '', message: 'Nobody has looked at it yet', since: metadata.creationTimestamp };
  return { health: 'Unknown', reason: '', message: 'It is not known yet whether its applications are as they should be', since: undefined };
}

export interface ApplicationCounts {
  readonly total: number;
  readonly healthy: number;
  readonly outOfSync: number;
  /** How many there are in each state of health; the most frequent first. */
  readonly byHealth: readonly (readonly [string, number])[];
}

export function countApplications({ status }: ApplicationSet): ApplicationCounts {
  const resources = status?.resources ?? [];
  const byHealth = new Map<string, number>();
  for (const { health } of resources) {
    const word = health?.status || 'Unknown';
    byHealth.set(word, (byHealth.get(word) ?? 0) + 1);
  }
  return {
    // The list may be cut; the count is not.
    total: Math.max(status?.resourcesCount ?? 0, resources.length),
    healthy: byHealth.get('Healthy') ?? 0,
    outOfSync: resources.filter((resource) => resource.status === 'OutOfSync').length,
    byHealth: [...byHealth].toSorted(([, one], [, other]) => other - one),
  };
}

export function projectOf({ spec }: ApplicationSet): string {
  return spec.template.spec.project || 'default';
}

/** The object of the policy that permissions on a set name. The server leaves its own namespace out. */
export function policyObject(set: ApplicationSet): string {
  const { name = '', namespace = '' } = set.metadata;
  return namespace === '' ? `${projectOf(set)}/${name}` : `${projectOf(set)}/${namespace}/${name}`;
}

export function applicationSetPath({ name = '', namespace = '' }: { readonly name?: string; readonly namespace?: string }): string {
  return `/applicationsets/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
