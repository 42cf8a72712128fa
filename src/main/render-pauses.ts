import { parseDuration } from '../model/index.ts';
import type { SourceLimits } from '../sources/index.ts';

type Pauses = Partial<Pick<SourceLimits, 'failuresFree' | 'failureForgetMs' | 'failureAnswersMax' | 'toolMs'>>;

const NUMBER_MAX = 1_000_000;
/** Nothing may run for ever, and nothing is done in no time. */
const TOOL_MS_MIN = 1_000;
const TOOL_MS_MAX = 3_600_000;

/**
 * How long a program may run, and when a source that fails again and again is left alone, as the variables of existing installations say it;
 * what is unset stays ours.
 */
export function readRenderPauses(environment: Readonly<Record<string, string | undefined>>): Pauses {
  const failures = read(environment['ARGOCD_PAUSE_GEN_AFTER_FAILED_ATTEMPTS']);
  const minutes = read(environment['ARGOCD_PAUSE_GEN_MINUTES']);
  const requests = read(environment['ARGOCD_PAUSE_GEN_REQUESTS']);
  const limitMs = parseDuration(environment['ARGOCD_EXEC_TIMEOUT'] ?? '') ?? 0;
  return {
    ...(limitMs >= TOOL_MS_MIN && limitMs <= TOOL_MS_MAX && { toolMs: limitMs }),
    ...(failures !== undefined && { failuresFree: failures }),
    ...(minutes !== undefined && { failureForgetMs: minutes * 60_000 }),
    ...(requests !== undefined && { failureAnswersMax: requests }),
  };
}

function read(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) && Number(text) <= NUMBER_MAX ? Number(text) : undefined;
}
