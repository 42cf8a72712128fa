import { useQuery } from '@tanstack/react-query';
import type { GetUserInfoResponse, Settings } from '../../contract/gen/types.ts';
import { api } from './api.ts';
import { beginSession, endSession, session } from './session.ts';

/** The server renews a session that is used within its last five minutes: often enough for that, and for noticing one that has ended. */
const USER_INFO_MS = 2 * 60 * 1000;
/** Until it is known who somebody is: the server was away when the page was opened. */
const UNKNOWN_MS = 5_000;

export const userInfoQuery = {
  queryKey: ['user-info'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const user = await api.SessionService.GetUserInfo({}, { signal });
    // The server does not refuse who asks this, but says that it does not know them.
    if (user.loggedIn !== true) endSession();
    // One that has ended begins again where they sign in: there it is known whether it is the same person.
    else if (session.get() === 'unknown') beginSession(user.username ?? '');
    return user;
  },
  staleTime: USER_INFO_MS,
  refetchInterval: ({ state }: { readonly state: { readonly data?: unknown } }) => (state.data === undefined ? UNKNOWN_MS : USER_INFO_MS),
} as const;

/** Who is signed in. */
export function useUser(): GetUserInfoResponse | undefined {
  return useQuery(userInfoQuery).data;
}

export const settingsQuery = {
  queryKey: ['settings'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.SettingsService.Get({}, { signal }),
  staleTime: 60_000,
} as const;

/** What the server is configured to do. */
export function useSettings(): Settings | undefined {
  return useQuery(settingsQuery).data;
}
