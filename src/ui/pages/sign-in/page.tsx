import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import type { Settings } from '../../../contract/gen/types.ts';
import { api, beginSession, describeError, queryClient, safeReturnPath, settingsQuery } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { Button, ErrorState, Notice } from '../../design/index.ts';
import './sign-in.css';

/** Who are you? Afterwards the person is where they wanted to go. */
export function Page(): ReactElement {
  const [search] = useSearchValues();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const returnPath = safeReturnPath(readText(search['return_url']), window.location.origin);
  const failure =
    readText(search['has_sso_error']) === 'true' ? 'Signing in with the provider failed. Try again, or ask whoever manages it.' : undefined;
  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <header className="sign-in-head">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <h1>Sign in to Fairway</h1>
        </header>
        {readText(search['reason']) === 'ended' && (
          <Notice tone="busy" icon="clock">
            Your session ended. Sign in to go on where you were.
          </Notice>
        )}
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {error !== null && <ErrorState error={error} what="The server does not answer" onRetry={() => void refetch()} />}
        {settings !== undefined && <Ways settings={settings} returnPath={returnPath} />}
      </div>
    </main>
  );
}

function Ways({ settings, returnPath }: { readonly settings: Settings; readonly returnPath: string }): ReactElement {
  const provider = findProvider(settings);
  const returnAddress = new URL(returnPath, window.location.origin).href;
  const hasPassword = settings.userLoginsDisabled !== true;
  return (
    <>
      {provider !== undefined && (
        <a className="button sign-in-provider" data-look="primary" href={`/auth/login?return_url=${encodeURIComponent(returnAddress)}`}>
          Sign in with {provider}
        </a>
      )}
      {provider !== undefined && hasPassword && <div className="sign-in-or">or</div>}
      {hasPassword && <PasswordForm returnPath={returnPath} isMain={provider === undefined} />}
      {!hasPassword && provider === undefined && (
        <Notice tone="warn">
          No account may sign in with a password, and no provider is set up. Whoever runs this server can change that.
        </Notice>
      )}
    </>
  );
}

function PasswordForm({ returnPath, isMain }: { readonly returnPath: string; readonly isMain: boolean }): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signIn = async (form: FormData): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.SessionService.Create({ username: readField(form, 'username'), password: readField(form, 'password') });
      queryClient.clear();
      beginSession();
      // A new start: nothing of an earlier person stays in memory.
      window.location.assign(returnPath);
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
          autoFocus={isMain}
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

/** The name of the provider that people know, if there is one. */
function findProvider({ oidcConfig, dexConfig }: Settings): string | undefined {
  if (oidcConfig?.name || oidcConfig?.issuer) return oidcConfig.name || 'single sign-on';
  const connectors = dexConfig?.connectors ?? [];
  if (connectors.length === 0) return undefined;
  return connectors.length === 1 ? connectors[0]?.name || 'single sign-on' : 'single sign-on';
}
