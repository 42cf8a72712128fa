import { useState, type ReactElement } from 'react';
import type { JWTToken, ProjectRole } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { Button, Copy, Dialog, FormDialog, Notice, SelectField, TextField, useDeed } from '../../../design/index.ts';
import { readAgain, useShownName } from '../use-project.ts';

const DAY_SECONDS = 86_400;
const LIVES = [
  { id: '1', title: 'In a day' },
  { id: '30', title: 'In 30 days' },
  { id: '90', title: 'In 90 days' },
  { id: '365', title: 'In a year' },
  { id: 'date', title: 'At a time of your choice' },
  { id: 'never', title: 'Never' },
] as const;

interface TokenDialogProps {
  readonly role: ProjectRole;
  readonly tokens: readonly JWTToken[];
  readonly onClose: () => void;
}

/** Issues a token, and shows it: now and never again. */
export function TokenDialog({ role, tokens, onClose }: TokenDialogProps): ReactElement {
  const project = useShownName();
  const [id, setId] = useState('');
  const [life, setLife] = useState<(typeof LIVES)[number]['id']>('90');
  const [until, setUntil] = useState('');
  const [token, setToken] = useState<string>();
  const deed = useDeed(() => undefined);
  const isTaken = tokens.some((each) => each.id === id);
  const seconds = secondsOf(life, until);
  const create = (): void =>
    deed.run(`A token of ${role.name} was issued`, async () => {
      const answer = await api.ProjectService.CreateToken({ project, role: role.name, id, expiresIn: seconds ?? 0 });
      setToken(answer.token);
      await readAgain(project);
    });
  if (token !== undefined) return <Issued token={token} onClose={onClose} />;
  return (
    <FormDialog
      title={`New token of ${role.name}`}
      {...{ onClose, deed }}
      action="Issue the token"
      icon="key"
      disabledReason={isTaken ? 'This id is in use' : seconds === undefined ? 'Choose a time that is still to come' : undefined}
      onSubmit={create}
    >
      <TextField
        title="Id"
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
          <input className="input role-token" aria-label="Token" readOnly value={token} onFocus={({ target }) => target.select()} />
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
