import type { ApplicationSet } from '../../../../contract/gen/types.ts';

/** An application that the set has made, as its status tells of it. */
export interface MadeApplication {
  readonly name: string;
  readonly namespace: string;
  readonly sync: string;
  readonly health: string;
  /** The step of the rollout that it is in; empty where the set has none, `-1` where no step takes it. */
  readonly step: string;
  /** How far the rollout has come with it. */
  readonly progress: string;
}

export function listMade({ metadata, status }: ApplicationSet): readonly MadeApplication[] {
  const progress = new Map((status?.applicationStatus ?? []).map((each) => [each.application, each]));
  return (status?.resources ?? []).map(({ name = '', namespace, status: sync, health }) => ({
    name,
    namespace: namespace || (metadata.namespace ?? ''),
    sync: sync || 'Unknown',
    health: health?.status || 'Unknown',
    step: progress.get(name)?.step ?? '',
    progress: progress.get(name)?.status ?? '',
  }));
}

export interface MadeFilter {
  readonly text: string;
  readonly healths: readonly string[];
  readonly syncs: readonly string[];
}

export function filterMade(made: readonly MadeApplication[], { text, healths, syncs }: MadeFilter): readonly MadeApplication[] {
  const wanted = text.trim().toLowerCase();
  return made.filter(
    ({ name, health, sync }) =>
      name.toLowerCase().includes(wanted) &&
      (healths.length === 0 || healths.includes(health)) &&
      (syncs.length === 0 || syncs.includes(sync)),
  );
}

export const GROUPINGS = ['none', 'step', 'health', 'sync'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export function groupTitle({ step, health, sync }: MadeApplication, grouping: Grouping): string {
  if (grouping === 'step') return step === '' || step === '-1' ? 'In no step' : `Step ${step}`;
  return grouping === 'health' ? health : sync;
}
