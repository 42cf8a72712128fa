/** gRPC codes that the interface acts on; others only have a text. */
export const callCodes = {
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A call that failed: the code and the text of the server, or our own where the server could not be reached. */
export class CallError extends Error {
  readonly code: number;
  /** 0 where there was no answer. */
  readonly status: number;

  constructor(code: number, message: string, status: number) {
    super(message);
    this.name = 'CallError';
    this.code = code;
    this.status = status;
  }
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof CallError && error.code === callCodes.unauthenticated;
}

/** What happened, in words for a person. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reads the error that an answer carries, whatever form it has. */
export async function readFailure(answer: Response): Promise<CallError> {
  const text = await answer.text().catch(() => '');
  try {
    const body: unknown = JSON.parse(text);
    const error = isRecord(body) && isRecord(body['error']) ? body['error'] : body;
    if (isRecord(error) && typeof error['message'] === 'string') {
      const code = error['grpc_code'] ?? error['code'];
      return new CallError(typeof code === 'number' ? code : codeOfStatus(answer.status), error['message'], answer.status);
    }
  } catch {
    // Not JSON: a proxy answered, or the server is going down.
  }
  return new CallError(codeOfStatus(answer.status), `the server answered ${answer.status}`, answer.status);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOfStatus(status: number): number {
  if (status === 401) return callCodes.unauthenticated;
  if (status === 403) return callCodes.permissionDenied;
  if (status === 404) return callCodes.notFound;
  return status >= 500 ? callCodes.unavailable : callCodes.unknown;
}
