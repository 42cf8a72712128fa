import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Asks all questions in one run of an oracle (tools/*-oracle/main.go), one a line, which has UTC for its own zone, as containers do. */
export async function askOracle<Answer>(program: string, questions: readonly object[]): Promise<readonly Answer[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, TZ: 'UTC' } });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`the oracle ended with ${String(code)}: ${problems.slice(0, 2000)}`);
  const answers = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer);
  if (answers.length !== questions.length) throw new Error(`${questions.length} questions, ${answers.length} answers`);
  return answers;
}
