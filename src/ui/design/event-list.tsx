import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Event, EventList as Events } from '../../contract/gen/types.ts';
import { sortEvents, timeOfEvent, timesOfEvent } from './text/event-order.ts';
import { TimeAgo } from './small.tsx';
import { EmptyState, ErrorState, Loading } from './states.tsx';
import { Badge } from './status.tsx';
import { UserText } from './text/user-text.tsx';
import './event-list.css';

interface EventListProps {
  readonly read: UseQueryResult<Events>;
  /** What would be told here, for where nothing is. */
  readonly empty: string;
}

/** What happened lately, the newest first. What is not asked for at all counts as none. */
export function EventList({ read, empty }: EventListProps): ReactElement {
  const { data, error, refetch, isEnabled } = read;
  if (data === undefined && isEnabled)
    return error === null ? (
      <Loading what="Reading the events" />
    ) : (
      <ErrorState error={error} what="The events could not be read" onRetry={() => void refetch()} />
    );
  const events = sortEvents(data?.items ?? []);
  if (events.length === 0)
    return (
      <EmptyState icon="clock" title="No events">
        {empty}
      </EmptyState>
    );
  return (
    <ul className="event-list card">
      {events.map((event) => (
        <EventLine key={event.metadata.uid ?? event.metadata.name} event={event} />
      ))}
    </ul>
  );
}

function EventLine({ event }: { readonly event: Event }): ReactElement {
  const times = timesOfEvent(event);
  return (
    <li>
      <Badge tone={event.type === 'Warning' ? 'warn' : 'mute'}>
        <UserText>{event.reason}</UserText>
      </Badge>
      <span className="event-list-message">
        <UserText>{event.message}</UserText>
        {times > 1 && <span className="faint"> ({times} times)</span>}
      </span>
      <span className="event-list-time faint">
        <TimeAgo time={timeOfEvent(event)} />
      </span>
    </li>
  );
}
