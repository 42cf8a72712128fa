import { ApiError, Code } from '../../../../base/index.ts';

/** A provider that failed, refused, or answered something else than it documents. Its text is shown to users and holds no secret. */
export class ProviderError extends ApiError {
  /** Of the HTTP answer; undefined where there was none, or none that could be read. */
  readonly status: number | undefined;
  /** The provider's own name for the failure, where it has one. */
  readonly reason: string;
  /** What it says about the failure, without what we say. */
  readonly detail: string;

  constructor(message: string, options: { status?: number; reason?: string; detail?: string; cause?: unknown } = {}) {
    const { status, reason = '', detail = '', cause } = options;
    super(codeOf(status), message, { cause });
    this.name = 'ProviderError';
    this.status = status;
    this.reason = reason;
    this.detail = detail;
  }
}

export function isNotFound(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.status === 404;
}

function codeOf(status: number | undefined): Code {
  switch (status) {
    case 401:
      return Code.Unauthenticated;
    case 403:
      return Code.PermissionDenied;
    case 404:
      return Code.NotFound;
    case 429:
      return Code.ResourceExhausted;
    default:
      return status !== undefined && status < 500 ? Code.FailedPrecondition : Code.Unavailable;
  }
}
