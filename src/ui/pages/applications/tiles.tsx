import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { AppLink, applicationPath } from '../../app/index.ts';
import { TimeAgo, statusLook } from '../../design/index.ts';
import { describeDestination, describeSource, keyOfRow, type ApplicationRow } from './application-row.ts';
import { FavouriteButton, HealthCell, SyncCell } from './columns.tsx';

const TILE_WIDTH = 290;
const TILE_HEIGHT = 138;
const GAP = 12;

export interface TilesProps {
  readonly count: number;
  readonly rowAt: (index: number) => ApplicationRow | undefined;
  readonly onRange: (first: number, last: number) => void;
}

/** Applications as tiles: fewer at once, more of each. */
export function Tiles({ count, rowAt, onRange }: TilesProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumnCount(scroller);
  const virtualizer = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => TILE_HEIGHT + GAP,
    overscan: 3,
    onChange: ({ range }) => range && onRange(range.startIndex * columns, (range.endIndex + 1) * columns),
  });
  return (
    <div className="tiles" ref={scroller} tabIndex={0} role="region" aria-label="Applications as tiles">
      <ul className="tiles-body" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().flatMap(({ index: line, start }) =>
          Array.from({ length: columns }, (_, column) => {
            const index = line * columns + column;
            const row = rowAt(index);
            if (index >= count) return null;
            const style = {
              transform: `translate(calc(${column} * (100% + ${GAP}px)), ${start}px)`,
              width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
            };
            return (
              <li key={row === undefined ? index : keyOfRow(row)} className="tile-place" style={style}>
                {row === undefined ? <div className="tile card" /> : <Tile row={row} />}
              </li>
            );
          }),
        )}
      </ul>
    </div>
  );
}

function Tile({ row }: { readonly row: ApplicationRow }): ReactElement {
  const { place, revision } = describeSource(row);
  const { tone } = statusLook('health', row.status?.health?.status);
  return (
    <article className="tile card" data-tone={tone}>
      <header className="row">
        <AppLink to={applicationPath(row.metadata)} className="app-link one-line grow">
          {row.metadata.name}
        </AppLink>
        <FavouriteButton row={row} />
      </header>
      <div className="row tile-states">
        <HealthCell row={row} />
        <SyncCell row={row} />
      </div>
      <div className="one-line soft">
        {row.spec.project} → {describeDestination(row)}
      </div>
      <div className="row faint">
        <span className="one-line grow">
          {place || '.'} @ {revision}
        </span>
        <TimeAgo time={row.status?.operationState?.finishedAt} />
      </div>
    </article>
  );
}

function useColumnCount(element: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(1);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? TILE_WIDTH;
      setColumns(Math.max(1, Math.floor((width + GAP) / (TILE_WIDTH + GAP))));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return columns;
}
