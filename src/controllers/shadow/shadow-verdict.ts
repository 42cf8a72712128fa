/** What of an application two controllers may see differently, or of an application set. */
export type ShadowAspect = 'sync' | 'health' | 'revision' | 'resource' | 'condition' | 'application';

export interface Disagreement {
  readonly aspect: ShadowAspect;
  /** The resource, the condition or the application of a set; empty for what is said of the application as a whole. */
  readonly subject: string;
  readonly ours: string;
  readonly theirs: string;
  /** Why, as far as it can be told from this side. */
  readonly reason: string;
}

/**
 * `pending`: there is nothing to compare with yet, or what differs is so new that the other side may just not have written it down.
 * `skipped`: the application says that nobody is to look at it.
 */
export type ShadowVerdictName = 'agrees' | 'disagrees' | 'pending' | 'skipped';

/** One application, as we see it and as the controller wrote it down that looks after it. */
export interface ShadowVerdict {
  readonly namespace: string;
  readonly name: string;
  readonly project: string;
  readonly verdict: ShadowVerdictName;
  /** Why it is pending or skipped; empty otherwise. */
  readonly reason: string;
  readonly sync: { readonly ours: string; readonly theirs: string };
  readonly health: { readonly ours: string; readonly theirs: string };
  /** How many were compared. */
  readonly resources: number;
  readonly disagreements: readonly Disagreement[];
  /** What is told in other words, which is no disagreement. */
  readonly wordings: readonly { readonly subject: string; readonly ours: string; readonly theirs: string }[];
  /** What the first look after a cut-over would write; nothing where the two agree in every field. */
  readonly wouldWrite: readonly string[];
}

/** One application set: whether the applications that are there are those that we would make of it. */
export interface ShadowSetVerdict {
  readonly namespace: string;
  readonly name: string;
  readonly project: string;
  readonly verdict: ShadowVerdictName;
  readonly reason: string;
  /** How many it has, as we see it. */
  readonly applications: number;
  readonly disagreements: readonly Disagreement[];
  readonly wordings: ShadowVerdict['wordings'];
}

export type ShadowCounts = Readonly<Record<ShadowVerdictName, number>>;

export interface ShadowReport {
  /** Of applications. */
  readonly total: number;
  readonly counts: ShadowCounts;
  readonly applications: readonly ShadowVerdict[];
  readonly sets: { readonly total: number; readonly counts: ShadowCounts; readonly applicationSets: readonly ShadowSetVerdict[] };
}
