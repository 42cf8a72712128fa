import type { Application, ResourceResult } from '../../../../contract/gen/types.ts';

/** What happened in one phase and wave. */
export interface ResultGroup {
  readonly title: string;
  readonly results: readonly ResourceResult[];
}

const PHASES = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete'];

/** The results in the order in which they come about: by phase, and by wave where there is more than one. */
export function groupResults({ status }: Application): readonly ResultGroup[] {
  const waves = new Map(
    (status?.resources ?? []).map(({ group = '', kind = '', namespace = '', name = '', syncWave = 0 }) => [
      `${group}/${kind}/${namespace}/${name}`,
      syncWave,
    ]),
  );
  const groups = new Map<string, { readonly phase: string; readonly wave: number; readonly results: ResourceResult[] }>();
  for (const result of status?.operationState?.syncResult?.resources ?? []) {
    const phase = result.syncPhase ?? 'Sync';
    const wave = waves.get(`${result.group}/${result.kind}/${result.namespace}/${result.name}`) ?? 0;
    const key = `${phase}/${wave}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { phase, wave, results: [result] });
    else group.results.push(result);
  }
  const ordered = [...groups.values()].toSorted(
    (left, right) => PHASES.indexOf(left.phase) - PHASES.indexOf(right.phase) || left.wave - right.wave,
  );
  const hasWaves = (phase: string): boolean => ordered.filter((group) => group.phase === phase).length > 1;
  return ordered.map(({ phase, wave, results }) => ({ title: hasWaves(phase) || wave !== 0 ? `${phase}, wave ${wave}` : phase, results }));
}

/** How far it came with one. What was applied last is not looked at again once an operation is over: it does not run then, it was applied. */
export function stateOf({ status, hookType, hookPhase }: ResourceResult, isOver: boolean): string {
  const isLeft = isOver && hookPhase === 'Running' && !hookType;
  return (isLeft ? status : hookPhase || status) || 'waiting';
}

/** What a running operation waits for: what is applied and not yet well. */
export function waitsFor({ status }: Application): readonly string[] {
  const results = status?.operationState?.syncResult?.resources ?? [];
  return results
    .filter(({ hookPhase }) => hookPhase === 'Running')
    .map(({ kind, name, hookType }) => `${hookType ? `the ${hookType} hook ` : ''}${kind} ${name}`);
}
