import type { ReactElement } from 'react';
import type { Account } from '../../../contract/gen/types.ts';
import { api, queryClient, useCan, type Permission } from '../../api/index.ts';
import { IssuedTokens } from '../../design/index.ts';
import { useOwnName } from './use-accounts.ts';

/** The tokens of an account: made here, shown once, and deleted. */
export function TokensCard({ account }: { readonly account: Account }): ReactElement {
  const { name = '', tokens = [], capabilities = [] } = account;
  const isOwn = useOwnName() === name;
  const granted = useCan('accounts', 'update', name);
  const permission: Permission = isOwn ? { allowed: true, reason: undefined } : granted;
  const hasTokens = capabilities.includes('apiKey');
  return (
    <section className="card accounts-card">
      <IssuedTokens
        owner={name}
        tokens={tokens.map(({ id = '', issuedAt = 0, expiresAt = 0 }) => ({ id, issuedAt, expiresAt }))}
        permission={permission}
        disabledReason={hasTokens ? undefined : `${name} may not have tokens: give it apiKey in argocd-cm, as in accounts.${name}: apiKey`}
        level={2}
        onIssue={async (request) => {
          const { token = '' } = await api.AccountService.CreateToken({ name, ...request });
          await readAgain();
          return token;
        }}
        onDelete={async ({ id }) => {
          await api.AccountService.DeleteToken({ name, id });
          await readAgain();
        }}
      />
    </section>
  );
}

async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['accounts'] });
}
