import { ApiError, mapBounded } from '../../base/index.ts';
import { applicationType, type Application, type ApplicationSet } from '../../model/index.ts';
import { isStatusError, type KubeObject, type Status } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { createTurns } from './create-turns.ts';
import { readOnce } from './owned-applications.ts';
import type { ApplicationPlan } from './plan-application.ts';
import { resourcesFinalizer } from './templates/render-application.ts';

/** How many requests are under way at once: enough for the home to be busy, few enough for others to get their turn. */
const writingMax = 10;
/** Notes beyond these are of no more use to anybody. */
const notesMax = 25;

export interface PlannedWrite {
  readonly name: string;
  /** Made from how the application is at that moment. */
  readonly plan: (live: Application | undefined) => ApplicationPlan;
}

/** Failures by the names of applications. */
export type WriteFailures = ReadonlyMap<string, string>;

export interface WrittenApplications {
  readonly failures: WriteFailures;
  /** As the API answered: of several answers that come at once, the store may learn only from the watch. */
  readonly written: ReadonlyMap<string, Application>;
}

/** Creates and changes applications. One that fails does not stop the others. */
export async function writeApplications(
  context: ApplicationSetContext,
  set: ApplicationSet,
  writes: readonly PlannedWrite[],
  signal: AbortSignal,
): Promise<WrittenApplications> {
  const note = createNotes(context, set);
  const written = new Map<string, Application>();
  const notice = (object: KubeObject): void => {
    context.applications.noticeWrite(object);
    written.set(object.metadata.name ?? '', readOnce(object));
  };
  const doInTurn = createTurns(context.timers, signal);
  const failures = await inParallel(writes, async ({ name, plan }) => {
    const ref = { namespace: set.metadata.namespace ?? '', name };
    // What users want to be ignored may take a while for each, and where nothing is to be written nothing is waited for.
    const planned = await doInTurn(() => {
      const known = context.applications.get(ref);
      return plan(known && readOnce(known));
    });
    if (planned.kind !== 'create') return change(context, planned, { ref, notice, note, signal });
    try {
      notice(await context.home.create(applicationType, planned.object, { signal }));
      note('created', `created Application "${name}"`);
      return undefined;
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) return describe(error);
    }
    // It is there, and the watch has not told of it yet.
    const live = await context.home.get(applicationType, ref, { signal });
    notice(live);
    return change(context, plan(readOnce(live)), { ref, notice, note, signal });
  });
  return { failures, written };
}

interface Change {
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly notice: (object: KubeObject) => void;
  readonly note: Note;
  readonly signal: AbortSignal;
}

async function change(
  { home }: ApplicationSetContext,
  planned: ApplicationPlan,
  { ref, notice, note, signal }: Change,
): Promise<string | undefined> {
  if (planned.kind === 'refuse') return planned.message;
  if (planned.kind !== 'patch') return undefined;
  try {
    notice(await home.patch(applicationType, ref, { type: 'merge', body: planned.body }, { signal }));
    note('updated', `updated Application "${ref.name}"`);
    return undefined;
  } catch (error) {
    return describe(error);
  }
}

/** Deletes applications that are no longer wanted. */
export async function deleteApplications(
  context: ApplicationSetContext,
  set: ApplicationSet,
  applications: readonly Application[],
  signal: AbortSignal,
): Promise<WriteFailures> {
  const note = createNotes(context, set);
  const writes = applications.map((application) => ({ name: application.metadata.name ?? '', application }));
  return inParallel(writes, async ({ name, application }) => {
    const { metadata } = application;
    if (metadata.deletionTimestamp) return undefined;
    const ref = { namespace: metadata.namespace ?? '', name };
    try {
      if (!hasDestination(context, application) && metadata.finalizers?.includes(resourcesFinalizer) === true) {
        const finalizers = metadata.finalizers.filter((finalizer) => finalizer !== resourcesFinalizer);
        const body = { metadata: { finalizers, ...(metadata.uid !== undefined && { uid: metadata.uid }) } };
        context.applications.noticeWrite(await context.home.patch(applicationType, ref, { type: 'merge', body }, { signal }));
        note('Updated', `Updated Application "${name}" finalizer before deletion, because application has an invalid destination`);
      }
      const preconditions = metadata.uid ? { preconditions: { uid: metadata.uid } } : {};
      const last = await context.home.delete(applicationType, ref, { ...preconditions, signal });
      // One that something holds back is there for a while, on its way out.
      if (isOnItsWayOut(last)) context.applications.noticeWrite(last);
      note('Deleted', `Deleted Application "${name}"`);
      return undefined;
    } catch (error) {
      // Somebody else was quicker, or another has taken its name: either way it is not ours to delete any more.
      return isStatusError(error, 'NotFound', 'Conflict') ? undefined : describe(error);
    }
  });
}

function isOnItsWayOut(answer: KubeObject | Status): answer is KubeObject {
  const { metadata } = answer as Partial<KubeObject>;
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length > 0;
}

/** A cluster that is gone cannot be asked to let anything go. */
function hasDestination({ clusters }: ApplicationSetContext, { spec }: Application): boolean {
  try {
    clusters.resolve(spec.destination);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

type Note = (reason: string, message: string) => void;

function createNotes({ events }: ApplicationSetContext, { metadata }: ApplicationSet): Note {
  let written = 0;
  const { name = '', namespace, uid } = metadata;
  const about = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
  };
  return (reason, message) => {
    written += 1;
    if (written <= notesMax) void events.record({ about, reason, message, component: 'applicationset-controller', isPatient: true });
  };
}

/** A refusal is shown to users; that the API cannot be reached, too. Anything else is a mistake of ours and goes on. */
function describe(error: unknown): string {
  if (isStatusError(error) || error instanceof ApiError) return error.message;
  throw error;
}

async function inParallel<Item extends { readonly name: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<string | undefined>,
): Promise<WriteFailures> {
  const failures = new Map<string, string>();
  await mapBounded(items, writingMax, async (item) => {
    const failure = await work(item).catch(describe);
    if (failure !== undefined) failures.set(item.name, failure);
  });
  return failures;
}
