import type { ReactElement } from 'react';
import { useStore } from '../../api/index.ts';
import { AppLink, applicationPath } from '../../app/index.ts';
import { Badge, Icon, Status, TimeAgo, Tip, type Column } from '../../design/index.ts';
import { describeDestination, describeSource, keyOfRow, type ApplicationRow } from './application-row.ts';
import { favourites, toggleFavourite } from './favourites.ts';

export interface Selection {
  readonly has: (row: ApplicationRow) => boolean;
  readonly toggle: (row: ApplicationRow) => void;
  /** Of those that have been read. */
  readonly areAll: boolean;
  readonly toggleAll: () => void;
  /** Nothing can be selected now: what is shown could not be read again. */
  readonly isOff: boolean;
}

export function createColumns(selection: Selection): readonly Column<ApplicationRow>[] {
  return [
    {
      key: 'select',
      title: (
        <input
          type="checkbox"
          className="check"
          aria-label="Select all that are listed"
          checked={selection.areAll}
          disabled={selection.isOff}
          onChange={selection.toggleAll}
        />
      ),
      width: '40px',
      render: (row) => (
        <input
          type="checkbox"
          className="check"
          aria-label={`Select ${row.metadata.name}`}
          checked={selection.has(row)}
          disabled={selection.isOff}
          onChange={() => selection.toggle(row)}
        />
      ),
    },
    { key: 'name', title: 'Name', width: 'minmax(200px, 2.4fr)', sort: 'name', render: (row) => <NameCell row={row} /> },
    { key: 'health', title: 'Health', width: '126px', sort: 'health', render: (row) => <HealthCell row={row} /> },
    { key: 'sync', title: 'Sync', width: '126px', sort: 'sync', render: (row) => <SyncCell row={row} /> },
    { key: 'source', title: 'Source', width: 'minmax(170px, 2fr)', render: (row) => <SourceCell row={row} /> },
    {
      key: 'destination',
      title: 'Destination',
      width: 'minmax(130px, 1.4fr)',
      render: (row) => (
        <div className="one-line soft" title={describeDestination(row)}>
          {describeDestination(row)}
        </div>
      ),
    },
    {
      key: 'synced',
      title: 'Last sync',
      width: '112px',
      sort: 'syncedAt',
      render: ({ status }) => (
        <span className="soft one-line">
          {status?.operationState?.finishedAt == null ? '—' : <TimeAgo time={status.operationState.finishedAt} />}
        </span>
      ),
    },
  ];
}

function NameCell({ row }: { readonly row: ApplicationRow }): ReactElement {
  const { metadata, spec } = row;
  return (
    <div className="app-name">
      <FavouriteButton row={row} />
      <div className="grow">
        <div className="app-title">
          <AppLink to={applicationPath(metadata)} className="app-link one-line" title={metadata.name ?? ''}>
            {metadata.name}
          </AppLink>
          {metadata.deletionTimestamp !== undefined && <Badge tone="warn">Deleting</Badge>}
        </div>
        <div className="one-line faint app-project">
          {spec.project}
          {spec.syncPolicy?.automated && ' · automated'}
        </div>
      </div>
    </div>
  );
}

export function FavouriteButton({ row }: { readonly row: ApplicationRow }): ReactElement {
  const path = keyOfRow(row);
  const isMarked = useStore(favourites).includes(path);
  return (
    <button
      type="button"
      className="star"
      aria-pressed={isMarked}
      aria-label={`Favourite ${row.metadata.name}`}
      onClick={() => toggleFavourite(path)}
    >
      <Icon name="star" size={15} isFilled={isMarked} />
    </button>
  );
}

export function HealthCell({ row: { status } }: { readonly row: ApplicationRow }): ReactElement {
  const health = <Status kind="health" value={status?.health?.status} />;
  const message = status?.health?.message;
  return message ? (
    <Tip text={message}>
      <span tabIndex={-1}>{health}</span>
    </Tip>
  ) : (
    health
  );
}

/** A running operation is news; otherwise whether it is in sync, and that the last operation failed where it did. */
export function SyncCell({ row: { status } }: { readonly row: ApplicationRow }): ReactElement {
  const phase = status?.operationState?.phase;
  if (phase === 'Running' || phase === 'Terminating') return <Status kind="phase" value={phase} />;
  const sync = <Status kind="sync" value={status?.sync?.status} />;
  if (phase !== 'Failed' && phase !== 'Error') return sync;
  return (
    <span className="row">
      {sync}
      <Tip text={`The last sync did not succeed: ${status?.operationState?.message ?? ''}`}>
        <span tabIndex={-1}>
          <Status kind="phase" value={phase} isIconOnly />
        </span>
      </Tip>
    </span>
  );
}

function SourceCell({ row }: { readonly row: ApplicationRow }): ReactElement {
  const { repository, place, revision, more } = describeSource(row);
  return (
    <div title={`${repository} ${place} ${revision}`}>
      <div className="one-line">
        {place || '.'} <span className="faint">@ {revision}</span>
        {more > 0 && <span className="faint"> +{more}</span>}
      </div>
      <div className="one-line faint app-project">{repository.replace(/^[a-z+]+:\/\//, '')}</div>
    </div>
  );
}
