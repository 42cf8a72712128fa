import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { Badge, EmptyState, ErrorState, Loading, TimeAgo } from '../../../design/index.ts';
import { useShownName } from '../use-project.ts';

/** What people did to the project lately, the newest first. */
export function EventsTab(): ReactElement {
  const name = useShownName();
  const { data, error, refetch } = useQuery({
    queryKey: ['project', name, 'events'],
    queryFn: ({ signal }) => api.ProjectService.ListEvents({ name }, { signal }),
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the events" />
    ) : (
      <ErrorState error={error} what="The events could not be read" onRetry={() => void refetch()} />
    );
  const events = (data.items ?? [])
    .map((event) => ({ event, time: event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? '' }))
    .toSorted((one, other) => other.time.localeCompare(one.time) || versionOf(other.event) - versionOf(one.event));
  if (events.length === 0)
    return (
      <EmptyState icon="clock" title="No events">
        What people do to this project is told here for an hour or so.
      </EmptyState>
    );
  return (
    <ul className="project-events card">
      {events.map(({ event, time }) => (
        <li key={event.metadata.uid ?? event.metadata.name}>
          <Badge tone={event.type === 'Warning' ? 'warn' : 'mute'}>{event.reason ?? ''}</Badge>
          <span className="grow user-text">
            {event.message}
            {(event.count ?? 1) > 1 && <span className="faint"> ({event.count} times)</span>}
          </span>
          <span className="faint">
            <TimeAgo time={time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Times have only seconds; what was written later has the higher version. */
function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): number {
  return Number(metadata.resourceVersion ?? 0) || 0;
}
