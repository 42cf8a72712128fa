import type { Tone } from '../../design/index.ts';
import type { ApplicationRow } from './application-row.ts';

/** What is wrong with an application, since when, and why, in one line. */
export interface Trouble {
  readonly title: string;
  readonly tone: Tone;
  readonly since: string | null | undefined;
  readonly why: string;
  /** What the resources themselves can say more about. */
  readonly asks?: 'health' | 'sync';
  /** The higher, the more urgent. */
  readonly rank: number;
}

/** The most urgent trouble; undefined where nothing needs anybody. */
export function findTrouble({ status }: ApplicationRow): Trouble | undefined {
  const { health, sync, operationState, conditions = [] } = status ?? {};
  const problem = conditions.find(({ type }) => type.endsWith('Error'));
  const phase = operationState?.phase ?? '';
  if (health?.status === 'Degraded') {
    return {
      title: 'Degraded',
      tone: 'bad',
      since: health.lastTransitionTime,
      why: health.message || 'A resource is not healthy.',
      asks: 'health',
      rank: 6,
    };
  }
  if (phase === 'Failed' || phase === 'Error') {
    return {
      title: 'Sync failed',
      tone: 'bad',
      since: operationState?.finishedAt,
      why: operationState?.message || 'The last sync did not succeed.',
      rank: 5,
    };
  }
  if (problem !== undefined) {
    return { title: splitWords(problem.type), tone: 'bad', since: problem.lastTransitionTime, why: problem.message, rank: 4 };
  }
  if (health?.status === 'Missing') {
    return {
      title: 'Missing',
      tone: 'warn',
      since: health.lastTransitionTime,
      why: health.message || 'Resources that the source declares are not in the cluster.',
      asks: 'health',
      rank: 3,
    };
  }
  if (sync?.status === 'OutOfSync') {
    return { title: 'Out of sync', tone: 'warn', since: undefined, why: 'The cluster differs from the source.', asks: 'sync', rank: 2 };
  }
  if (health?.status === 'Unknown' || sync?.status === 'Unknown') {
    return { title: 'Unknown', tone: 'mute', since: health?.lastTransitionTime, why: 'Its state could not be found out.', rank: 1 };
  }
  return undefined;
}

/** `ComparisonError` is `Comparison error`. */
function splitWords(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
