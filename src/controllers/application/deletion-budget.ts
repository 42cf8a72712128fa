import { annotations } from '../../engine/index.ts';
import type { Application, ResourceStatus } from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';

const BUDGET_ANNOTATION = 'fairway.dev/deletion-budget';

/** How much of an application automation may prune without asking; undefined means everything but all of it. */
export interface DeletionBudget {
  /** As it was written, such as `20%` or `5`. */
  readonly text: string;
  readonly countMax: (total: number) => number;
}

/** `5`, `20%`, or `none`; undefined for `none` and for what is neither. */
export function parseDeletionBudget(text: string): DeletionBudget | undefined {
  const [, digits, percent] = /^(\d{1,6})(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return { text: text.trim(), countMax: (total) => (percent === '%' ? Math.floor((total * number) / 100) : number) };
}

/** That of an application itself, or else that of the installation. */
export function deletionBudgetOf({ metadata }: Application, installed: string): DeletionBudget | undefined {
  return parseDeletionBudget(metadata.annotations?.[BUDGET_ANNOTATION] ?? installed);
}

/** Why what would be pruned has to be confirmed first; undefined where it need not be, or was. */
export function describeOverspending(
  application: Application,
  resources: readonly ResourceStatus[],
  budget: DeletionBudget | undefined,
): string | undefined {
  if (budget === undefined) return undefined;
  // Hooks that have run stay behind, and no sync prunes them.
  const lasting = resources.filter(({ hook }) => hook !== true);
  const count = lasting.filter(({ requiresPruning }) => requiresPruning === true).length;
  if (count <= budget.countMax(lasting.length)) return undefined;
  const message = `it would delete ${count} of ${lasting.length} resources, and the deletion budget is ${budget.text}: sync with prune, or confirm the deletion`;
  return isConfirmed(application, message) ? undefined : message;
}

/** Whether somebody has confirmed it since it was shown. */
function isConfirmed({ metadata, status }: Application, message: string): boolean {
  const approvedMs = parseTime(metadata.annotations?.[annotations.deletionApproved] ?? '');
  const shown = status?.conditions?.find((condition) => condition.type === 'SyncError' && condition.message.endsWith(message));
  const shownMs = shown?.lastTransitionTime ? parseTime(shown.lastTransitionTime) : undefined;
  return approvedMs !== undefined && shownMs !== undefined && approvedMs >= shownMs;
}
