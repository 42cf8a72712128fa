import { useState, type FormEvent, type ReactElement } from 'react';
import { api, describeError } from '../../api/index.ts';
import { Button, Notice } from '../../design/index.ts';

export interface PasswordFormProps {
  /** Who it probably is. */
  readonly username?: string;
  /** Whether there is no other way. */
  readonly isMain: boolean;
  /** The server knows them; the form stays busy until it is gone. */
  readonly onDone: () => void;
}

/** Name and password of a local account. */
export function PasswordForm({ username = '', isMain, onDone }: PasswordFormProps): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signIn = async (form: FormData): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.SessionService.Create({ username: readField(form, 'username'), password: readField(form, 'password') });
      onDone();
    } catch (error) {
      setProblem(describeError(error));
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void signIn(new FormData(event.currentTarget));
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <label className="field">
        <span>User name</span>
        <input
          className="input"
          name="username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          required
          defaultValue={username}
          autoFocus={isMain && username === ''}
        />
      </label>
      <label className="field">
        <span>Password</span>
        <input
          className="input"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={isMain && username !== ''}
          aria-invalid={problem !== undefined || undefined}
        />
      </label>
      {problem !== undefined && (
        <div role="alert">
          <Notice tone="bad">{problem}</Notice>
        </div>
      )}
      <Button type="submit" look={isMain ? 'primary' : 'default'} isBusy={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}

function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
