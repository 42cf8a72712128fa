import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { Badge, EmptyState, Notice, TimeAgo, UserText } from '../../../design/index.ts';
import { useRevision } from '../history/use-revision.ts';
import { useShown, useShownName } from '../use-application.ts';
import { buildTimeline, type Moment } from './build-timeline.ts';
import './timeline.css';

const AGAIN_MS = 10_000;

/** Everything that happened, in one line of time. */
export function TimelineTab(): ReactElement {
  const application = useShown();
  const name = useShownName();
  const { data, error } = useQuery({
    queryKey: ['application', name.appNamespace, name.name, 'events'],
    queryFn: ({ signal }) => api.ApplicationService.ListResourceEvents(name, { signal }),
    refetchInterval: AGAIN_MS,
  });
  const moments = buildTimeline(application, data?.items ?? []);
  if (moments.length === 0) return <EmptyState icon="clock" title="Nothing has happened yet" />;
  return (
    <>
      {error !== null && <Notice tone="warn">Events could not be read: {error.message}</Notice>}
      <ol className="timeline">
        {moments.map((moment) => (
          <Line key={moment.key} moment={moment} />
        ))}
      </ol>
    </>
  );
}

function Line({ moment }: { readonly moment: Moment }): ReactElement {
  const { time, kind, title, text, tone, revision } = moment;
  const { data } = useRevision(revision);
  return (
    <li className="timeline-moment" data-tone={tone}>
      <span className="timeline-time faint">
        <TimeAgo time={time} />
      </span>
      <div className="grow">
        <div className="row">
          <strong>{title}</strong>
          <Badge tone={tone}>{kind}</Badge>
        </div>
        {data?.message !== undefined && (
          <p className="soft">
            <UserText>{data.message.split('\n')[0]}</UserText>{' '}
            <span className="faint">
              <UserText>{data.author}</UserText>
            </span>
          </p>
        )}
        {text !== '' && (
          <p className="soft timeline-text">
            <UserText>{text}</UserText>
          </p>
        )}
      </div>
    </li>
  );
}
