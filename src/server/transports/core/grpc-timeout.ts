import { ApiError, Code } from '../../../base/index.ts';

const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest time that a timer can wait. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** Reads the header `grpc-timeout`: up to eight digits and a unit. Milliseconds, at least one. */
export function parseGrpcTimeout(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const parts = /^(\d{1,8})([HMSmun])$/.exec(String(header));
  if (parts === null) throw new ApiError(Code.InvalidArgument, 'the grpc-timeout header is malformed');
  return Math.min(TIMEOUT_MS_MAX, Math.max(1, Math.ceil(Number(parts[1]) * UNIT_MS[parts[2]!]!)));
}
