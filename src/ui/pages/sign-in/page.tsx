import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Settings } from '../../../contract/gen/types.ts';
import { queryClient, safeReturnPath, settingsQuery, useUser } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { ErrorState, Notice } from '../../design/index.ts';
import { findProvider, providerAddress } from './find-provider.ts';
import { PasswordForm } from './password-form.tsx';
import './sign-in.css';

/** Who are you? Afterwards the person is where they wanted to go. */
export function Page(): ReactElement {
  const [search] = useSearchValues();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const returnPath = safeReturnPath(readText(search['return_url']), window.location.origin);
  const isBack = useUser()?.loggedIn === true && readText(search['done']) === 'true';
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
        {isBack && (
          <Notice tone="good" icon="check">
            You are signed in. Go back to where you were; this tab can be closed.
          </Notice>
        )}
        {settings !== undefined && !isBack && <Ways settings={settings} returnPath={returnPath} />}
      </div>
    </main>
  );
}

function Ways({ settings, returnPath }: { readonly settings: Settings; readonly returnPath: string }): ReactElement {
  const provider = findProvider(settings);
  const hasPassword = settings.userLoginsDisabled !== true;
  return (
    <>
      {provider !== undefined && (
        <a className="button sign-in-provider" data-look="primary" href={providerAddress(returnPath)}>
          Sign in with {provider}
        </a>
      )}
      {provider !== undefined && hasPassword && <div className="sign-in-or">or</div>}
      {hasPassword && <PasswordForm isMain={provider === undefined} onDone={() => enter(returnPath)} />}
      {!hasPassword && provider === undefined && (
        <Notice tone="warn">
          No account may sign in with a password, and no provider is set up. Whoever runs this server can change that.
        </Notice>
      )}
    </>
  );
}

/** A new start: nothing of an earlier person stays in memory. */
function enter(returnPath: string): void {
  queryClient.clear();
  window.location.assign(returnPath);
}
