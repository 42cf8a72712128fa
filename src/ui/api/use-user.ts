import { useQuery } from '@tanstack/react-query';
import type { GetUserInfoResponse, Settings } from '../../contract/gen/types.ts';
import { api } from './api.ts';
import { endSession } from './session.ts';

/** The server renews a session that is used within its last five minutes: often enough for that, and for noticing one that has ended. */
const USER_INFO_MS = 2 * 60 * 1000;

export const userInfoQuery = {
  queryKey: ['user-info'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const user = await api.SessionService.GetUserInfo({}, { signal });
    // The server does not refuse who asks this, but says that it does not know them.
    if (user.loggedIn !== true) endSession();
    return user;
  },
  staleTime: USER_INFO_MS,
  refetchInterval: USER_INFO_MS,
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
