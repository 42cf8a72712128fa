import type { ApplicationCondition, ApplicationStatus, ResourceStatus } from '../../model/index.ts';
import type { Disagreement, ShadowVerdict } from './shadow-verdict.ts';

export interface TwoStatuses {
  readonly ours: ApplicationStatus;
  readonly theirs: ApplicationStatus;
  /** Why we judge a resource as we do, in words; empty where there is nothing to say. */
  readonly explain: (resource: ResourceStatus) => string;
}

/** Where two statuses of one application say different things. What they say in different words is not among it. */
export function findDisagreements(statuses: TwoStatuses): readonly Disagreement[] {
  const { ours, theirs } = statuses;
  return [
    ...compareTexts('sync', ours.sync?.status, theirs.sync?.status, () => reasonOfWhole(ours, theirs)),
    ...compareTexts('health', ours.health?.status, theirs.health?.status, () => 'follows from the health of its resources'),
    ...(ours.sync?.status === 'Unknown' || theirs.sync?.status === 'Unknown'
      ? []
      : compareTexts('revision', revisionsOf(ours), revisionsOf(theirs), () => 'another revision was compared')),
    ...compareResources(statuses),
    ...compareConditions(ours.conditions ?? [], theirs.conditions ?? []),
  ];
}

/** Conditions that both have, with other texts. */
export function findWordings(ours: ApplicationStatus, theirs: ApplicationStatus): ShadowVerdict['wordings'] {
  const types = new Set((ours.conditions ?? []).map(({ type }) => type ?? ''));
  return [...types].flatMap((subject) => {
    const [own, other] = [ours, theirs].map(({ conditions = [] }) => messagesOf(conditions, subject)) as [string, string];
    return other === '' || own === other ? [] : [{ subject, ours: own, theirs: other }];
  });
}

type WholeAspect = 'sync' | 'health' | 'revision';

function compareTexts(aspect: WholeAspect, ours = '', theirs = '', reasonOf: () => string): Disagreement[] {
  return ours === theirs ? [] : [{ aspect, subject: '', ours, theirs, reason: reasonOf() }];
}

function reasonOfWhole(ours: ApplicationStatus, theirs: ApplicationStatus): string {
  const failed = [ours, theirs].map(({ conditions = [] }) => conditions.find(({ type }) => type.endsWith('Error'))?.message);
  if (failed[0] !== undefined && failed[1] === undefined) return `we cannot compare it: ${failed[0]}`;
  if (failed[0] === undefined && failed[1] !== undefined) return `they could not compare it: ${failed[1]}`;
  return 'follows from its resources';
}

function revisionsOf({ sync }: ApplicationStatus): string {
  return (sync?.revisions ?? [sync?.revision ?? '']).join(', ');
}

function compareResources({ ours, theirs, explain }: TwoStatuses): Disagreement[] {
  // Where nothing could be compared, the list tells only what was there before.
  if (ours.sync?.status === 'Unknown' || theirs.sync?.status === 'Unknown') return [];
  const own = new Map((ours.resources ?? []).map((resource) => [nameOf(resource), resource]));
  const others = new Map((theirs.resources ?? []).map((resource) => [nameOf(resource), resource]));
  return [...new Set([...own.keys(), ...others.keys()])].flatMap((subject): Disagreement[] => {
    const [one, other] = [own.get(subject), others.get(subject)];
    const common = { aspect: 'resource', subject } as const;
    if (one === undefined) return [{ ...common, ours: 'absent', theirs: describe(other), reason: 'we do not count it to the application' }];
    const reason = explain(one);
    if (other === undefined) return [{ ...common, ours: describe(one), theirs: 'absent', reason: reason || 'only we count it to it' }];
    if (describe(one) === describe(other)) return [];
    return [{ ...common, ours: describe(one), theirs: describe(other), reason: reason || 'no field of it differs for us' }];
  });
}

function nameOf({ group = '', kind = '', namespace = '', name = '' }: ResourceStatus): string {
  return [group, kind, namespace, name].join('/');
}

/** All that a resource is judged by, as one text. */
function describe(resource: ResourceStatus | undefined): string {
  if (resource === undefined) return '';
  const { status = '', health, hook, requiresPruning, requiresDeletionConfirmation, syncWave = 0 } = resource;
  const marks = Object.entries({ hook, 'to be pruned': requiresPruning, 'to be confirmed': requiresDeletionConfirmation });
  return [
    status,
    ...(health?.status ? [health.status] : []),
    ...marks.flatMap(([mark, isSet]) => (isSet === true ? [mark] : [])),
    ...(syncWave === 0 ? [] : [`wave ${syncWave}`]),
  ].join(', ');
}

/** What only Fairway warns of is no other view of the application. */
const OWN_WARNINGS: ReadonlySet<string> = new Set(['PinnedWarning', 'ControlPlaneWarning']);

function compareConditions(ours: readonly ApplicationCondition[], theirs: readonly ApplicationCondition[]): Disagreement[] {
  const types = new Set([...ours, ...theirs].map(({ type }) => type ?? ''));
  return [...types].flatMap((subject): Disagreement[] => {
    const [own, other] = [messagesOf(ours, subject), messagesOf(theirs, subject)];
    if ((own === '') === (other === '') || OWN_WARNINGS.has(subject)) return [];
    return [
      { aspect: 'condition', subject, ours: own || 'absent', theirs: other || 'absent', reason: own === '' ? 'only they say so' : own },
    ];
  });
}

function messagesOf(conditions: readonly ApplicationCondition[], subject: string): string {
  const messages = conditions.filter(({ type }) => type === subject).map(({ message }) => message || subject);
  return messages.sort().join('\n');
}
