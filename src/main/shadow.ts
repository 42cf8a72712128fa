/** `fairway shadow`. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ShadowLedger, ShadowReport } from '../controllers/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import { StartError } from './start-error.ts';
import { holdDataFolder, startControlPlane, type UpInput } from './up.ts';

const lookMs = 250;
/** Thousands of applications over a slow line take longer to list than a start waits. */
const readLimitMs = 5 * 60_000;
/** What does not pass by itself. */
const refusals: ReadonlySet<string | undefined> = new Set(['forbidden', 'unauthorized', 'gone', 'unsupported']);
/** An operation that hangs may keep an application from being judged for ever: so long after all patience is over. */
const standstillMs = 45_000;
const limitMs = 30 * 60_000;

/** Looks at every application and application set until all are judged, or until nothing moves any more. Throws StartError when it cannot begin. */
export async function runShadow(input: UpInput): Promise<ShadowReport> {
  await using stack = new AsyncDisposableStack();
  await holdDataFolder(input, stack);
  const { plane, projects } = await startControlPlane(input, stack);
  const { shadow, applications, applicationSets } = plane;
  if (shadow === undefined) throw new Error('a shadow was started on a home of our own');
  await waitUntilRead([projects, applications, applicationSets]);
  requireRead(projects, applications, applicationSets);
  return await lookUntilJudged(shadow);
}

/** Waits for lists that are still being read, and for nothing that is refused. */
export async function waitUntilRead(stores: readonly ObjectStore[]): Promise<void> {
  const endMs = performance.now() + readLimitMs;
  const isAwaited = ({ synced, trouble }: ObjectStore): boolean => !synced && !refusals.has(trouble?.reason);
  while (stores.some(isAwaited) && performance.now() < endMs) await wait(lookMs);
}

/** What cannot be read is no installation without applications. */
export function requireRead(projects: ObjectStore, applications: ObjectStore, sets: ObjectStore): void {
  for (const store of [projects, applications, sets]) {
    // An Argo CD without application sets is one, too.
    if (store.synced || (store === sets && store.trouble?.reason === 'gone')) continue;
    throw new StartError(`cannot read the objects of kind ${store.type.kind}: ${store.trouble?.message ?? 'there was no answer in time'}`);
  }
}

async function lookUntilJudged(shadow: ShadowLedger): Promise<ShadowReport> {
  const startMs = performance.now();
  let seen = '';
  let movedMs = startMs;
  for (;;) {
    const report = shadow.report();
    const nowMs = performance.now();
    const state = JSON.stringify([report.counts, report.sets.counts]);
    if (state !== seen) movedMs = nowMs;
    seen = state;
    const isComplete = report.counts.pending === 0 && report.sets.counts.pending === 0;
    if (isComplete || nowMs - movedMs > standstillMs + shadow.patienceMs || nowMs - startMs > limitMs) return report;
    await wait(lookMs);
  }
}
