import type { ReactElement } from 'react';
import { PageTitle, usePathNames } from '../../app/index.ts';
import { Badge, ErrorState, Loading } from '../../design/index.ts';
import { Capabilities } from './capabilities.tsx';
import { PasswordForm } from './password-form.tsx';
import { TokensCard } from './tokens-card.tsx';
import { useAccount, useOwnName } from './use-accounts.ts';
import './accounts.css';

/** One account: what it is for, its password and its tokens. */
export function Page(): ReactElement {
  const { name = '' } = usePathNames();
  const { data, error, refetch } = useAccount(name);
  const isOwn = useOwnName() === name;
  return (
    <>
      <header className="page-head">
        <PageTitle to="/settings/accounts" of="Accounts">
          {' '}
          {name}{' '}
          {isOwn && (
            <span className="accounts-you">
              <Badge tone="good">you</Badge>
            </span>
          )}
        </PageTitle>
      </header>
      {error !== null && data === undefined && (
        <ErrorState error={error} what="The account could not be read" onRetry={() => void refetch()} />
      )}
      {error === null && data === undefined && <Loading what="Reading the account" />}
      {data !== undefined && (
        <div className="page-body accounts-page">
          <section className="card accounts-card">
            <h2>What it is for</h2>
            <Capabilities account={data} />
            <p className="faint">
              Set in the ConfigMap <code>argocd-cm</code>. What it may do is in the policy, in <code>argocd-rbac-cm</code>.
            </p>
          </section>
          <TokensCard account={data} />
          <section className="card accounts-card">
            <h2>Password</h2>
            {data.capabilities?.includes('login') === true ? (
              <PasswordForm key={name} name={name} />
            ) : (
              <p className="soft">This account does not sign in, so it needs no password.</p>
            )}
          </section>
        </div>
      )}
    </>
  );
}
