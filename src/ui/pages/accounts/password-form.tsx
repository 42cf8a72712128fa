import { useState, type ReactElement } from 'react';
import { api, useCan, useSettings } from '../../api/index.ts';
import { Button, Notice, TextField, useDeed } from '../../design/index.ts';
import { useOwnName } from './use-accounts.ts';

/** Changes the password of an account. Whoever does it shows with their own that it is really them. */
export function PasswordForm({ name }: { readonly name: string }): ReactElement {
  const own = useOwnName();
  const isOwn = own === name;
  const permission = useCan('accounts', 'update', name);
  const pattern = useSettings()?.passwordPattern;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const deed = useDeed(() => {
    setCurrent('');
    setNext('');
    setAgain('');
  });
  const change = async (): Promise<void> => {
    await api.AccountService.UpdatePassword({ name, currentPassword: current, newPassword: next });
    // All sessions from before are void now, this one too.
    if (isOwn) await api.SessionService.Create({ username: name, password: next });
  };
  const gap = findGap({ current, next, again, asksCurrent: own !== undefined });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (gap === undefined && !deed.isBusy) deed.run(`The password of ${name} is changed`, change);
      }}
    >
      {own !== undefined && (
        <TextField title={isOwn ? 'Current password' : `Your own password, ${own}`} type="password" value={current} onChange={setCurrent} />
      )}
      <TextField title="New password" type="password" value={next} hint={pattern && `It matches ${pattern}`} onChange={setNext} />
      <TextField
        title="New password again"
        type="password"
        value={again}
        error={again !== '' && again !== next ? 'This is not the same' : undefined}
        onChange={setAgain}
      />
      {deed.failure !== undefined && (
        <Notice tone="bad">
          <div role="alert">{explain(deed.failure, isOwn)}</div>
        </Notice>
      )}
      <div>
        <Button type="submit" look="primary" isBusy={deed.isBusy} disabledReason={gap} {...(!isOwn && { permission })}>
          Change the password
        </Button>
      </div>
      <p className="faint">Everybody who is signed in with this account elsewhere has to sign in again, and its tokens from before end.</p>
    </form>
  );
}

interface Typed {
  readonly current: string;
  readonly next: string;
  readonly again: string;
  readonly asksCurrent: boolean;
}

function findGap({ current, next, again, asksCurrent }: Typed): string | undefined {
  if (asksCurrent && current === '') return 'Write your current password';
  if (next === '') return 'Write the new password';
  return next === again ? undefined : 'Write the new password twice';
}

function explain(failure: string, isOwn: boolean): string {
  if (!failure.includes('current password does not match')) return failure;
  return isOwn ? 'This is not your current password. Nothing was changed.' : 'This is not your own password. Nothing was changed.';
}
