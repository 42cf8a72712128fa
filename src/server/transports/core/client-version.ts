import { ApiError, Code, LruMap } from '../../../base/index.ts';

const OLDEST = [1, 4, 0] as const;
/** Releases of the gRPC library that came only with clients older than that. */
const LEGACY_AGENTS = new Set(['grpc-go/1.15.0', 'grpc-go/1.10.0']);
const verdicts = new LruMap<string, ApiError | 'fine'>(256);

/** Refuses clients of this API that are too old to understand its answers. Other agents pass. */
export function checkClientVersion(userAgent: string | undefined): void {
  if (userAgent === undefined) return;
  let verdict = verdicts.get(userAgent);
  if (verdict === undefined) verdicts.set(userAgent, (verdict = judge(userAgent) ?? 'fine'));
  if (verdict !== 'fine') throw verdict;
}

function judge(userAgent: string): ApiError | undefined {
  const agents = userAgent.split(' ');
  const client = agents.find((agent) => agent.startsWith('argocd-client/'));
  if (client === undefined) return agents.length === 1 && LEGACY_AGENTS.has(userAgent) ? tooOld('client is older than 1.4.0') : undefined;
  const text = client.slice('argocd-client/'.length);
  const parts = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\+.*)?$/.exec(text.split('-')[0]!);
  if (parts === null) return new ApiError(Code.InvalidArgument, `could not parse version from user-agent: ${text}`);
  for (const [index, oldest] of OLDEST.entries()) {
    const part = Number(parts[index + 1] ?? 0);
    if (part !== oldest) return part > oldest ? undefined : tooOld(`${text} is older than ${OLDEST.join('.')}`);
  }
  return undefined;
}

function tooOld(reason: string): ApiError {
  return new ApiError(Code.FailedPrecondition, `unsatisfied client version constraint: ${reason}`);
}
