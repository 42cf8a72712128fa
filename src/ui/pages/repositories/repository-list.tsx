import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import type { Repository } from '../../../contract/gen/types.ts';
import { describeError } from '../../api/index.ts';
import { ClearFilters, NoMatch, readList, readText, SearchFilter, useFilters, useSearchValues, ValuesFilter } from '../../app/index.ts';
import {
  Badge,
  Button,
  ConnectionCell,
  EmptyState,
  ErrorState,
  ListPage,
  Loading,
  showToast,
  VirtualTable,
  type Column,
  UserText,
} from '../../design/index.ts';
import { typeTitles } from './describe-fields.ts';
import { entryOfRepository, readType } from './entry.ts';
import { objectOf, type Family } from './families.ts';
import { RemoveRepository } from './remove-dialog.tsx';
import { RepositoryForm } from './repository-form.tsx';
import { RepositoryPanel } from './repository-panel.tsx';
import { isSame, refreshStates, useRepositories } from './use-repositories.ts';

const FILTERS = ['search', 'type', 'proj', 'state'] as const;
const TYPES = Object.keys(typeTitles);
const STATES = ['Successful', 'Failed', 'Unknown'] as const;

const COLUMNS: readonly Column<Repository>[] = [
  {
    key: 'repository',
    title: 'Repository',
    width: 'minmax(170px, 3fr)',
    render: ({ repo, name }) => (
      <div>
        <div className="one-line repositories-name">
          <UserText>{name || repo}</UserText>
        </div>
        {name !== undefined && (
          <div className="one-line faint">
            <UserText>{repo}</UserText>
          </div>
        )}
      </div>
    ),
  },
  {
    key: 'connection',
    title: 'Connection',
    width: 'minmax(220px, 3fr)',
    render: ({ connectionState }) => (
      <ConnectionCell status={connectionState?.status} message={connectionState?.message} attemptedAt={connectionState?.attemptedAt} />
    ),
  },
  { key: 'type', title: 'Type', width: '70px', render: ({ type }) => <Badge>{typeTitles[readType(type)]}</Badge> },
  {
    key: 'project',
    title: 'Project',
    width: 'minmax(90px, 1fr)',
    render: ({ project }) =>
      project ? (
        <span className="one-line">
          <UserText>{project}</UserText>
        </span>
      ) : (
        <span className="faint">any</span>
      ),
  },
  {
    key: 'credentials',
    title: 'Credentials',
    width: '120px',
    render: ({ inheritedCreds }) => (inheritedCreds === true ? 'from a template' : <span className="faint">its own or none</span>),
  },
];

/** The repositories of a family, narrowed as the address says. */
export function RepositoryList({ family, actions }: { readonly family: Family; readonly actions: ReactNode }): ReactElement {
  const [search, change] = useSearchValues();
  const { data, error, refetch } = useRepositories(family.id);
  const shown = useMemo(() => (data ?? []).filter((repository) => isWanted(repository, search)), [data, search]);
  const open = (repository: Repository): void => change({ open: repository.repo, of: repository.project }, { replace: false });
  const filters = useFilters(FILTERS);
  return (
    <>
      <ListPage title="Repositories" total={data?.length} actions={actions} filters={<Filters {...{ family }} all={data ?? []} />}>
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The repositories could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Asking the repositories" />
        ) : data.length === 0 ? (
          <Nothing />
        ) : shown.length === 0 ? (
          <NoMatch what="repository" filters={filters} />
        ) : (
          <VirtualTable
            label="Repositories"
            columns={COLUMNS}
            count={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={objectOf}
            rowHeight={54}
            minWidth={740}
            onOpen={open}
          />
        )}
      </ListPage>
      <Opened family={family} repositories={data ?? []} />
    </>
  );
}

/** The repository that the address names: looked at, changed or removed. */
function Opened({ family, repositories }: { readonly family: Family; readonly repositories: readonly Repository[] }): ReactElement | null {
  const [search, change] = useSearchValues();
  const named = { repo: readText(search['open']), project: readText(search['of']) };
  const repository = repositories.find((each) => isSame(each, named));
  if (repository === undefined) return null;
  return <OneOpened key={objectOf(named)} {...{ family, repository }} onClose={() => change({ open: undefined, of: undefined })} />;
}

interface OneOpenedProps {
  readonly family: Family;
  readonly repository: Repository;
  readonly onClose: () => void;
}

function OneOpened({ family, repository, onClose }: OneOpenedProps): ReactElement {
  const [deed, setDeed] = useState<'edit' | 'remove'>();
  const back = (): void => setDeed(undefined);
  if (deed === 'edit') return <RepositoryForm {...{ family }} start={entryOfRepository(repository)} isStored onClose={back} />;
  if (deed === 'remove') return <RemoveRepository {...{ family, repository }} onClose={back} onRemoved={onClose} />;
  return <RepositoryPanel {...{ family, repository, onClose }} onEdit={() => setDeed('edit')} onRemove={() => setDeed('remove')} />;
}

function Filters({ family, all }: { readonly family: Family; readonly all: readonly Repository[] }): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const refresh = (): void => {
    setBusy(true);
    refreshStates(family)
      .catch((error: unknown) => showToast('bad', describeError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <SearchFilter label="Search by name or address" group="Repositories" />
      <ValuesFilter name="type" title="Type" values={TYPES} />
      <ValuesFilter name="proj" title="Project" values={all.map(({ project }) => project || undefined)} />
      <ValuesFilter name="state" title="Connection" values={STATES} />
      <ClearFilters filters={useFilters(FILTERS)} />
      <span className="grow" />
      <Button look="quiet" icon="refresh" isBusy={isBusy} onClick={refresh}>
        Try all again
      </Button>
    </>
  );
}

function isWanted(
  { repo, name = '', type, project = '', connectionState }: Repository,
  search: ReturnType<typeof useSearchValues>[0],
): boolean {
  const words = readText(search['search']).toLowerCase();
  const has = (list: string, value: string): boolean => {
    const wanted = readList(search[list]);
    return wanted.length === 0 || wanted.includes(value);
  };
  return (
    `${name} ${repo}`.toLowerCase().includes(words) &&
    has('type', readType(type)) &&
    has('proj', project) &&
    has('state', connectionState?.status || 'Unknown')
  );
}

function Nothing(): ReactElement {
  return (
    <EmptyState icon="repository" title="No repositories yet">
      Applications can read public repositories as they are. Add those that need credentials, Helm repositories with a name, and registries.
      Where many repositories share credentials, add a credential template for the beginning of their address.
    </EmptyState>
  );
}
