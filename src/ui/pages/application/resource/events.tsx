import type { ReactElement } from 'react';
import { Badge, EmptyState, ErrorState, Loading, TimeAgo, UserText } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useEvents } from './use-resource.ts';

/** What happened to it lately, the newest first. */
export function ResourceEvents({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data, error, refetch } = useEvents(resource);
  if (data === undefined && resource.uid !== '')
    return error === null ? <Loading /> : <ErrorState error={error} what="The events could not be read" onRetry={() => void refetch()} />;
  const events = (data?.items ?? []).toSorted((left, right) => timeOf(right).localeCompare(timeOf(left)));
  if (events.length === 0)
    return (
      <EmptyState icon="clock" title="No events">
        A cluster forgets its events after an hour or so.
      </EmptyState>
    );
  return (
    <ul className="resource-events">
      {events.map((event) => (
        <li key={event.metadata.uid}>
          <div className="row">
            <Badge tone={event.type === 'Warning' ? 'warn' : 'mute'}>{event.reason ?? ''}</Badge>
            {(event.count ?? 1) > 1 && <span className="faint">{event.count} times</span>}
            <span className="grow" />
            <span className="faint">
              <TimeAgo time={timeOf(event)} />
            </span>
          </div>
          <p className="resource-event">
            <UserText>{event.message}</UserText>
          </p>
        </li>
      ))}
    </ul>
  );
}

function timeOf(event: {
  readonly lastTimestamp: string | null;
  readonly eventTime: string | null;
  readonly firstTimestamp: string | null;
}): string {
  return event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? '';
}
