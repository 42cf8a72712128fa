import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../api/index.ts';
import { Badge, EmptyState, ErrorState, Loading, TimeAgo, UserText } from '../../design/index.ts';
import { useShownSet } from './use-application-set.ts';

/** What people and the controller did lately, the newest first. */
export function EventsTab(): ReactElement {
  const { name = '', namespace = '', resourceVersion } = useShownSet().metadata;
  const { data, error, refetch } = useQuery({
    // What the set went through since is told by new events.
    queryKey: ['application-set', namespace, name, 'events', resourceVersion],
    queryFn: ({ signal }) => api.ApplicationSetService.ListResourceEvents({ name, appsetNamespace: namespace }, { signal }),
    placeholderData: (before) => before,
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the events" />
    ) : (
      <ErrorState error={error} what="The events could not be read" onRetry={() => void refetch()} />
    );
  const events = (data.items ?? [])
    .map((event) => ({ event, time: event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? '' }))
    .toSorted((one, other) => other.time.localeCompare(one.time));
  if (events.length === 0)
    return (
      <EmptyState icon="clock" title="No events">
        What is done to this set, and what it does to applications, is told here for an hour or so.
      </EmptyState>
    );
  return (
    <ul className="card application-set-events">
      {events.map(({ event, time }) => (
        <li key={event.metadata.uid ?? event.metadata.name}>
          <Badge tone={event.type === 'Warning' ? 'warn' : 'mute'}>{event.reason ?? ''}</Badge>
          <span className="grow application-set-event">
            <UserText>{event.message}</UserText>
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
