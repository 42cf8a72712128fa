import { useQuery } from '@tanstack/react-query';
import type { GetUserInfoResponse, Settings } from '../../contract/gen/types.ts';
import { api } from './api.ts';

/** Often enough that a session in use is renewed before it ends, and that an ended one is noticed. */
const USER_INFO_MS = 5 * 60 * 1000;

export const userInfoQuery = {
  queryKey: ['user-info'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.SessionService.GetUserInfo({}, { signal }),
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
