import { allowedChangesOf, type Application, type ApplicationSet } from '../../model/index.ts';
import { applyMergePatch, type JsonObject, type JsonValue } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { checkApplications } from './check-applications.ts';
import { createTurns } from './create-turns.ts';
import type { DesiredApplication } from './desired-application.ts';
import { ownedApplications, readOnce } from './owned-applications.ts';
import type { ApplicationPlan } from './plan-application.ts';
import { planWrites } from './plan-writes.ts';
import { policyOf } from './policy-of.ts';
import { isRollingSync, withoutAutomation } from './rollout/plan-rollout.ts';

/** What would become of one application. */
export interface PlannedChange {
  readonly name: string;
  readonly kind: 'create' | 'update' | 'delete' | 'keep' | 'refuse';
  /** Why it is kept or refused, where that needs a word. */
  readonly message: string | undefined;
  /** As it is now; undefined where there is none. */
  readonly live: Application | undefined;
  /** What the set decides about of it, now and then. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

type ChangesContext = Pick<ApplicationSetContext, 'settings' | 'applications' | 'projects' | 'clusters' | 'namespace' | 'timers'>;

/**
 * What the controller would do if the set were like this and its generators yielded this, by the same rules. The set has the uid of the
 * one that exists, or an empty one.
 */
export async function planChanges(
  context: ChangesContext,
  set: ApplicationSet,
  { generated, signal }: { readonly generated: readonly DesiredApplication[]; readonly signal: AbortSignal },
): Promise<readonly PlannedChange[]> {
  const checked = checkApplications(context, set, generated);
  const policy = policyOf(context, set);
  const allowed = allowedChangesOf(policy);
  const owned = ownedApplications(context, set);
  const isRolling = isRollingSync(set, context.settings.current.parameters.appsetProgressiveSyncs);
  const desired = isRolling ? checked.valid.map(withoutAutomation) : checked.valid;
  const doInTurn = createTurns(context.timers, signal);
  const changes: PlannedChange[] = [];
  for (const { name, plan } of planWrites(context, set, { desired, operations: new Map() })) {
    const change = await doInTurn(() => {
      const known = context.applications.get({ namespace: set.metadata.namespace ?? '', name });
      const live = known && readOnce(known);
      return describeWrite(name, live, plan(live));
    });
    changes.push(
      change.kind === 'update' && owned.has(name) && !allowed.update
        ? { ...change, kind: 'keep', after: change.before, message: `the policy ${policy} leaves it as it is` }
        : change,
    );
  }
  for (const [name, message] of checked.problems)
    changes.push({ name, kind: 'refuse', message, live: owned.get(name), before: undefined, after: undefined });
  for (const [name, live] of owned) {
    if (checked.wanted.has(name)) continue;
    const before = formOf(live);
    changes.push(
      allowed.delete
        ? { name, kind: 'delete', message: undefined, live, before, after: undefined }
        : {
            name,
            kind: 'keep',
            message: `nothing generates it any more, and the policy ${policy} leaves it there`,
            live,
            before,
            after: before,
          },
    );
  }
  return changes.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function describeWrite(name: string, live: Application | undefined, plan: ApplicationPlan): PlannedChange {
  const before = live && formOf(live);
  if (plan.kind === 'refuse') return { name, kind: 'refuse', message: plan.message, live, before, after: before };
  if (plan.kind === 'keep') return { name, kind: 'keep', message: undefined, live, before, after: before };
  if (plan.kind === 'create') {
    const { metadata, spec } = plan.object;
    const { labels, annotations, finalizers } = metadata;
    const after = withoutUndefined({ metadata: { labels, annotations, finalizers }, spec });
    return { name, kind: 'create', message: undefined, live, before, after };
  }
  const { metadata, spec = {} } = plan.body as { readonly metadata?: JsonObject; readonly spec?: JsonObject };
  const { uid: _uid, ownerReferences, ...decided } = metadata ?? {};
  const message = ownerReferences === undefined ? undefined : 'it belongs to nobody, and would belong to this set';
  const after = applyMergePatch(before ?? {}, { metadata: decided, spec });
  return { name, kind: 'update', message, live, before, after: after as JsonObject };
}

/** What a set decides about of an application. */
function formOf({ metadata, spec }: Application): JsonObject {
  const { labels, annotations, finalizers } = metadata;
  return withoutUndefined({ metadata: { labels, annotations, finalizers }, spec });
}

/** Through JSON, which has no fields that are undefined. */
function withoutUndefined(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonValue as JsonObject;
}
