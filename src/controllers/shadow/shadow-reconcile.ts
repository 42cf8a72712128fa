import { annotations } from '../../engine/index.ts';
import type { WorkResult } from '../../kube/index.ts';
import { hasMultipleSources, readApplication, sourcesOf, type Application, type ResourceStatus } from '../../model/index.ts';
import { formatTime, sameJson } from '../../objects/index.ts';
import type { ApplicationMemory } from '../application/application-memory.ts';
import { buildStatus } from '../application/build-status.ts';
import type { Comparison } from '../application/compare.ts';
import type { ControllerContext } from '../application/controller-context.ts';
import { explainDifferences } from '../application/explain-differences.ts';
import { refreshAnnotation } from '../application/plan-refresh.ts';
import { compareAt, skipAnnotation } from '../application/reconcile.ts';
import { planChange } from '../application/write-application.ts';
import { changedPaths } from './changed-paths.ts';
import { describeApplication } from './describe-application.ts';
import { findDisagreements, findWordings } from './find-disagreements.ts';
import type { ShadowLedger } from './shadow-ledger.ts';
import type { ShadowVerdict } from './shadow-verdict.ts';

/** How soon what is not settled is looked at again. */
const againMs = 2_000;
/** How soon what does not agree is looked at again, and what agrees. */
const doubtMs = 20_000;
const restMs = 180_000;

type Reconcile = (
  context: ControllerContext,
  ref: { readonly namespace: string; readonly name: string },
  memory: ApplicationMemory,
  signal: AbortSignal,
) => Promise<WorkResult>;

/**
 * Looks at an application as its reconciler would, at the revision that the other side compared, and notes whether what it would write down is
 * what stands there. Writes nothing, starts nothing.
 */
export function createShadowReconcile(ledger: ShadowLedger): Reconcile {
  /** Since when an application is seen differently, by its place. */
  const doubts = new Map<string, number>();

  return async (context, ref, memory, signal) => {
    if (!context.projects.synced) return { requeueAfterMs: 1_000 };
    const key = `${ref.namespace}/${ref.name}`;
    const object = context.applications.get(ref);
    if (object === undefined || !context.isNamespaceEnabled(ref.namespace)) {
      ledger.forget(ref.namespace, ref.name);
      doubts.delete(key);
      return 'done';
    }
    const application = readApplication(object);
    const reason = findReasonToWait(application);
    if (reason !== undefined) {
      ledger.note({ ...describeApplication(application), ...reason });
      return reason.verdict === 'skipped' ? 'done' : { requeueAfterMs: againMs };
    }
    const plan = { level: 'same-revision', hard: false, sinceMs: context.clock.nowMs(), reason: 'shadow' } as const;
    const comparison = await compareAt(context, comparedByUs(application), plan, memory, signal);
    const found = await judge(context, application, comparison, signal);
    const sinceMs = doubts.get(key) ?? context.clock.nowMs();
    if (found.disagreements.length === 0) doubts.delete(key);
    else doubts.set(key, sinceMs);
    const isSettled = found.disagreements.length === 0 || context.clock.nowMs() - sinceMs >= ledger.patienceMs;
    ledger.note(isSettled ? found : { ...found, verdict: 'pending', reason: 'seen differently only for a moment yet' });
    if (!isSettled) return { requeueAfterMs: againMs };
    return { requeueAfterMs: found.disagreements.length > 0 ? doubtMs : restMs };
  };
}

/** To ask the cluster what an apply would change is to send it one, if only to be tried: here we predict it ourselves. */
function comparedByUs(application: Application): Application {
  const { metadata } = application;
  const options = metadata.annotations?.[annotations.compareOptions];
  const changed = [...(options ? [options] : []), 'ServerSideDiff=false'].join(',');
  return { ...application, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.compareOptions]: changed } } };
}

/** Why there is nothing to compare with yet. */
function findReasonToWait(application: Application): Pick<ShadowVerdict, 'verdict' | 'reason'> | undefined {
  const { metadata, spec, status, operation } = application;
  const wait = (reason: string) => ({ verdict: 'pending', reason }) as const;
  if (metadata.annotations?.[skipAnnotation] === 'true') return { verdict: 'skipped', reason: 'it says that nobody is to look at it' };
  if (metadata.deletionTimestamp) return wait('it is being deleted');
  if (operation !== undefined || status?.operationState?.phase === 'Running') return wait('an operation is under way');
  if (metadata.annotations?.[refreshAnnotation] !== undefined) return wait('a refresh was asked for and is not done');
  if (status?.sync === undefined) return wait('they have not compared it yet');
  const { comparedTo } = status.sync;
  // What cannot work is not compared at all.
  if (comparedTo === undefined) return undefined;
  const compared = hasMultipleSources(application) ? comparedTo.sources : comparedTo.source && [comparedTo.source];
  if (!sameJson(sourcesOf(application), compared ?? []) || !sameJson(spec.destination, comparedTo.destination ?? {}))
    return wait('it was changed after they compared it');
  return undefined;
}

async function judge(
  context: ControllerContext,
  application: Application,
  comparison: Comparison,
  signal: AbortSignal,
): Promise<ShadowVerdict> {
  const theirs = application.status ?? {};
  const now = formatTime(context.clock.nowMs());
  const common = { application, comparison, namespace: context.namespace, now, isReconciled: false };
  const ours = buildStatus({ ...common, isHealthPersisted: theirs.resourceHealthSource !== 'appTree', keepsWords: false });
  const { healthPersisted } = context.settings.current.parameters;
  const afterwards = buildStatus({ ...common, isHealthPersisted: healthPersisted, keepsWords: true });
  const explain = await explainResources(comparison, signal);
  const disagreements = findDisagreements({ ours, theirs, explain });
  return {
    ...describeApplication(application),
    verdict: disagreements.length === 0 ? 'agrees' : 'disagrees',
    reason: '',
    sync: { ours: ours.sync?.status ?? '', theirs: theirs.sync?.status ?? '' },
    health: { ours: ours.health?.status ?? '', theirs: theirs.health?.status ?? '' },
    resources: ours.resources?.length ?? 0,
    disagreements,
    wordings: findWordings(ours, theirs),
    wouldWrite: changedPaths(planChange(application, { status: afterwards }) ?? {}),
  };
}

/** Which fields differ, and how healthy it is in whose words. */
async function explainResources(comparison: Comparison, signal: AbortSignal): Promise<(resource: ResourceStatus) => string> {
  if (comparison.kind !== 'compared') return () => '';
  const explain = await explainDifferences(comparison, signal);
  const resources = new Map(comparison.result.resources.map((resource) => [keyOf(resource), resource]));
  return (entry) => {
    const resource = resources.get(keyOf(entry));
    if (resource === undefined) return '';
    const fields = explain(resource).map(({ path, cause }) => `${path || 'the whole object'} (${cause})`);
    const message = entry.health?.message;
    return [...(fields.length > 0 ? [`differs in ${fields.join(', ')}`] : []), ...(message ? [`health: ${message}`] : [])].join('; ');
  };
}

function keyOf({
  group = '',
  kind = '',
  namespace = '',
  name = '',
}: Partial<Record<'group' | 'kind' | 'namespace' | 'name', string>>): string {
  return [group, kind, namespace, name].join('/');
}
