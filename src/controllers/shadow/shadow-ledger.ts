import type { ShadowReport, ShadowVerdict, ShadowVerdictName } from './shadow-verdict.ts';

/** What was found of every application, as it was found last. */
export interface ShadowLedger {
  note(verdict: ShadowVerdict): void;
  find(namespace: string, name: string): ShadowVerdict | undefined;
  forget(namespace: string, name: string): void;
  /** Sorted by namespace and name; all, unless told which. */
  report(isShown?: (verdict: ShadowVerdict) => boolean): ShadowReport;
}

export function createShadowLedger(): ShadowLedger {
  const verdicts = new Map<string, ShadowVerdict>();
  const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
  return {
    note: (verdict) => void verdicts.set(keyOf(verdict.namespace, verdict.name), verdict),
    find: (namespace, name) => verdicts.get(keyOf(namespace, name)),
    forget: (namespace, name) => void verdicts.delete(keyOf(namespace, name)),
    report(isShown = () => true) {
      const keys = [...verdicts.keys()].sort();
      const applications = keys.flatMap((key) => verdicts.get(key) ?? []).filter((verdict) => isShown(verdict));
      const counts: Record<ShadowVerdictName, number> = { agrees: 0, disagrees: 0, pending: 0, skipped: 0 };
      for (const { verdict } of applications) counts[verdict] += 1;
      return { total: applications.length, counts, applications };
    },
  };
}
