import type { Application, Event } from '../../../../contract/gen/types.ts';
import { sortEvents, timeOfEvent, timesOfEvent, type Tone } from '../../../design/index.ts';
import { shortRevision } from '../reasons.ts';

/** Something that happened to the application. */
export interface Moment {
  readonly key: string;
  readonly time: string;
  readonly kind: 'deployment' | 'operation' | 'event' | 'condition';
  readonly title: string;
  readonly text: string;
  readonly tone: Tone;
  /** A commit, whose words are shown beside. */
  readonly revision?: string | undefined;
}

/** Deployments, operations, warnings and events in one line of time, the newest first. */
export function buildTimeline({ status }: Application, events: readonly Event[]): readonly Moment[] {
  const moments: Moment[] = [];
  for (const { id, revision, revisions, deployedAt, initiatedBy } of status?.history ?? []) {
    if (deployedAt == null) continue;
    const names = (revisions ?? [revision ?? '']).map(shortRevision).join(', ');
    const who = initiatedBy?.username ? ` by ${initiatedBy.username}` : initiatedBy?.automated === true ? ' automatically' : '';
    moments.push({
      key: `deployment ${id}`,
      time: deployedAt,
      kind: 'deployment',
      title: `Deployed ${names}${who}`,
      text: '',
      tone: 'good',
      revision,
    });
  }
  const state = status?.operationState;
  const time = state?.finishedAt ?? state?.startedAt;
  if (state !== undefined && time != null && state.phase !== 'Succeeded') {
    const tone = state.phase === 'Running' ? 'busy' : 'bad';
    moments.push({
      key: 'operation',
      time,
      kind: 'operation',
      title: `Operation ${state.phase.toLowerCase()}`,
      text: state.message ?? '',
      tone,
    });
  }
  for (const { type, message, lastTransitionTime } of status?.conditions ?? []) {
    if (lastTransitionTime == null) continue;
    moments.push({
      key: `condition ${type}`,
      time: lastTransitionTime,
      kind: 'condition',
      title: type,
      text: message,
      tone: type.endsWith('Error') ? 'bad' : 'warn',
    });
  }
  for (const event of sortEvents(events)) {
    const at = timeOfEvent(event);
    if (at === '') continue;
    const times = timesOfEvent(event) > 1 ? ` (${timesOfEvent(event)} times)` : '';
    const tone = event.type === 'Warning' ? 'warn' : 'mute';
    moments.push({
      key: `event ${event.metadata.uid ?? ''}`,
      time: at,
      kind: 'event',
      title: `${event.reason ?? ''}${times}`,
      text: event.message ?? '',
      tone,
    });
  }
  // What is of one second stays in the order of its versions.
  return moments.toSorted((left, right) => right.time.localeCompare(left.time));
}
