import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface JsonnetQuestion {
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly externalVariables?: readonly JsonnetGiven[];
  readonly arguments?: readonly JsonnetGiven[];
}

export interface JsonnetGiven {
  readonly name: string;
  readonly value: string;
  readonly code?: boolean;
}

export interface JsonnetAnswer {
  readonly output?: string;
  readonly error?: string;
}

/** Runs all programs with go-jsonnet, in one process; see tools/jsonnet-oracle/main.go. */
export async function askJsonnetOracle(program: string, questions: readonly JsonnetQuestion[]): Promise<readonly JsonnetAnswer[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`the oracle ended with ${String(code)}: ${problems.slice(0, 2000)}`);
  const answers = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonnetAnswer);
  if (answers.length !== questions.length) throw new Error(`${questions.length} questions, ${answers.length} answers`);
  return answers;
}
