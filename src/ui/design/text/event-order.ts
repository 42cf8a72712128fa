import type { Event } from '../../../contract/gen/types.ts';

/** When it happened last; empty where nobody knows. */
export function timeOfEvent({ series, lastTimestamp, eventTime, firstTimestamp }: Event): string {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? '';
}

/** How often it happened. */
export function timesOfEvent({ series, count }: Event): number {
  return series?.count ?? count ?? 1;
}

/** The newest first. Times have only seconds; what was written later has the higher version. */
export function sortEvents(events: readonly Event[]): readonly Event[] {
  return events.toSorted((one, other) => timeOfEvent(other).localeCompare(timeOfEvent(one)) || versionOf(other) - versionOf(one));
}

function versionOf({ metadata }: Event): number {
  return Number(metadata.resourceVersion ?? 0) || 0;
}
