import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../src/objects/index.ts';

/** A question to gopher-lua; see tools/lua-oracle/main.go. */
export interface LuaQuestion {
  readonly text: string;
  /** What the script finds under the name `obj`. */
  readonly data: JsonValue;
}

export interface LuaAnswer {
  /** What the script returned, each value as its type and its text. */
  readonly values?: readonly string[] | null;
  readonly error?: string;
}

/** Asks all questions in one run of the oracle, which has UTC for its own zone, as containers do. */
export async function askLuaOracle(program: string, questions: readonly LuaQuestion[]): Promise<readonly LuaAnswer[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, TZ: 'UTC' } });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`the oracle ended with ${String(code)}: ${problems}`);
  const answers = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LuaAnswer);
  if (answers.length !== questions.length) throw new Error(`${questions.length} questions, ${answers.length} answers`);
  return answers;
}
