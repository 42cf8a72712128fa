import type { ApplicationStatus, OperationState, ResourceResult, RevisionHistory } from '../../model/index.ts';
import { isStatusError } from '../../objects/index.ts';
import { mergeConditions } from './conditions.ts';

/** What a status is left with where all of it is more than a cluster takes. */
const rowsMax = 200;
const conditionsMax = 50;
const messageCharactersMax = 2_000;
const historyCharactersMax = 300_000;

const TYPE = 'UnknownError';
const MESSAGE =
  'Application status exceeds the Kubernetes resource size limit and could not be persisted. Its resources, rows of its last operation and earlier ' +
  'deployments are left out: make smaller applications of it, or keep fewer revisions (spec.revisionHistoryLimit).';

/** Whether a cluster refused an object for its size: the API server that of the request, its store that of the whole object. */
export function isTooLarge(error: unknown): boolean {
  if (isStatusError(error, 'RequestEntityTooLarge')) return true;
  return isStatusError(error) && /request is too large|message larger than max/.test(error.message);
}

/**
 * The same status without what makes it large, and with a condition that says so. Hooks, and what failed or was pruned, stay known of an
 * operation: they must not be done twice. `stored` is the status as it is in the cluster.
 */
export function slimStatus(status: ApplicationStatus, stored: ApplicationStatus | undefined, now: string): ApplicationStatus {
  const { resources: _resources, summary: _summary, conditions = [], operationState, history, ...rest } = status;
  const told = (stored?.conditions ?? []).filter(({ message }) => message === MESSAGE);
  const kept = conditions.slice(0, conditionsMax).map((condition) => ({ ...condition, message: cut(condition.message) }));
  const unknown = kept.filter(({ type }) => type === TYPE);
  return {
    ...rest,
    conditions: mergeConditions([...kept, ...told], [...unknown, { type: TYPE, message: MESSAGE }], new Set([TYPE]), now),
    ...(operationState && { operationState: slimOperation(operationState) }),
    ...(history && { history: latest(history) }),
  };
}

/** Whether a status was written without its lists. */
export function isSlim(status: ApplicationStatus | undefined): boolean {
  return status?.conditions?.some(({ message }) => message === MESSAGE) === true;
}

function slimOperation(state: OperationState): OperationState {
  const { message, syncResult } = state;
  const rows = syncResult?.resources?.filter(({ hookType, status }) => Boolean(hookType) || status !== 'Synced').slice(0, rowsMax);
  return {
    ...state,
    ...(message !== undefined && { message: cut(message) }),
    ...(syncResult && { syncResult: { ...syncResult, resources: (rows ?? []).map(slimRow) } }),
  };
}

function slimRow(row: ResourceResult): ResourceResult {
  return row.message === undefined ? row : { ...row, message: cut(row.message) };
}

function cut(text: string): string {
  return text.length > messageCharactersMax ? `${text.slice(0, messageCharactersMax)}…` : text;
}

/** As many of the last entries as fit, and the last one in any case. */
function latest(history: readonly RevisionHistory[]): RevisionHistory[] {
  let characters = 0;
  const first = history.findLastIndex((entry) => (characters += JSON.stringify(entry).length) > historyCharactersMax);
  return history.slice(Math.min(first + 1, history.length - 1));
}
