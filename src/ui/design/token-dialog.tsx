import { useState, type ReactElement } from 'react';
import { Button } from './button.tsx';
import { FormDialog, SelectField, TextField } from './form.tsx';
import { Dialog } from './overlays.tsx';
import { Copy } from './small.tsx';
import { Notice } from './states.tsx';
import { useDeed } from './use-deed.ts';

const DAY_SECONDS = 86_400;
const LIVES = [
  { id: '1', title: 'In a day' },
  { id: '7', title: 'In a week' },
  { id: '30', title: 'In 30 days' },
  { id: '90', title: 'In 90 days' },
  { id: '365', title: 'In a year' },
  { id: 'date', title: 'At a time of your choice' },
  { id: 'never', title: 'Never' },
] as const;

/** What a token is to be. Without an id the server makes one up; 0 seconds are for ever. */
export interface TokenRequest {
  readonly id: string;
  readonly expiresIn: number;
}

interface TokenDialogProps {
  /** Whose token it is to be. */
  readonly owner: string;
  /** Ids that are in use. */
  readonly taken: readonly string[];
  /** Has the server make the token, and returns it. */
  readonly onIssue: (request: TokenRequest) => Promise<string>;
  readonly onClose: () => void;
}

/** Issues a token, and shows it: now and never again. */
export function TokenDialog({ owner, taken, onIssue, onClose }: TokenDialogProps): ReactElement {
  const [id, setId] = useState('');
  const [life, setLife] = useState<(typeof LIVES)[number]['id']>('90');
  const [until, setUntil] = useState('');
  const [token, setToken] = useState<string>();
  const deed = useDeed(() => undefined);
  const isTaken = taken.includes(id);
  const expiresIn = secondsOf(life, until);
  const issue = (): void =>
    deed.run(`A token for ${owner} was issued`, async () => {
      if (expiresIn !== undefined) setToken(await onIssue({ id, expiresIn }));
    });
  if (token !== undefined) return <Issued token={token} onClose={onClose} />;
  return (
    <FormDialog
      title={`New token for ${owner}`}
      {...{ onClose, deed }}
      action="Issue the token"
      icon="key"
      disabledReason={isTaken ? 'This id is in use' : expiresIn === undefined ? 'Choose a time that is still to come' : undefined}
      onSubmit={issue}
    >
      <TextField
        title="Id (optional)"
        value={id}
        placeholder="ci-deploy"
        hint="What it is for, so that you know later which one to take back. Empty: one is made up."
        error={isTaken ? 'This id is in use: choose another' : undefined}
        onChange={(value) => setId(value.trim())}
      />
      <SelectField title="Expires" options={LIVES} value={life} onChange={setLife} />
      {life === 'date' && <TextField title="Until" type="datetime-local" value={until} onChange={setUntil} />}
      {life === 'never' && <Notice tone="warn">Whoever gets hold of it can use it until somebody takes it back.</Notice>}
    </FormDialog>
  );
}

function Issued({ token, onClose }: { readonly token: string; readonly onClose: () => void }): ReactElement {
  return (
    <Dialog
      title="Copy the token now"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="stack">
        <Notice tone="warn" icon="key">
          It is shown only this once, and is not kept anywhere. Put it where your secrets are.
        </Notice>
        <div className="row">
          <input className="input mono" aria-label="Token" readOnly value={token} onFocus={({ target }) => target.select()} />
          <Copy text={token} label="Copy the token" />
        </div>
        <p className="soft">
          Use it as <code>Authorization: Bearer</code> with the API, or with <code>argocd --auth-token</code>.
        </p>
      </div>
    </Dialog>
  );
}

/** For how long a token is to live; 0 is for ever, undefined where the time is no time or has passed. */
function secondsOf(life: string, until: string): number | undefined {
  if (life === 'never') return 0;
  if (life !== 'date') return Number(life) * DAY_SECONDS;
  const seconds = Math.floor((Date.parse(until) - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
