import type { Clock, Logger } from '../base/index.ts';
import { createHttpKubeApi, readClusterConfig, readInClusterConfig, type KubeApi, type KubeLimits } from '../kube/index.ts';
import { inClusterServer } from '../model/index.ts';
import type { HomeCluster } from './clusters.ts';

export interface ConnectOptions {
  readonly home: HomeCluster;
  /** Any program, none, or those of a list. */
  readonly allowCommands: boolean | readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly apiLimits?: Partial<KubeLimits>;
}

/** A client of a cluster. The home API is not closed with it: it is not ours. */
export interface Connection {
  readonly api: KubeApi;
  close(): Promise<void>;
}

/** Throws ApiError where the configuration cannot be used; nothing is sent yet. */
export function connectCluster({ server, config }: { server: string; config: string }, options: ConnectOptions): Connection {
  const { home, allowCommands, apiLimits } = options;
  const borrowed: Connection = { api: home.api, close: () => Promise.resolve() };
  if (server === inClusterServer && (home.kind === 'embedded' || home.access === undefined)) return borrowed;
  const access =
    server === inClusterServer && home.access !== undefined
      ? readInClusterConfig({ inCluster: home.access, config })
      : readClusterConfig({ server, config, allowCommands });
  if (access === home.access) return borrowed;
  const { clock, log, userAgent, environment } = options;
  const api = createHttpKubeApi({
    ...access,
    clock,
    log,
    userAgent,
    ...(home.readOnly === true && { readOnly: true }),
    ...(environment && { environment }),
    ...(apiLimits && { limits: apiLimits }),
  });
  return { api, close: () => api.close() };
}
