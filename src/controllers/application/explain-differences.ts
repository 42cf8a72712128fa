import type { ResourceDiff } from '../../contract/index.ts';
import { findDifferences, formatKey, type ManagedResource } from '../../engine/index.ts';
import type { SeenApplication } from './see-live.ts';

/** More than this are not asked for, for one answer: who changed what is then named only where it is known anyway. */
const ASKED_MAX = 50;

type Explained = NonNullable<ResourceDiff['differences']>;

/**
 * Says of each resource of an application which fields differ, and why. Who wrote a field is known by its live object with its
 * `managedFields`, which are asked for where something differs.
 */
export async function explainDifferences(
  { cluster, result }: SeenApplication,
  signal: AbortSignal,
): Promise<(resource: ManagedResource) => Explained> {
  const changed = result.resources.filter(({ comparison, desired, live }) => comparison.modified && desired && live).slice(0, ASKED_MAX);
  const targets = changed.map(({ group, version, kind, namespace, name }) => ({ group, version, kind, namespace, name, withOwners: true }));
  // No application: what it has is known, and only these are needed whole.
  const owned = targets.length === 0 ? undefined : await cluster.cache.liveObjects('', targets, signal);
  return (resource) => {
    const { comparison, desired, live, requiresPruning, status } = resource;
    const differs = comparison.modified || (requiresPruning && status === 'OutOfSync');
    return differs
      ? [...findDifferences({ desired, comparison, live: live && (owned?.get(formatKey(resource)) ?? live) })].map(toEntry)
      : [];
  };
}

function toEntry({ path, cause, manager, ignoreRule }: ReturnType<typeof findDifferences>[number]): Explained[number] {
  const { group, kind, name = '', namespace = '', jsonPointers = [] } = ignoreRule;
  return {
    path,
    cause,
    ...(manager !== undefined && { manager }),
    // What is missing or too much as a whole cannot be ignored by a pointer.
    ...(path !== '' && { ignoreRule: { group, kind, name, namespace, jsonPointers: [...jsonPointers] } }),
  };
}
