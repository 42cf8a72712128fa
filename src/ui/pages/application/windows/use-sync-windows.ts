import { useQuery } from '@tanstack/react-query';
import { getJson, isRecord } from '../../../api/index.ts';
import { useShownName } from '../use-application.ts';

/** A window that speaks about the application, and when it is open. */
export interface TimedWindow {
  readonly kind: string;
  readonly schedule: string;
  readonly duration: string;
  readonly manualSync: boolean;
  readonly description: string;
  readonly timeZone: string;
  readonly isActive: boolean;
  readonly opensAt?: string;
  readonly closesAt?: string;
}

interface Verdict {
  readonly allowed: boolean;
  /** When it is allowed again; undefined where nobody knows, or it is allowed now. */
  readonly allowedAt?: string;
}

export interface SyncWindows {
  readonly windows: readonly TimedWindow[];
  readonly manual: Verdict;
  readonly automatic: Verdict;
}

const LOOK_MS = 30_000;

/** The sync windows of the application of the page; undefined until they are known. */
export function useSyncWindows(): SyncWindows | undefined {
  const { name, appNamespace, project } = useShownName();
  const { data } = useQuery({
    queryKey: ['application', appNamespace, name, 'windows', project],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ name, appNamespace, project });
      const answer = await getJson(`/api/fairway/v1/sync-windows?${query.toString()}`, { signal });
      return isRecord(answer) && Array.isArray(answer['windows']) ? (answer as unknown as SyncWindows) : undefined;
    },
    // They open and close by themselves.
    refetchInterval: LOOK_MS,
  });
  return data;
}
