import type { Policy } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { Registry } from '../metrics/registry.ts';
import { applicationObject } from '../services/application/find-application.ts';
import { applicationSetObject } from '../services/applicationset/application-set-context.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

interface Shadowed {
  readonly namespace: string;
  readonly name: string;
  readonly project: string;
}

type Counts = Readonly<Record<string, number>>;

/** What is known of applications and application sets that another installation looks after. */
export interface Shadow {
  report(
    isShown?: (application: Shadowed) => boolean,
    isSetShown?: (set: Shadowed) => boolean,
  ): { readonly counts: Counts; readonly sets: { readonly counts: Counts } };
}

export interface ShadowRoutesOptions {
  readonly shadow: Shadow;
  readonly policy: Policy;
  readonly authenticate: Authenticate;
  /** In which the control plane's own objects are. */
  readonly namespace: string;
}

/** Where we would say something else of an application or a set than who looks after it; of those that the caller may see. */
export function createShadowRoutes({ shadow, policy, authenticate, namespace }: ShadowRoutesOptions): PlainRoute[] {
  return [
    {
      path: '/api/fairway/v1/shadow',
      verbs: ['GET'],
      async handler({ headers }) {
        const caller = await authenticate(findRestToken({ header: (name) => headers[name] }));
        if (caller === undefined) throw new ApiError(Code.Unauthenticated, 'no session information');
        const isShown = (application: Shadowed): boolean =>
          policy.isAllowed(caller, 'applications', 'get', applicationObject({ namespace }, application.project, application));
        const isSetShown = (set: Shadowed): boolean =>
          policy.isAllowed(caller, 'applicationsets', 'get', applicationSetObject({ namespace }, set.project, set));
        const body = JSON.stringify(shadow.report(isShown, isSetShown));
        return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
      },
    },
  ];
}

/** How many applications and application sets we agree about. */
export function createShadowMetrics(registry: Registry, shadow: Shadow): void {
  const rowsOf = (counts: Counts) => Object.entries(counts).map(([verdict, count]) => [[verdict], count] as const);
  const common = { type: 'gauge', labels: ['verdict'] } as const;
  registry.readRows({
    ...common,
    name: 'fairway_shadow_applications',
    help: 'Applications that another installation looks after, by whether we see them as it does.',
    rows: () => rowsOf(shadow.report().counts),
  });
  registry.readRows({
    ...common,
    name: 'fairway_shadow_applicationsets',
    help: 'Application sets that another installation looks after, by whether we would make of them what is there.',
    rows: () => rowsOf(shadow.report().sets.counts),
  });
}
