import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type CSSProperties, type KeyboardEvent, type ReactElement, type ReactNode, type RefObject } from 'react';
import { Icon } from './icon.tsx';
import './table.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  /** A track of a CSS grid, as `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly render: (row: Row) => ReactNode;
  /** The name to sort by, where that can be done. */
  readonly sort?: string;
}

export interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** Undefined while it is on its way. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  readonly rowHeight?: number;
  /** Below this many pixels the table scrolls sideways. */
  readonly minWidth?: number;
  /** Pass the same function and the same columns while nothing changes: then rows that stay the same are not drawn anew. */
  readonly onOpen?: (row: Row) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** As `name` or `-name`. */
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** Called with the rows in sight whenever they change. */
  readonly onRange?: (first: number, last: number) => void;
  readonly scrollRef?: RefObject<HTMLDivElement | null>;
}

/** A table of any length that draws only the rows in sight. Arrow keys and j/k move, Enter opens. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactElement {
  const { label, columns, count, rowAt, keyOf, rowHeight = 40, minWidth = 0, onOpen, isSelected, onRange } = props;
  const ownRef = useRef<HTMLDivElement>(null);
  const scroller = props.scrollRef ?? ownRef;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    onChange: ({ range }) => range && onRange?.(range.startIndex, range.endIndex),
  });
  const style = { '--columns': columns.map(({ width }) => width).join(' '), '--table-width': `${minWidth}px` } as CSSProperties;

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    const step = stepOf(event.key);
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const index = row === null ? (step > 0 ? 0 : count - 1) : Math.min(count - 1, Math.max(0, Number(row.dataset['index']) + step));
    event.preventDefault();
    virtualizer.scrollToIndex(index);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };

  return (
    <div
      className="table"
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      tabIndex={0}
      ref={scroller}
      style={style}
      onKeyDown={onKeyDown}
    >
      <TableHead {...props} />
      <div className="table-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rowAt(index);
          return (
            <TableRow
              key={row === undefined ? index : keyOf(row)}
              {...{ row, index, start, size }}
              columns={columns as readonly Column<unknown>[]}
              isSelected={row !== undefined && isSelected?.(row) === true}
              onOpen={onOpen as ((row: unknown) => void) | undefined}
            />
          );
        })}
      </div>
    </div>
  );
}

interface TableRowProps {
  readonly row: unknown;
  readonly index: number;
  readonly start: number;
  readonly size: number;
  readonly columns: readonly Column<unknown>[];
  readonly isSelected: boolean;
  readonly onOpen: ((row: unknown) => void) | undefined;
}

/** Drawn anew only when it is another, moves, or the columns change: of all rows in sight a change usually means one. */
const TableRow = memo(function DrawnRow({ row, index, start, size, columns, isSelected, onOpen }: TableRowProps): ReactElement {
  return (
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      aria-selected={isSelected || undefined}
      data-index={index}
      data-opens={onOpen !== undefined || undefined}
      tabIndex={-1}
      style={{ transform: `translateY(${start}px)`, height: size }}
      onClick={(event) => row !== undefined && !isControl(event.target) && onOpen?.(row)}
      onKeyDown={(event) => row !== undefined && event.key === 'Enter' && event.target === event.currentTarget && onOpen?.(row)}
    >
      {columns.map((column) => (
        <div key={column.key} role="cell">
          {row === undefined ? <span className="table-skeleton" /> : column.render(row)}
        </div>
      ))}
    </div>
  );
});

function TableHead<Row>({ columns, order = '', onOrder }: VirtualTableProps<Row>): ReactElement {
  const [by, isDown] = [order.replace(/^-/, ''), order.startsWith('-')];
  return (
    <div className="table-head" role="rowgroup">
      <div role="row" aria-rowindex={1} className="table-head-row">
        {columns.map(({ key, title, sort }) => (
          <div
            key={key}
            role="columnheader"
            aria-sort={sort !== undefined && sort === by ? (isDown ? 'descending' : 'ascending') : undefined}
          >
            {sort !== undefined && onOrder ? (
              <button type="button" className="table-sort" onClick={() => onOrder(sort === by && !isDown ? `-${sort}` : sort)}>
                {title}
                {sort === by && <Icon name={isDown ? 'arrowDown' : 'arrowUp'} size={11} />}
              </button>
            ) : (
              title
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function stepOf(key: string): number | undefined {
  if (key === 'ArrowDown' || key === 'j') return 1;
  if (key === 'ArrowUp' || key === 'k') return -1;
  return undefined;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** What answers clicks itself. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [role="menu"]') !== null;
}
