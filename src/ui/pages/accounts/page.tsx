import type { ReactElement } from 'react';
import type { Account } from '../../../contract/gen/types.ts';
import { AppLink, readText, SearchFilter, useGo, useSearchValues } from '../../app/index.ts';
import { Badge, Button, EmptyState, ErrorState, ListPage, Loading, VirtualTable, type Column } from '../../design/index.ts';
import { Capabilities } from './capabilities.tsx';
import { PermissionDialog } from './permission-dialog.tsx';
import { accountPath, useAccounts, useOwnName } from './use-accounts.ts';
import './accounts.css';

/** The accounts of this server. People who come through single sign-on have none. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const go = useGo();
  const { data, error, refetch } = useAccounts();
  const own = useOwnName();
  const words = readText(search['search']).toLowerCase();
  const shown = (data ?? []).filter(({ name = '' }) => name.toLowerCase().includes(words));
  return (
    <>
      <ListPage
        title="Accounts"
        total={data?.length}
        actions={
          <Button icon="help" onClick={() => change({ ask: 'permission' }, { replace: false })}>
            What may I do?
          </Button>
        }
        filters={<SearchFilter label="Search by name" group="Accounts" />}
      >
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The accounts could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Reading the accounts" />
        ) : shown.length === 0 ? (
          <EmptyState icon="users" title={words === '' ? 'No accounts that you may see' : 'No account matches'}>
            Accounts are named in the ConfigMap <code>argocd-cm</code>, as in <code>accounts.ci: apiKey</code>.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Accounts"
            columns={columnsFor(own)}
            count={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={({ name = '' }) => name}
            minWidth={520}
            onOpen={({ name = '' }) => go(accountPath(name))}
          />
        )}
      </ListPage>
      {readText(search['ask']) === 'permission' && (
        <PermissionDialog onClose={() => change({ ask: undefined, resource: undefined, action: undefined, object: undefined })} />
      )}
    </>
  );
}

function columnsFor(own: string | undefined): readonly Column<Account>[] {
  return [
    {
      key: 'name',
      title: 'Name',
      width: 'minmax(160px, 2fr)',
      render: ({ name = '' }) => (
        <div className="row">
          <span className="one-line">
            <AppLink to={accountPath(name)} className="accounts-name">
              {name}
            </AppLink>
          </span>
          {name === own && <Badge tone="good">you</Badge>}
        </div>
      ),
    },
    { key: 'capabilities', title: 'What it is for', width: 'minmax(200px, 2fr)', render: (account) => <Capabilities account={account} /> },
    { key: 'tokens', title: 'Tokens', width: '90px', render: ({ tokens }) => String(tokens?.length ?? 0) },
  ];
}
