import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import type { ApplicationQuery, ApplicationListStats } from '../../../contract/gen/types.ts';
import { api, queryClient } from '../../api/index.ts';
import { AppLink, applicationPath } from '../../app/index.ts';
import { Badge, EmptyState, ErrorState, Loading, TimeAgo } from '../../design/index.ts';
import { explainHealth, explainSync } from '../application/reasons.ts';
import { keyOfRow, rowFields, type ApplicationRow } from './application-row.ts';
import { findTrouble, type Trouble } from './find-trouble.ts';

const SHOWN_MAX = 300;
/** For so many lines the resources themselves are asked; below them the state of the application must do. */
const ASKED_MAX = 60;
const STALE_MS = 10_000;

/** What is broken, since when and why: one line each, the most urgent first. */
export function Attention({
  query,
  stats,
}: {
  readonly query: ApplicationQuery;
  readonly stats: ApplicationListStats | undefined;
}): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['applications', 'attention', query],
    queryFn: ({ signal }) =>
      api.ApplicationService.List({ ...query, needsAttention: true, limit: SHOWN_MAX }, { signal, fields: rowFields }),
    placeholderData: keepPreviousData,
  });
  // The counts follow the watch; when they change, so may this.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ['applications', 'attention'] });
  }, [stats]);
  if (error !== null && data === undefined)
    return <ErrorState error={error} what="The applications could not be read" onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const troubled = (data.items ?? []).flatMap((row) => {
    const trouble = findTrouble(row);
    return trouble === undefined ? [] : [{ row, trouble }];
  });
  troubled.sort(
    (one, other) => other.trouble.rank - one.trouble.rank || (other.trouble.since ?? '').localeCompare(one.trouble.since ?? ''),
  );
  if (troubled.length === 0)
    return (
      <EmptyState icon="check" title="Nothing needs you">
        Every application that you may see is healthy and as its source says.
      </EmptyState>
    );
  return (
    <ul className="attention" aria-label="What needs attention">
      {troubled.map(({ row, trouble }, index) => (
        <Line key={keyOfRow(row)} row={row} trouble={trouble} isAsked={index < ASKED_MAX} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly row: ApplicationRow;
  readonly trouble: Trouble;
  readonly isAsked: boolean;
}

function Line({ row, trouble, isAsked }: LineProps): ReactElement {
  const { name = '', namespace = '', resourceVersion = '' } = row.metadata;
  const { data } = useQuery({
    queryKey: ['application', namespace, name, 'why', resourceVersion],
    queryFn: ({ signal }) => api.ApplicationService.Get({ name, appNamespace: namespace, projects: [row.spec.project] }, { signal }),
    enabled: isAsked && trouble.asks !== undefined,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const found = data === undefined ? '' : trouble.asks === 'health' ? explainHealth(data).text : explainSync(data).text;
  const why = found || trouble.why;
  return (
    <li className="attention-line">
      <Badge tone={trouble.tone}>{trouble.title}</Badge>
      <AppLink to={applicationPath(row.metadata)} className="app-link one-line">
        {name}
      </AppLink>
      <span className="one-line soft attention-why" title={why}>
        {why}
      </span>
      <span className="faint attention-since">
        <TimeAgo time={trouble.since} />
      </span>
    </li>
  );
}
