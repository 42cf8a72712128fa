import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { ApplicationListStats } from '../../../contract/gen/types.ts';
import { api } from '../../api/index.ts';
import { ClearFilters, readList, readText, SearchFilter, useFilters, useSearchValues, ValuesFilter } from '../../app/index.ts';
import { Button, FilterMenu, Icon, statusLook } from '../../design/index.ts';
import { FILTERS } from './list-query.ts';

const NONE: readonly string[] = [];
const HEALTH: readonly string[] = ['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown'];
const SYNC: readonly string[] = ['Synced', 'OutOfSync', 'Unknown'];

/** What to show: a search, and conditions that must all hold. All of it is in the address. */
export function FilterBar({ stats }: { readonly stats: ApplicationListStats | undefined }): ReactElement {
  const [search, change] = useSearchValues();
  const { projects, all } = useFilterValues();
  return (
    <>
      <SearchFilter label="Search applications by name" placeholder="Search by name" group="Applications" />
      <ValuesFilter name="proj" title="Project" values={projects} />
      <ValuesFilter name="cluster" title="Cluster" values={all?.clusters ?? NONE} />
      <ValuesFilter name="namespace" title="Namespace" values={all?.namespaces ?? NONE} />
      <ValuesFilter name="repo" title="Repository" values={all?.repos ?? NONE} />
      <FilterMenu
        title="Automation"
        values={['on', 'off']}
        chosen={readList(search['autoSync'])}
        onChoose={(chosen) => change({ autoSync: chosen.at(-1) })}
      />
      <LabelField key={readText(search['labels'])} />
      <Button
        look="quiet"
        icon="star"
        isPressed={readText(search['favourites']) === 'true'}
        onClick={() => change({ favourites: readText(search['favourites']) === 'true' ? undefined : 'true' })}
      >
        Favourites
      </Button>
      <ClearFilters filters={useFilters(FILTERS)} />
      <Counts stats={stats} />
    </>
  );
}

/** A selector is asked for when it is whole, not letter by letter. */
function LabelField(): ReactElement {
  const [search, change] = useSearchValues();
  const [text, setText] = useState(readText(search['labels']));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change({ labels: text.trim() });
      }}
    >
      <input
        className="input label-field"
        aria-label="Labels"
        placeholder="Labels: team=web"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => text.trim() !== readText(search['labels']) && change({ labels: text.trim() })}
      />
    </form>
  );
}

/** How many are in which state, each a filter. */
function Counts({ stats }: { readonly stats: ApplicationListStats | undefined }): ReactElement {
  const [search, change] = useSearchValues();
  const chips = (
    kind: 'health' | 'sync',
    values: readonly string[],
    counts: Readonly<Record<string, number>> | undefined,
  ): ReactElement[] => {
    const chosen = readList(search[kind]);
    return values.flatMap((value) => {
      const count = counts?.[value] ?? 0;
      const isChosen = chosen.includes(value);
      if (count === 0 && !isChosen) return [];
      const { tone, icon } = statusLook(kind, value);
      return [
        <button
          key={`${kind} ${value}`}
          type="button"
          className="count-chip"
          data-tone={tone}
          aria-pressed={isChosen}
          onClick={() => change({ [kind]: isChosen ? chosen.filter((each) => each !== value) : [...chosen, value] })}
        >
          <Icon name={icon} size={13} />
          {value} <strong>{count}</strong>
        </button>,
      ];
    });
  };
  return (
    <div className="counts" aria-label="Filter by state" role="group">
      {chips('health', HEALTH, stats?.totalByHealthStatus)}
      <span className="counts-gap" />
      {chips('sync', SYNC, stats?.totalBySyncStatus)}
    </div>
  );
}

/** What there is to choose from: not only in what is shown. */
function useFilterValues(): { readonly projects: readonly string[]; readonly all: ApplicationListStats | undefined } {
  const { data: projects } = useQuery({
    queryKey: ['projects', 'names'],
    queryFn: ({ signal }) => api.ProjectService.List({}, { signal, fields: 'items.metadata.name' }),
    staleTime: 30_000,
  });
  const { data: all } = useQuery({
    queryKey: ['applications', 'stats'],
    queryFn: ({ signal }) => api.ApplicationService.List({ limit: 1 }, { signal, fields: 'stats' }),
    staleTime: 30_000,
  });
  return { projects: (projects?.items ?? []).flatMap(({ metadata }) => metadata?.name ?? []), all: all?.stats };
}
