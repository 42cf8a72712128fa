import { readApplication, readApplicationSet } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { describeApplication } from './describe-application.ts';
import { describeSet } from './judge-set.ts';
import type { ShadowCounts, ShadowReport, ShadowSetVerdict, ShadowVerdict, ShadowVerdictName } from './shadow-verdict.ts';

/** What was found of every application and application set, as it was found last. */
export interface ShadowLedger {
  /** For so long what differs may be what the other side has not written down yet. */
  readonly patienceMs: number;
  /** What is there counts as pending until it has been looked at, so that nobody takes silence for agreement. */
  expect(application: KubeObject): void;
  expectSet(set: KubeObject): void;
  note(verdict: ShadowVerdict): void;
  forget(namespace: string, name: string): void;
  noteSet(verdict: ShadowSetVerdict): void;
  forgetSet(namespace: string, name: string): void;
  /** Sorted by namespace and name; all, unless told which. */
  report(isShown?: (verdict: ShadowVerdict) => boolean, isSetShown?: (verdict: ShadowSetVerdict) => boolean): ShadowReport;
}

const unseen = 'we have not looked at it yet';

export function createShadowLedger(patienceMs = 15_000): ShadowLedger {
  const verdicts = new Map<string, ShadowVerdict>();
  const sets = new Map<string, ShadowSetVerdict>();
  const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
  return {
    patienceMs,
    expect(object) {
      const verdict = describeApplication(readApplication(object));
      const key = keyOf(verdict.namespace, verdict.name);
      if (!verdicts.has(key)) verdicts.set(key, { ...verdict, reason: unseen });
    },
    expectSet(object) {
      const verdict = describeSet(readApplicationSet(object));
      const key = keyOf(verdict.namespace, verdict.name);
      if (!sets.has(key)) sets.set(key, { ...verdict, reason: unseen });
    },
    note: (verdict) => void verdicts.set(keyOf(verdict.namespace, verdict.name), verdict),
    forget: (namespace, name) => void verdicts.delete(keyOf(namespace, name)),
    noteSet: (verdict) => void sets.set(keyOf(verdict.namespace, verdict.name), verdict),
    forgetSet: (namespace, name) => void sets.delete(keyOf(namespace, name)),
    report(isShown = () => true, isSetShown = () => true) {
      const applications = sortedValues(verdicts).filter((verdict) => isShown(verdict));
      const applicationSets = sortedValues(sets).filter((verdict) => isSetShown(verdict));
      return {
        total: applications.length,
        counts: count(applications),
        applications,
        sets: { total: applicationSets.length, counts: count(applicationSets), applicationSets },
      };
    },
  };
}

function sortedValues<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

function count(verdicts: readonly { readonly verdict: ShadowVerdictName }[]): ShadowCounts {
  const counts = { agrees: 0, disagrees: 0, pending: 0, skipped: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return counts;
}
