import type { Policy } from '../../../access/index.ts';
import { ApiError, Code, type Clock, type Logger } from '../../../base/index.ts';
import type { Application } from '../../../contract/index.ts';
import type { EventRecorder, KubeApi, ObjectStore } from '../../../kube/index.ts';
import type { ApplicationSet } from '../../../model/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';

/** What would become of one application. */
interface PlannedChange {
  readonly name: string;
  readonly kind: 'create' | 'update' | 'delete' | 'keep' | 'refuse';
  readonly message: string | undefined;
  readonly live: Application | undefined;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

export interface ApplicationSetServiceOptions {
  readonly home: KubeApi;
  /** The namespace of the control plane. */
  readonly namespace: string;
  /** Whether application sets may live in a namespace; that of the control plane always may. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly applicationSets: ObjectStore;
  readonly projects: ObjectStore;
  readonly policy: Policy;
  /** What an application set would make. Throws ApiError. */
  readonly preview: {
    generate(set: ApplicationSet, options: { readonly signal: AbortSignal }): Promise<Application[]>;
    /** What would become of each application if the set were stored like this. */
    plan(set: ApplicationSet, options: { readonly signal: AbortSignal }): Promise<readonly PlannedChange[]>;
  };
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long an answer waits for the application sets to be read after a start. */
const syncLimitMs = 30_000;

/** Makes sure that the application sets are known; a list that is not complete must not look as if it were. */
export async function requireSynced({ applicationSets }: ApplicationSetServiceOptions, signal: AbortSignal): Promise<void> {
  if (await applicationSets.whenSynced(syncLimitMs, signal)) return;
  throw new ApiError(Code.Unavailable, 'the application sets have not been read yet, please try again');
}

/** The namespace that a request means, if application sets may be in it. */
export function requireNamespace({ namespace, isNamespaceEnabled }: ApplicationSetServiceOptions, asked: string | undefined): string {
  const meant = asked || namespace;
  if (!isNamespaceEnabled(meant)) throw new ApiError(Code.Unknown, `namespace '${meant}' is not permitted`);
  return meant;
}

/** How policies name an application set: outside the namespace of the control plane, with its namespace. */
export function applicationSetObject(
  { namespace: control }: Pick<ApplicationSetServiceOptions, 'namespace'>,
  project: string,
  { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string },
): string {
  const own = project || 'default';
  return namespace === '' || namespace === control ? `${own}/${name}` : `${own}/${namespace}/${name}`;
}

export function projectOf({ spec }: ApplicationSet): string {
  return spec.template.spec.project || 'default';
}

/** Writes down who did what. */
export function recordDeed(
  { events }: ApplicationSetServiceOptions,
  call: Call,
  { metadata }: ApplicationSet,
  deed: { readonly reason: string; readonly did: string },
): void {
  const { name = '', namespace, uid, resourceVersion, labels } = metadata;
  void events.record({
    about: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(labels && { labels }),
    },
    reason: deed.reason,
    message: `${call.caller?.username ?? 'Unknown user'} ${deed.did}`,
    component: 'argocd-server',
  });
}
