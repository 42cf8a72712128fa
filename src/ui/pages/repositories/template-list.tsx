import { useState, type ReactElement, type ReactNode } from 'react';
import type { RepoCreds } from '../../../contract/gen/types.ts';
import { useCan } from '../../api/index.ts';
import { readText, SearchFilter, useSearchValues } from '../../app/index.ts';
import {
  EmptyState,
  ErrorState,
  ListPage,
  Loading,
  Menu,
  MenuItem,
  VirtualTable,
  type Column,
  UserText,
  formatCount,
} from '../../design/index.ts';
import { entryOfTemplate } from './entry.ts';
import type { Family } from './families.ts';
import { isBelow, RemoveTemplate } from './remove-dialog.tsx';
import { RepositoryForm } from './repository-form.tsx';
import { useRepositories, useTemplates } from './use-repositories.ts';

interface Asked {
  readonly template: RepoCreds;
  readonly deed: 'edit' | 'remove';
}

/** Credentials for all repositories whose address begins alike. */
export function TemplateList({ family, actions }: { readonly family: Family; readonly actions: ReactNode }): ReactElement {
  const [search] = useSearchValues();
  const { data, error, refetch } = useTemplates(family.id);
  const [asked, setAsked] = useState<Asked>();
  const words = readText(search['search']).toLowerCase();
  const shown = (data ?? []).filter(({ url }) => url.toLowerCase().includes(words));
  const close = (): void => setAsked(undefined);
  return (
    <>
      <ListPage
        title="Credential templates"
        total={data?.length}
        actions={actions}
        filters={<SearchFilter label="Search by address" group="Credential templates" />}
      >
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The credential templates could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Reading the credential templates" />
        ) : shown.length === 0 ? (
          <EmptyState icon="key" title={words === '' ? 'No credential templates yet' : 'No template matches'}>
            A template holds the credentials for all repositories below an address, such as those of a team, so that each of them need not
            have its own.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Credential templates"
            columns={columnsFor(family, setAsked)}
            count={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={({ url }) => url}
            minWidth={560}
          />
        )}
      </ListPage>
      {asked?.deed === 'edit' && <RepositoryForm {...{ family }} start={entryOfTemplate(asked.template)} isStored onClose={close} />}
      {asked?.deed === 'remove' && <RemoveTemplate {...{ family }} template={asked.template} onClose={close} onRemoved={close} />}
    </>
  );
}

function columnsFor(family: Family, onAsk: (asked: Asked) => void): readonly Column<RepoCreds>[] {
  return [
    {
      key: 'url',
      title: 'Addresses that begin with',
      width: 'minmax(220px, 3fr)',
      render: ({ url }) => (
        <span className="one-line">
          <UserText>{url}</UserText>
        </span>
      ),
    },
    {
      key: 'username',
      title: 'User name',
      width: 'minmax(100px, 1fr)',
      render: ({ username }) =>
        username ? (
          <span className="one-line">
            <UserText>{username}</UserText>
          </span>
        ) : (
          <span className="faint">—</span>
        ),
    },
    { key: 'users', title: 'Used by', width: '140px', render: ({ url }) => <CountUsers {...{ family, url }} /> },
    {
      key: 'more',
      title: <span className="visually-hidden">What to do</span>,
      width: '50px',
      render: (template) => <Actions {...{ family, template, onAsk }} />,
    },
  ];
}

function CountUsers({ family, url }: { readonly family: Family; readonly url: string }): ReactElement {
  const { data = [] } = useRepositories(family.id);
  const count = data.filter(({ repo, inheritedCreds }) => inheritedCreds === true && isBelow(repo, url)).length;
  return <>{formatCount(count, 'repository', 'repositories')}</>;
}

interface ActionsProps {
  readonly family: Family;
  readonly template: RepoCreds;
  readonly onAsk: (asked: Asked) => void;
}

function Actions({ family, template, onAsk }: ActionsProps): ReactElement {
  const canUpdate = useCan(family.resource, 'update', template.url);
  const canDelete = useCan(family.resource, 'delete', template.url);
  return (
    <Menu icon="more" look="quiet" label={`What to do with ${template.url}`}>
      <MenuItem icon="settings" permission={canUpdate} onClick={() => onAsk({ template, deed: 'edit' })}>
        Change
      </MenuItem>
      <MenuItem icon="trash" look="danger" permission={canDelete} onClick={() => onAsk({ template, deed: 'remove' })}>
        Remove
      </MenuItem>
    </Menu>
  );
}
