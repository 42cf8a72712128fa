import { createStore } from './create-store.ts';

/** `known`: somebody is signed in. `ended`: the server no longer knows them, and they must sign in again. */
export type SessionState = 'unknown' | 'known' | 'ended';

export const session = createStore<SessionState>('unknown');

let signedInAs = '';

export function beginSession(username: string): void {
  signedInAs = username;
  session.set('known');
}

/** Whose session it is, or was until it ended. */
export function sessionUsername(): string {
  return signedInAs;
}

/** Where nobody was signed in there is nothing to end. */
export function endSession(): void {
  if (session.get() === 'known') session.set('ended');
}

/** Where to go after signing in: only a place of ours, whatever the address says. */
export function safeReturnPath(wanted: string, origin: string): string {
  const fallback = '/applications';
  if (wanted === '') return fallback;
  try {
    const url = new URL(wanted, origin);
    const isOurs = url.origin === origin && !url.pathname.startsWith('//') && url.pathname !== '/login';
    return isOurs ? `${url.pathname}${url.search}${url.hash}` : fallback;
  } catch {
    // Not an address at all.
    return fallback;
  }
}
