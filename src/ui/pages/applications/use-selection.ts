import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { keyOfRow, type ApplicationRow } from './application-row.ts';
import type { Selection } from './columns.tsx';
import type { PagesState } from './create-application-pages.ts';

type Selected = ReadonlyMap<string, ApplicationRow>;

/**
 * Which applications are selected. The selection stays the same object while rows change, so that only those are drawn anew. What is shown
 * of another question, or could not be read again, is not for selecting.
 */
export function useSelection({ pages, error, isFromBefore }: Pick<PagesState, 'pages' | 'error' | 'isFromBefore'>): {
  readonly selected: Selected;
  readonly selection: Selection;
  readonly clear: () => void;
} {
  const [selected, setSelected] = useState<Selected>(new Map());
  const areAll = selected.size > 0 && areAllSelected(pages, selected);
  const isOff = error !== undefined;
  const read = useRef({ pages, isFromBefore });
  useLayoutEffect(() => {
    read.current = { pages, isFromBefore };
  });
  const selection = useMemo(
    (): Selection => ({
      areAll,
      isOff,
      has: (row) => selected.has(keyOfRow(row)),
      toggle: (row) => {
        if (read.current.isFromBefore) return;
        const next = new Map(selected);
        if (!next.delete(keyOfRow(row))) next.set(keyOfRow(row), row);
        setSelected(next);
      },
      // All at once are those that have been read: what somebody has not seen, they did not choose.
      toggleAll: () => {
        if (read.current.isFromBefore) return;
        setSelected(new Map(areAll ? [] : listRows(read.current.pages).map((row) => [keyOfRow(row), row])));
      },
    }),
    [selected, areAll, isOff],
  );
  return { selected, selection, clear: () => setSelected(new Map()) };
}

function areAllSelected(pages: PagesState['pages'], selected: Selected): boolean {
  const rows = listRows(pages);
  return rows.length > 0 && rows.every((row) => selected.has(keyOfRow(row)));
}

function listRows(pages: PagesState['pages']): readonly ApplicationRow[] {
  return [...pages.values()].flat();
}
