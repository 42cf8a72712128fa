import { useState, type ReactElement } from 'react';
import type { Account, Token } from '../../../contract/gen/types.ts';
import { api, queryClient, useCan, type Permission } from '../../api/index.ts';
import { Badge, Button, Copy, Dialog, FormDialog, Notice, SelectField, TextField, TimeAgo, useDeed, UserText } from '../../design/index.ts';
import { useOwnName } from './use-accounts.ts';

const DAY_SECONDS = 86_400;
const LIFETIMES = [
  { id: '1', title: 'a day' },
  { id: '7', title: 'a week' },
  { id: '30', title: '30 days' },
  { id: '90', title: '90 days' },
  { id: '365', title: 'a year' },
  { id: '0', title: 'ever, until somebody deletes it' },
] as const;

type Asked = { readonly what: 'create' } | { readonly what: 'delete'; readonly token: Token };

/** The tokens of an account: made here, shown once, and deleted. */
export function TokensCard({ account }: { readonly account: Account }): ReactElement {
  const { name = '', tokens = [], capabilities = [] } = account;
  const isOwn = useOwnName() === name;
  const granted = useCan('accounts', 'update', name);
  const permission: Permission = isOwn ? { allowed: true, reason: undefined } : granted;
  const [asked, setAsked] = useState<Asked>();
  const [made, setMade] = useState<string>();
  const hasTokens = capabilities.includes('apiKey');
  return (
    <section className="card accounts-card">
      <div className="row">
        <h2 className="grow">Tokens</h2>
        <Button
          icon="plus"
          permission={permission}
          disabledReason={
            hasTokens ? undefined : `${name} may not have tokens: give it apiKey in argocd-cm, as in accounts.${name}: apiKey`
          }
          onClick={() => setAsked({ what: 'create' })}
        >
          New token
        </Button>
      </div>
      {tokens.length === 0 ? (
        <p className="soft">None. Programs that call the API use tokens instead of passwords.</p>
      ) : (
        <TokenTable {...{ tokens, permission }} onDelete={(token) => setAsked({ what: 'delete', token })} />
      )}
      {asked?.what === 'create' && <CreateDialog {...{ name }} onClose={() => setAsked(undefined)} onMade={setMade} />}
      {asked?.what === 'delete' && <DeleteDialog {...{ name }} token={asked.token} onClose={() => setAsked(undefined)} />}
      {made !== undefined && <MadeDialog token={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

interface TokenTableProps {
  readonly tokens: readonly Token[];
  readonly permission: Permission;
  readonly onDelete: (token: Token) => void;
}

function TokenTable({ tokens, permission, onDelete }: TokenTableProps): ReactElement {
  return (
    <div className="accounts-tokens" tabIndex={0} role="region" aria-label="Tokens">
      <table>
        <thead>
          <tr>
            <th>Id</th>
            <th>Made</th>
            <th>Ends</th>
            <th>
              <span className="visually-hidden">What to do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>
                <code className="accounts-token-id">
                  <UserText>{token.id}</UserText>
                </code>
              </td>
              <td>
                <TimeAgo time={timeOf(token.issuedAt)} />
              </td>
              <td>
                <Expiry at={token.expiresAt} />
              </td>
              <td>
                <Button
                  look="quiet"
                  icon="trash"
                  label={`Delete the token ${token.id}`}
                  permission={permission}
                  onClick={() => onDelete(token)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Expiry({ at = 0 }: { readonly at: number | undefined }): ReactElement {
  if (at === 0) return <span className="soft">never</span>;
  if (at * 1000 < Date.now()) return <Badge tone="bad">has ended</Badge>;
  return <time dateTime={timeOf(at)}>{new Date(at * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' })}</time>;
}

function timeOf(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['accounts'] });
}

interface CreateProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onMade: (token: string) => void;
}

function CreateDialog({ name, onClose, onMade }: CreateProps): ReactElement {
  const [id, setId] = useState('');
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['id']>('90');
  const deed = useDeed(() => {
    refresh();
    onClose();
  });
  const create = async (): Promise<void> => {
    const { token = '' } = await api.AccountService.CreateToken({ name, id: id.trim(), expiresIn: Number(days) * DAY_SECONDS });
    onMade(token);
  };
  return (
    <FormDialog
      title={`New token for ${name}`}
      action="Make the token"
      {...{ onClose, deed }}
      onSubmit={() => deed.run('The token is made', create)}
    >
      <TextField
        title="Id (optional)"
        value={id}
        placeholder="ci-of-the-shop"
        hint="Says what the token is for. Left empty, one is made up."
        onChange={setId}
      />
      <SelectField title="It counts for" value={days} options={LIFETIMES} onChange={setDays} />
    </FormDialog>
  );
}

/** The only moment in which anybody sees it. */
function MadeDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }): ReactElement {
  return (
    <Dialog title="The new token" isOpen onClose={onClose} foot={<Button onClick={onClose}>I have kept it</Button>}>
      <div className="stack">
        <Notice tone="warn">It is shown this once. Keep it where secrets are kept; whoever has it can do all that the account may.</Notice>
        <div className="row">
          <code className="accounts-made grow">{token}</code>
          <Copy text={token} label="Copy the token" />
        </div>
      </div>
    </Dialog>
  );
}

interface DeleteProps {
  readonly name: string;
  readonly token: Token;
  readonly onClose: () => void;
}

function DeleteDialog({ name, token, onClose }: DeleteProps): ReactElement {
  const deed = useDeed(() => {
    refresh();
    onClose();
  });
  const { id = '' } = token;
  return (
    <FormDialog
      title={`Delete the token ${id}?`}
      action="Delete"
      look="danger"
      icon="trash"
      {...{ onClose, deed }}
      onSubmit={() => deed.run(`The token ${id} is deleted`, () => api.AccountService.DeleteToken({ name, id }))}
    >
      <p>Whatever uses it is refused from then on.</p>
    </FormDialog>
  );
}
