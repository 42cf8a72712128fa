import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import type { ApplicationQuery, ApplicationListStats } from '../../../contract/gen/types.ts';
import { api, describeError, queryClient } from '../../api/index.ts';
import { AppLink, applicationPath, useFilters } from '../../app/index.ts';
import { Badge, Button, EmptyState, ErrorState, FromBefore, Loading, TimeAgo } from '../../design/index.ts';
import { explainHealth, explainSync } from '../application/reasons.ts';
import { keyOfRow, rowFields, type ApplicationRow } from './application-row.ts';
import { findTrouble, type Trouble } from './find-trouble.ts';
import { FILTERS } from './list-query.ts';

/** How many are read at once. */
const STEP = 300;
/** The server's order of health begins with `Degraded`: where there are more than are read, nothing less urgent takes their place. */
const ORDER = 'health';
/** For so many lines the resources themselves are asked; below them the state of the application must do. */
const ASKED_MAX = 60;
const STALE_MS = 10_000;
/** There is another one for each version of each application: they are let go soon after nobody looks. */
const KEPT_MS = 30_000;

/** What is broken, since when and why: one line each, the most urgent first. */
export function Attention({
  query,
  stats,
}: {
  readonly query: ApplicationQuery;
  readonly stats: ApplicationListStats | undefined;
}): ReactElement {
  const [limit, setLimit] = useState(STEP);
  const filters = useFilters(FILTERS);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['applications', 'attention', query, limit],
    queryFn: ({ signal }) =>
      api.ApplicationService.List({ ...query, needsAttention: true, orderBy: ORDER, limit }, { signal, fields: rowFields }),
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
  const left = Math.max(0, (data.stats?.total ?? 0) - (data.items ?? []).length);
  return (
    <>
      {error !== null && (
        <div className="list-page-notice">
          <FromBefore onRetry={() => void refetch()}>The applications could not be read again: {describeError(error)}.</FromBefore>
        </div>
      )}
      {troubled.length === 0 && left === 0 ? (
        <NothingWrong filters={filters} />
      ) : (
        <ul className="attention" aria-label="What needs attention">
          {troubled.map(({ row, trouble }, index) => (
            <Line key={keyOfRow(row)} row={row} trouble={trouble} isAsked={index < ASKED_MAX} />
          ))}
          {left > 0 && (
            <li className="attention-more">
              <span className="soft">and {left.toLocaleString()} more</span>
              <Button isBusy={isPlaceholderData} onClick={() => setLimit(limit + STEP)}>
                Show more
              </Button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function NothingWrong({ filters }: { readonly filters: ReturnType<typeof useFilters> }): ReactElement {
  if (!filters.isFiltered)
    return (
      <EmptyState icon="check" title="Nothing needs you">
        Every application that you may see is healthy and as its source says.
      </EmptyState>
    );
  return (
    <EmptyState icon="check" title="Nothing here needs you" action={<Button onClick={filters.clear}>Clear the filters</Button>}>
      Every application that the filters leave is healthy and as its source says. Of the others this says nothing.
    </EmptyState>
  );
}

interface LineProps {
  readonly row: ApplicationRow;
  readonly trouble: Trouble;
  readonly isAsked: boolean;
}

function Line({ row, trouble, isAsked }: LineProps): ReactElement {
  const { name = '', namespace = '', resourceVersion = '' } = row.metadata;
  const { asks } = trouble;
  const { data: found } = useQuery({
    queryKey: ['application', namespace, name, 'why', asks, resourceVersion],
    // Kept is the line alone: an application with all its resources may be large.
    queryFn: async ({ signal }) => {
      const application = await api.ApplicationService.Get({ name, appNamespace: namespace, projects: [row.spec.project] }, { signal });
      return (asks === 'health' ? explainHealth(application) : explainSync(application)).text;
    },
    enabled: isAsked && asks !== undefined,
    staleTime: STALE_MS,
    gcTime: KEPT_MS,
    placeholderData: keepPreviousData,
  });
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
