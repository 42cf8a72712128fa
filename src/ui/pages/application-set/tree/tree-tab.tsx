import { useMemo, type ReactElement } from 'react';
import {
  applicationPath,
  AppLink,
  NoMatch,
  readList,
  readText,
  SearchFilter,
  useFilters,
  useGo,
  useSearchValues,
  ValuesFilter,
} from '../../../app/index.ts';
import { EmptyState, Notice, Segments, SelectField, Status, UserText, VirtualTable, type Column } from '../../../design/index.ts';
import { describeGenerators } from '../../application-sets/describe-generators.ts';
import { countApplications, stateOf } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { filterMade, GROUPINGS, groupTitle, listMade, type Grouping, type MadeApplication } from './made-applications.ts';
import { TreeView } from './tree-view.tsx';
import './tree.css';

/** A drawing of more than this helps nobody. */
const DRAWN_MAX = 300;
/** From here on a list is what somebody wants to see first. */
const LIST_FROM = 60;

const FILTERS = ['find', 'health', 'sync'] as const;

const VIEWS = [
  { id: 'tree', title: 'Tree', icon: 'applicationSets' },
  { id: 'list', title: 'List', icon: 'table' },
] as const;

const GROUP_TITLES: Readonly<Record<Grouping, string>> = {
  none: 'Not grouped',
  step: 'By step of the rollout',
  health: 'By health',
  sync: 'By sync status',
};

/** What the set has made. */
export function TreeTab(): ReactElement {
  const set = useShownSet();
  const [search] = useSearchValues();
  const all = useMemo(() => listMade(set), [set]);
  const filter = { text: readText(search['find']), healths: readList(search['health']), syncs: readList(search['sync']) };
  const shown = filterMade(all, filter);
  const filters = useFilters(FILTERS);
  const view = VIEWS.find(({ id }) => id === readText(search['view']))?.id ?? (all.length > LIST_FROM || isNarrow() ? 'list' : 'tree');
  const grouping = GROUPINGS.find((each) => each === readText(search['by'])) ?? 'none';
  if (all.length === 0) return <NothingMade />;
  const { total } = countApplications(set);
  return (
    <>
      <Bar all={all} view={view} grouping={grouping} />
      {total > all.length && (
        <div className="set-note">
          <Notice>
            The status names {all.length.toLocaleString()} of {total.toLocaleString()} applications; the list of applications has them all.
          </Notice>
        </div>
      )}
      {shown.length === 0 ? (
        <NoMatch what="application" filters={filters} />
      ) : view === 'list' ? (
        <MadeList applications={shown} grouping={grouping} />
      ) : (
        <>
          {shown.length > DRAWN_MAX && (
            <div className="set-note">
              <Notice>Only the first {DRAWN_MAX} are drawn. Narrow them down, or look at the list.</Notice>
            </div>
          )}
          <TreeView applications={shown.slice(0, DRAWN_MAX)} grouping={grouping} />
        </>
      )}
    </>
  );
}

/** A tree is wider than a telephone. */
function isNarrow(): boolean {
  return window.matchMedia('(width < 700px)').matches;
}

/** Why there is nothing, as far as the set itself can say. */
function NothingMade(): ReactElement {
  const set = useShownSet();
  const { health } = stateOf(set);
  const preview = (
    <AppLink to="." search={{ tab: 'preview' }}>
      Look at what would be generated now
    </AppLink>
  );
  if (health === 'Degraded')
    return (
      <EmptyState icon="alert" title="It could not make any applications" action={preview}>
        The reason stands above. Mend what it names, and it goes on by itself.
      </EmptyState>
    );
  return (
    <EmptyState icon="applicationSets" title="Its generators yield nothing" action={preview}>
      There are no applications because there is nothing to make them from: <UserText>{describeGenerators(set.spec.generators)}</UserText>.
      Check names and patterns, and whether what they look for is there.
    </EmptyState>
  );
}

interface BarProps {
  readonly all: readonly MadeApplication[];
  readonly view: (typeof VIEWS)[number]['id'];
  readonly grouping: Grouping;
}

function Bar({ all, view, grouping }: BarProps): ReactElement {
  const [, change] = useSearchValues();
  const hasSteps = all.some(({ step }) => step !== '');
  return (
    <div className="row application-set-bar">
      <Segments label="How applications are shown" segments={VIEWS} value={view} onChange={(id) => change({ view: id })} />
      <SearchFilter label="Find by name" group="ApplicationSet" name="find" />
      <ValuesFilter name="health" title="Health" values={all.map(({ health }) => health)} />
      <ValuesFilter name="sync" title="Sync" values={all.map(({ sync }) => sync)} />
      <div className="set-grouping">
        <SelectField
          title={<span className="visually-hidden">Grouping</span>}
          value={grouping}
          options={GROUPINGS.filter((id) => id !== 'step' || hasSteps).map((id) => ({ id, title: GROUP_TITLES[id] }))}
          onChange={(by) => change({ by: by === 'none' ? undefined : by })}
        />
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<MadeApplication>[] = [
  {
    key: 'name',
    title: 'Application',
    width: 'minmax(200px, 3fr)',
    render: (application) => (
      <AppLink to={applicationPath(application)} className="set-node-link one-line" title={application.name}>
        {application.name}
      </AppLink>
    ),
  },
  { key: 'sync', title: 'Sync', width: '130px', render: ({ sync }) => <Status kind="sync" value={sync} /> },
  { key: 'health', title: 'Health', width: '140px', render: ({ health }) => <Status kind="health" value={health} /> },
  {
    key: 'step',
    title: 'Step',
    width: '150px',
    render: ({ step, progress }) => (
      <span className="soft one-line">{step === '' ? '—' : `${step === '-1' ? 'none' : step} · ${progress}`}</span>
    ),
  },
];

function MadeList({
  applications,
  grouping,
}: {
  readonly applications: readonly MadeApplication[];
  readonly grouping: Grouping;
}): ReactElement {
  const go = useGo();
  const rows =
    grouping === 'none'
      ? applications
      : applications.toSorted((one, other) =>
          groupTitle(one, grouping).localeCompare(groupTitle(other, grouping), undefined, { numeric: true }),
        );
  return (
    <div className="card application-set-list">
      <VirtualTable
        label="Applications of the set"
        columns={COLUMNS}
        count={rows.length}
        rowAt={(index) => rows[index]}
        keyOf={({ name }) => name}
        minWidth={620}
        onOpen={(application) => go(applicationPath(application))}
      />
    </div>
  );
}
