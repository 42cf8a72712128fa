import { Dialog as AriaDialog, DialogDescription, DialogHeading } from '@ariakit/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { api, beginSession, queryClient, sessionUsername, settingsQuery, userInfoQuery } from '../../api/index.ts';
import { findProvider, providerAddress } from './find-provider.ts';
import { PasswordForm } from './password-form.tsx';
import './sign-in.css';

/** Somebody may have signed in in another tab. */
const LOOK_MS = 2_000;

/** In front of a page whose session ended: the page and what was typed stay, and go on when the same person is back. */
export function SignInAgain(): ReactElement {
  const username = sessionUsername();
  const { data: settings } = useQuery(settingsQuery);
  const provider = settings && findProvider(settings);
  const hasPassword = settings !== undefined && settings.userLoginsDisabled !== true;
  useEffect(() => {
    const timer = window.setInterval(() => void goOn(), LOOK_MS);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <AriaDialog
      open
      hideOnEscape={false}
      hideOnInteractOutside={false}
      className="dialog sign-in-again sign-in-card"
      backdrop={<div className="backdrop" />}
    >
      <DialogHeading render={<h2 />}>Your session ended</DialogHeading>
      <DialogDescription>Sign in to go on where you were. What you typed is still there.</DialogDescription>
      {provider !== undefined && (
        <a
          className="button sign-in-provider"
          data-look="primary"
          href={providerAddress('/login?done=true')}
          target="_blank"
          rel="noreferrer"
        >
          Sign in with {provider}
        </a>
      )}
      {provider !== undefined && hasPassword && <div className="sign-in-or">or</div>}
      {hasPassword && <PasswordForm username={username} isMain={provider === undefined} onDone={() => void goOn()} />}
    </AriaDialog>
  );
}

/** The same person: everything is read again. Another one must find nothing of the first. */
async function goOn(): Promise<void> {
  // Not there, or still not known: asked again soon.
  const user = await api.SessionService.GetUserInfo({}).catch(() => undefined);
  if (user?.loggedIn !== true) return;
  if (user.username !== sessionUsername()) return window.location.assign('/applications');
  queryClient.setQueryData(userInfoQuery.queryKey, user);
  beginSession(user.username);
  await queryClient.invalidateQueries();
}
