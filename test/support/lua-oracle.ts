import type { JsonValue } from '../../src/objects/index.ts';
import { askOracle } from './ask-oracle.ts';

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
export function askLuaOracle(program: string, questions: readonly LuaQuestion[]): Promise<readonly LuaAnswer[]> {
  return askOracle<LuaAnswer>(program, questions);
}
