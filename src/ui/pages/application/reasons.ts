import type { Application, ApplicationCondition, ResourceStatus } from '../../../contract/gen/types.ts';

/** Why something is as it is, in one line, and since when where that is known. */
export interface Reason {
  readonly text: string;
  readonly since?: string | null | undefined;
}

const NAMED_MAX = 3;

export function explainSync({ status, spec }: Application): Reason {
  const { sync, resources = [], conditions = [], operationState } = status ?? {};
  const revision = describeRevision(sync?.revision, sync?.revisions, spec.source?.targetRevision);
  if (sync?.status === 'Synced')
    return { text: revision === '' ? 'Everything is as declared' : `At ${revision}`, since: operationState?.finishedAt };
  if (sync?.status !== 'OutOfSync') return { text: findError(conditions)?.message ?? 'Not compared yet' };
  const differing = resources.filter((resource) => resource.status === 'OutOfSync' && resource.hook !== true);
  const gone = differing.filter(({ requiresPruning }) => requiresPruning === true);
  if (differing.length === 0) return { text: `The source has changed${revision === '' ? '' : `: it is at ${revision}`}` };
  const changed = differing.filter(({ requiresPruning }) => requiresPruning !== true);
  const parts = [
    ...(changed.length > 0
      ? [`${changed.length} of ${resources.length} ${changed.length === 1 ? 'differs' : 'differ'}: ${nameSome(changed)}`]
      : []),
    ...(gone.length > 0 ? [`${gone.length} no longer declared: ${nameSome(gone)}`] : []),
  ];
  return { text: parts.join('; ') };
}

export function explainHealth({ status }: Application): Reason {
  const { health, resources = [] } = status ?? {};
  const since = health?.lastTransitionTime;
  if (health?.message) return { text: health.message, since };
  if (health?.status === 'Healthy') return { text: 'All resources are healthy', since };
  const concerned = resources.filter((resource) => resource.health?.status === health?.status);
  const first = concerned.find((resource) => resource.health?.message) ?? concerned[0];
  if (first === undefined) return { text: '', since };
  const more = concerned.length > 1 ? ` (and ${concerned.length - 1} more)` : '';
  return { text: `${nameOf(first)}${first.health?.message ? `: ${first.health.message}` : ''}${more}`, since };
}

/** Undefined where there has been none yet. */
export function explainOperation({
  status,
  operation,
}: Application): (Reason & { readonly phase: string; readonly isRunning: boolean }) | undefined {
  const state = status?.operationState;
  if (state === undefined) return operation === undefined ? undefined : { phase: 'Running', isRunning: true, text: 'Waiting to begin' };
  const isRunning = state.phase === 'Running' || state.phase === 'Terminating';
  const by = state.operation.initiatedBy;
  const who = by?.username ? ` by ${by.username}` : by?.automated === true ? ' automatically' : '';
  return { phase: state.phase, isRunning, text: state.message || `Started${who}`, since: isRunning ? state.startedAt : state.finishedAt };
}

/** What the application warns of; errors first. */
export function listConditions({ status }: Application): readonly ApplicationCondition[] {
  return (status?.conditions ?? []).toSorted((left, right) => Number(isError(right)) - Number(isError(left)));
}

export function isError({ type }: ApplicationCondition): boolean {
  return type.endsWith('Error');
}

function findError(conditions: readonly ApplicationCondition[]): ApplicationCondition | undefined {
  return conditions.find(isError);
}

function describeRevision(revision = '', revisions: readonly string[] = [], target = ''): string {
  if (revisions.length > 0) return revisions.map(shortRevision).join(', ');
  if (revision === '') return '';
  const short = shortRevision(revision);
  return target === '' || target === revision || target === short ? short : `${short} (${target})`;
}

/** As people write commits: the first seven characters. Other revisions, such as versions of charts, stay whole. */
export function shortRevision(revision: string): string {
  return /^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 7) : revision;
}

function nameSome(resources: readonly ResourceStatus[]): string {
  const names = resources.slice(0, NAMED_MAX).map(nameOf);
  return resources.length > NAMED_MAX ? `${names.join(', ')} and ${resources.length - NAMED_MAX} more` : names.join(', ');
}

function nameOf({ kind = '', name = '' }: ResourceStatus): string {
  return `${kind} ${name}`;
}
