import { useMemo, useRef, type ReactElement, type ReactNode } from 'react';
import { Button, EmptyState, FilterMenu, SearchField } from '../design/index.ts';
import { useCommands } from './commands.ts';
import { readList, readText, useSearchValues } from './navigation.tsx';

interface SearchFilterProps {
  readonly label: string;
  /** What the empty field shows; the label unless told otherwise. */
  readonly placeholder?: string;
  /** What is searched; the heading in the help below which the key is. */
  readonly group: string;
  /** What it is called in the address. */
  readonly name?: string;
}

/** What to look for in a list, kept in the address; a key leads there. */
export function SearchFilter({ label, placeholder, group, name = 'search' }: SearchFilterProps): ReactElement {
  const [search, change] = useSearchValues();
  const input = useRef<HTMLInputElement>(null);
  useCommands(
    useMemo(
      () => [{ id: `focus-${name}`, title: 'Search in the list', group, icon: 'search', keys: '/', run: () => input.current?.focus() }],
      [name, group],
    ),
  );
  return (
    <SearchField ref={input} {...{ label, placeholder }} value={readText(search[name])} onChange={(text) => change({ [name]: text })} />
  );
}

interface ValuesFilterProps {
  readonly name: string;
  readonly title: string;
  /** In any order, also more than once. */
  readonly values: readonly (string | undefined)[];
}

/** Any of some values, kept in the address. */
export function ValuesFilter({ name, title, values }: ValuesFilterProps): ReactElement {
  const [search, change] = useSearchValues();
  const sorted = useMemo(() => [...new Set(values)].filter((value) => value !== undefined).toSorted(compare), [values]);
  return <FilterMenu title={title} values={sorted} chosen={readList(search[name])} onChoose={(chosen) => change({ [name]: chosen })} />;
}

const { compare } = new Intl.Collator();

export interface Filters {
  /** Whether anything is left out. */
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

/** Whether any of these names in the address says something, and a way to take them all away. */
export function useFilters(names: readonly string[]): Filters {
  const [search, change] = useSearchValues();
  return {
    isFiltered: names.some((name) => readList(search[name]).some((value) => value !== '')),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}

/** Takes the filters away, where there are any. */
export function ClearFilters({ filters: { isFiltered, clear } }: { readonly filters: Filters }): ReactElement | null {
  if (!isFiltered) return null;
  return (
    <Button look="quiet" icon="close" onClick={clear}>
      Clear
    </Button>
  );
}

interface NoMatchProps {
  /** One of those that are listed, as in `application`. */
  readonly what: string;
  readonly filters: Filters;
  /** What to do next, where taking away a filter is not all. */
  readonly children?: ReactNode;
}

/** Everything is left out. */
export function NoMatch({ what, filters, children }: NoMatchProps): ReactElement {
  return (
    <EmptyState title={`No ${what} matches`} action={<Button onClick={filters.clear}>Clear the filters</Button>}>
      {children ?? 'Take away a filter, or look for a shorter part of the name.'}
    </EmptyState>
  );
}
