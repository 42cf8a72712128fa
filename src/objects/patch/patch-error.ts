import { ApiError, Code } from '../../base/index.ts';

/** The HTTP statuses with which an API server refuses a patch. */
export type PatchErrorStatus = 400 | 413 | 422 | 500;

/**
 * A patch that cannot be read (400), is too large (413), does not apply to this object (422), or speaks of fields that cannot be
 * merged (500, as Kubernetes has it although the patch is at fault).
 */
export class PatchError extends ApiError {
  readonly status: PatchErrorStatus;

  constructor(status: PatchErrorStatus, message: string) {
    super(status === 422 ? Code.FailedPrecondition : Code.InvalidArgument, message);
    this.name = 'PatchError';
    this.status = status;
  }
}
