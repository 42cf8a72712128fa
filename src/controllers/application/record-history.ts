import type { Application, OperationState, RevisionHistory } from '../../model/index.ts';

const LIMIT_DEFAULT = 10;

/** The deployments with the one that just succeeded; undefined where it is none: one of parts, or only tried. */
export function recordHistory({ spec, status }: Application, state: OperationState, deployedAt: string): RevisionHistory[] | undefined {
  const { operation, phase, syncResult, startedAt } = state;
  const isPartial = (operation.sync?.resources ?? []).length > 0;
  if (phase !== 'Succeeded' || !syncResult || operation.sync?.dryRun === true || isPartial) return undefined;
  const before = status?.history ?? [];
  const last = before.at(-1);
  const { revision, revisions, source, sources } = syncResult;
  const entry: RevisionHistory = {
    id: last === undefined ? 0 : last.id + 1,
    deployedAt,
    deployStartedAt: startedAt,
    ...(sources && sources.length > 0 ? { sources, revisions: revisions ?? [] } : { revision, ...(source && { source }) }),
    ...(operation.initiatedBy && { initiatedBy: operation.initiatedBy }),
  };
  const limit = spec.revisionHistoryLimit ?? LIMIT_DEFAULT;
  return limit <= 0 ? [] : [...before, entry].slice(-limit);
}
