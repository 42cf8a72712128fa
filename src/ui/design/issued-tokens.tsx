import { useState, type ReactElement } from 'react';
import type { Permission } from '../api/index.ts';
import { Button } from './button.tsx';
import { FormDialog } from './form.tsx';
import { formatAge } from './text/format-age.ts';
import { TimeAgo } from './small.tsx';
import { Badge } from './status.tsx';
import { TokenDialog, type TokenRequest } from './token-dialog.tsx';
import { useDeed } from './use-deed.ts';
import { UserText } from './text/user-text.tsx';
import { visibleText } from './text/visible-text.ts';
import './issued-tokens.css';

/** Which token it is, never what it is. Times are in seconds. */
export interface IssuedToken {
  readonly id: string;
  readonly issuedAt: number;
  /** 0 where it never expires. */
  readonly expiresAt: number;
}

interface IssuedTokensProps<Token extends IssuedToken> {
  /** Whose they are. */
  readonly owner: string;
  readonly tokens: readonly Token[];
  readonly permission: Permission;
  /** Why there can be no new one, whoever asks. */
  readonly disabledReason?: string | undefined;
  readonly level: 2 | 3;
  /** Has the server make a token, and returns it. */
  readonly onIssue: (request: TokenRequest) => Promise<string>;
  readonly onDelete: (token: Token) => Promise<unknown>;
}

/** The tokens that somebody has: made here, shown once, and taken back. */
export function IssuedTokens<Token extends IssuedToken>(props: IssuedTokensProps<Token>): ReactElement {
  const { owner, tokens, permission, disabledReason, level, onIssue, onDelete } = props;
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Token>();
  const Heading = `h${level}` as const;
  return (
    <>
      <div className="row">
        <Heading className="grow">Tokens</Heading>
        <Button icon="key" label={`New token for ${owner}`} {...{ permission, disabledReason }} onClick={() => setCreating(true)}>
          New token
        </Button>
      </div>
      {tokens.length === 0 ? (
        <p className="soft">None. Programs that call the API use tokens instead of passwords.</p>
      ) : (
        <TokenTable {...{ tokens, permission }} onDelete={setDeleted} />
      )}
      {isCreating && <TokenDialog {...{ owner, onIssue }} taken={tokens.map(({ id }) => id)} onClose={() => setCreating(false)} />}
      {deleted !== undefined && <DeleteDialog id={deleted.id} onDelete={() => onDelete(deleted)} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface TokenTableProps<Token> {
  readonly tokens: readonly Token[];
  readonly permission: Permission;
  readonly onDelete: (token: Token) => void;
}

function TokenTable<Token extends IssuedToken>({ tokens, permission, onDelete }: TokenTableProps<Token>): ReactElement {
  return (
    <table className="plain-table issued-tokens">
      <thead>
        <tr>
          <th scope="col">Id</th>
          <th scope="col">Issued</th>
          <th scope="col">Expires</th>
          <th scope="col">
            <span className="visually-hidden">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={`${token.id} ${token.issuedAt}`}>
            <td>
              <UserText>{token.id}</UserText>
            </td>
            <td>
              <TimeAgo time={new Date(token.issuedAt * 1000).toISOString()} />
            </td>
            <td>
              <Expiry at={token.expiresAt} />
            </td>
            <td>
              <Button
                look="quiet"
                icon="trash"
                label={`Delete the token ${visibleText(token.id)}`}
                permission={permission}
                onClick={() => onDelete(token)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Expiry({ at }: { readonly at: number }): ReactElement {
  if (at === 0) return <Badge tone="warn">never</Badge>;
  const leftMs = at * 1000 - Date.now();
  if (leftMs <= 0) return <Badge>expired</Badge>;
  const date = new Date(at * 1000);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      in {formatAge(leftMs)}
    </time>
  );
}

interface DeleteDialogProps {
  readonly id: string;
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
}

function DeleteDialog({ id, onDelete, onClose }: DeleteDialogProps): ReactElement {
  const deed = useDeed(onClose);
  const shown = visibleText(id);
  return (
    <FormDialog
      title={`Delete the token ${shown}`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      onSubmit={() => deed.run(`The token ${shown} was deleted`, onDelete)}
    >
      <p>Whoever uses it is refused from the next request on. This cannot be undone.</p>
    </FormDialog>
  );
}
