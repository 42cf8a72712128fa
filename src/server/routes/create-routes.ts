import type { ExplainedPolicy, Sessions, Sso } from '../../access/index.ts';
import type { Logger } from '../../base/index.ts';
import { docsRoutes } from '../docs/docs-routes.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';
import { createUiRoutes } from '../ui/ui-routes.ts';
import type { Webhooks } from '../webhooks/create-webhooks.ts';
import { createAuthCallbackRoute } from './auth-callback.ts';
import { createAuthLoginRoute } from './auth-login.ts';
import { createDexRoute } from './auth-dex.ts';
import { createFrontPageRoute } from './front-page.ts';
import { createHealthRoute } from './healthz.ts';
import { createLogoutRoute } from './logout.ts';
import { createGuardedMetricsRoute, type MetricsReader } from './metrics.ts';
import { createWebhookRoute } from './webhook.ts';

export interface RoutesOptions {
  readonly sessions: Sessions;
  readonly sso: Sso;
  readonly policy: Pick<ExplainedPolicy, 'isAllowedEverywhere'>;
  readonly metrics: ServerMetrics;
  readonly webhooks: Pick<Webhooks, 'accept'>;
  readonly isHealthy: () => boolean;
  /** Whether to show the pages that describe the API. */
  readonly docs: boolean;
  /** The folder with the built web interface. */
  readonly uiFolder: string;
  readonly log: Logger;
}

/** Metrics name all of these, whoever they belong to. */
const namedInMetrics = [
  ['applications', '*/*'],
  ['applicationsets', '*/*'],
  ['clusters', '*'],
  ['repositories', '*'],
] as const;

/** The pages beside the API. */
export function createRoutes({ sessions, sso, policy, metrics, webhooks, isHealthy, docs, uiFolder, log }: RoutesOptions): PlainRoute[] {
  const findReader = async ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }): Promise<MetricsReader> => {
    const caller = await sessions.authenticate(findRestToken({ header: (name) => headers[name] }));
    if (caller === undefined) return 'stranger';
    const maySeeAll = namedInMetrics.every(([resource, pattern]) => policy.isAllowedEverywhere(caller, resource, 'get', pattern));
    return maySeeAll ? 'allowed' : 'denied';
  };
  return [
    ...createUiRoutes({ folder: uiFolder, frontPage: createFrontPageRoute(docs) }),
    { path: '/healthz', verbs: ['GET'], handler: createHealthRoute(isHealthy) },
    { path: '/metrics', verbs: ['GET'], handler: createGuardedMetricsRoute(metrics, findReader) },
    // Clients differ in how they ask to be signed out; none of these verbs means anything else here.
    {
      path: '/auth/logout',
      verbs: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      handler: createLogoutRoute({ sessions, sso, log }),
      isBelowAnyRoot: true,
    },
    { path: '/auth/login', verbs: ['GET'], handler: createAuthLoginRoute(sso) },
    { path: '/auth/callback', verbs: ['GET'], handler: createAuthCallbackRoute(sso) },
    { path: '/api/webhook', verbs: ['POST'], handler: createWebhookRoute(webhooks), isRateLimited: true },
    { path: '/api/dex/*', verbs: ['GET', 'POST'], handler: createDexRoute(sso) },
    ...(docs ? docsRoutes : []),
  ];
}
