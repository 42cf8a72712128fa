import type { OperationState } from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';
import type { ControllerContext } from './controller-context.ts';

/** How long an operation may still take, all its attempts together; infinite where nobody has set a limit, and nothing where it is over. */
export function timeLeftFor({ settings, clock }: ControllerContext, { startedAt }: OperationState): number {
  const { syncTimeoutSeconds } = settings.current.parameters;
  const startedMs = startedAt ? parseTime(startedAt) : undefined;
  if (syncTimeoutSeconds <= 0 || startedMs === undefined) return Infinity;
  return Math.max(0, startedMs + syncTimeoutSeconds * 1_000 - clock.nowMs());
}
