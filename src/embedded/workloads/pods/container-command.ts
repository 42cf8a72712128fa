import type { JsonObject } from '../../../objects/index.ts';
import { listAt } from '../../json-path.ts';

const UNIT_MS: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION_MAX_MS = 2 ** 31 - 1;

/** What a simulated command does: how long it takes, and how it ends. */
export interface CommandRun {
  /** The time that it sleeps; undefined where it does not say. */
  readonly durationMs: number | undefined;
  readonly exitCode: number;
}

/** Reads a container's command for what can be told without running it: `sleep`, `false` and `exit`. */
export function readCommand(container: JsonObject): CommandRun {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].filter((word) => typeof word === 'string');
  const text = words.join(' ');
  return { durationMs: sleepOf(text), exitCode: exitCodeOf(text) };
}

function sleepOf(text: string): number | undefined {
  let total: number | undefined;
  for (const [, number = '0', unit = ''] of text.matchAll(/\bsleep\s+(\d+(?:\.\d+)?)([smhd]?)(?![\w.])/g))
    total = (total ?? 0) + Number(number) * (UNIT_MS[unit] ?? 0);
  return total === undefined ? undefined : Math.min(total, DURATION_MAX_MS);
}

function exitCodeOf(text: string): number {
  const code = /(?:^|[\s;&|(])exit\s+(\d{1,3})(?![\w.])/.exec(text)?.[1];
  if (code !== undefined) return Number(code) & 255;
  return /(?:^|[;&|(]\s*|\s-c\s+)(?:\/(?:usr\/)?bin\/)?false\s*(?:$|[;&|)])/.test(text) ? 1 : 0;
}
