import type { ApplicationSet } from '../../model/index.ts';
import { createMergePatch } from '../../objects/index.ts';
import type { PlannedChange } from '../applicationset/plan-changes.ts';
import { changedPaths } from './changed-paths.ts';
import type { Disagreement, ShadowSetVerdict } from './shadow-verdict.ts';

/** What we would do with an application set: change applications, or say that it cannot be done. */
export type SetFinding =
  | { readonly kind: 'planned'; readonly changes: readonly PlannedChange[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Why there is nothing to compare with yet. */
export function findReasonToWaitForSet({ metadata, status }: ApplicationSet): string | undefined {
  if (metadata.deletionTimestamp) return 'it is being deleted';
  if ((status?.conditions ?? []).length === 0) return 'they have not looked at it yet';
  return undefined;
}

/**
 * Whether the applications of a set are those that it would make here, each as it would be made, and whether both can or cannot make them.
 * What both would leave alone agrees.
 */
export function judgeSet(set: ApplicationSet, finding: SetFinding): ShadowSetVerdict {
  const changes = finding.kind === 'planned' ? finding.changes : [];
  const refused = changes.find(({ kind }) => kind === 'refuse');
  const ours = finding.kind === 'failed' ? finding.message : (refused?.message ?? '');
  const theirError = set.status?.conditions?.find(({ type, status }) => type === 'ErrorOccurred' && status === 'True');
  const theirs = theirError?.message ?? '';
  const isSame = (ours === '') === (theirError === undefined);
  const disagreements = [
    ...(isSame
      ? []
      : [{ aspect: 'condition', subject: 'ErrorOccurred', ours, theirs, reason: 'one of the two can make its applications' } as const]),
    ...changes.flatMap((change) => disagreementOf(change) ?? []),
  ];
  return {
    ...describeSet(set),
    verdict: disagreements.length === 0 ? 'agrees' : 'disagrees',
    applications: changes.filter(({ kind }) => kind !== 'delete' && kind !== 'refuse').length,
    disagreements,
    wordings: isSame && ours !== theirs ? [{ subject: 'ErrorOccurred', ours, theirs }] : [],
  };
}

/** A set of which nothing is known yet. */
export function describeSet({ metadata, spec }: ApplicationSet): ShadowSetVerdict {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    project: spec.template.spec?.project || 'default',
    verdict: 'pending',
    reason: '',
    applications: 0,
    disagreements: [],
    wordings: [],
  };
}

function disagreementOf({ name, kind, before = {}, after = {}, message }: PlannedChange): Disagreement | undefined {
  const common = { aspect: 'application', subject: name } as const;
  if (kind === 'create') return { ...common, ours: 'there', theirs: '', reason: 'we generate it' };
  if (kind === 'delete') return { ...common, ours: '', theirs: 'there', reason: 'we do not generate it' };
  if (kind !== 'update') return undefined;
  const paths = changedPaths(createMergePatch(before, after));
  const fields = paths.length === 0 ? (message ?? 'its owner') : `differs in ${paths.join(', ')}`;
  return { ...common, ours: 'generated otherwise', theirs: 'there', reason: fields };
}
