import type { Operation, OperationState } from '../../model/index.ts';

/** The state of an operation of which nothing has been done. */
export function beginOperation(operation: Operation, startedAt: string): OperationState {
  return { operation, phase: 'Running', startedAt, message: '' };
}
