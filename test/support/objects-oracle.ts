import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../src/objects/index.ts';

/** A question to Kubernetes' own packages; which members count depends on the operation (see tools/objects-oracle/main.go). */
export interface Question {
  readonly operation: string;
  readonly kind?: string;
  readonly original?: JsonValue;
  readonly modified?: JsonValue;
  readonly current?: JsonValue;
  readonly patch?: JsonValue;
  readonly text?: string;
  readonly other?: string;
}

export interface Answer {
  readonly result?: JsonValue;
  readonly error?: string;
  /** Kubernetes crashed on the question, so that there is nothing to agree with. */
  readonly panic?: boolean;
}

/** Asks all questions in one run of the oracle. */
export async function askOracle(program: string, questions: readonly Question[]): Promise<readonly Answer[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`the oracle ended with ${String(code)}: ${problems}`);
  const answers = output.split('\n').slice(0, -1).map(parseAnswer);
  if (answers.length !== questions.length) throw new Error(`${questions.length} questions, ${answers.length} answers`);
  return answers;
}

function parseAnswer(line: string): Answer {
  return JSON.parse(line) as Answer;
}
