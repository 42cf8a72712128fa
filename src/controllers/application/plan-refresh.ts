import { hasMultipleSources, sourcesOf, type Application } from '../../model/index.ts';
import { parseTime, sameJson } from '../../objects/index.ts';

export const refreshAnnotation = 'argocd.argoproj.io/refresh';

/** How far a comparison goes back: to what was rendered last, to the revision as known a moment ago, or to the repository itself. */
export type RefreshLevel = 'same-revision' | 'known-revision' | 'fresh-revision';

export interface RefreshPlan {
  readonly level: RefreshLevel;
  /** Whether what was rendered before is rendered again. */
  readonly hard: boolean;
  /** A fresh revision is one that was asked for after this, on the clock of the wall. */
  readonly sinceMs: number;
  /** Why, for the log. */
  readonly reason: string;
}

export interface RefreshInput {
  readonly application: Application;
  /** What was asked for since the last comparison; undefined where nothing was. */
  readonly requested: RefreshLevel | undefined;
  /** Since when a fresh revision has to have been asked for; now unless given. */
  readonly freshSinceMs?: number | undefined;
  /** When this process saw that the spec changed; it did not unless given. */
  readonly specSeenMs?: number | undefined;
  /** Whether this process has compared the application before. */
  readonly isKnown: boolean;
  /** When this process last asked for its revisions, and how long that holds; undefined means for ever. */
  readonly comparedMs: number | undefined;
  readonly expiryMs: number | undefined;
  readonly nowMs: number;
}

const ORDER: readonly RefreshLevel[] = ['same-revision', 'known-revision', 'fresh-revision'];

export function higherLevel(one: RefreshLevel | undefined, other: RefreshLevel): RefreshLevel {
  return one !== undefined && ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;
}

/** What of an application has to be looked at anew; undefined where nothing has. */
export function planRefresh(input: RefreshInput): RefreshPlan | undefined {
  const { application, requested, freshSinceMs, specSeenMs, isKnown, comparedMs, expiryMs, nowMs } = input;
  const { metadata, spec, status } = application;
  const asked = metadata.annotations?.[refreshAnnotation];
  if (asked !== undefined) return { level: 'fresh-revision', hard: asked === 'hard', sinceMs: nowMs, reason: 'a refresh was asked for' };
  const plan = (level: RefreshLevel, reason: string, sinceMs = freshSinceMs ?? nowMs): RefreshPlan => ({
    level: higherLevel(requested, level),
    hard: false,
    sinceMs,
    reason,
  });
  const comparedTo = status?.sync?.comparedTo;
  const sources = sourcesOf(application);
  const compared = hasMultipleSources(application) ? (comparedTo?.sources ?? []) : comparedTo?.source ? [comparedTo.source] : [];
  const otherSourceMs = Math.max(specSeenMs ?? nowMs, freshSinceMs ?? 0);
  if (!sameJson(sources, compared)) return plan('fresh-revision', 'the source differs from the one that was compared', otherSourceMs);
  if (!sameJson(spec.destination, comparedTo?.destination ?? {})) return plan('known-revision', 'the destination differs');
  if (!sameJson(spec.ignoreDifferences ?? [], comparedTo?.ignoreDifferences ?? []))
    return plan('known-revision', 'what is ignored differs');
  const lastMs = comparedMs ?? (status?.reconciledAt ? parseTime(status.reconciledAt) : undefined);
  if (lastMs === undefined) return plan('known-revision', 'it has never been compared');
  // One from the future was made before the clock was set back, and nobody knows when.
  const isExpired = expiryMs !== undefined && (nowMs < lastMs || nowMs - lastMs >= expiryMs);
  if (isExpired) return plan('known-revision', 'the last comparison has expired');
  if (requested !== undefined) return plan(requested, 'something changed');
  return isKnown ? undefined : plan('same-revision', 'this process has not compared it yet');
}
