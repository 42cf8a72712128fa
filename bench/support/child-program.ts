import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a process of its own, which answers questions one at a time. */
export interface ChildProgram<Question extends Serializable, Answer> {
  readonly pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): void;
}

export function startChildProgram<Question extends Serializable, Answer>(
  url: URL,
  args: readonly string[] = [],
): ChildProgram<Question, Answer> {
  const child = fork(fileURLToPath(url), args, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    ask: (question) => ask(child, question),
    stop: () => void child.kill(),
  };
}

function ask<Answer>(child: ChildProcess, question: Serializable): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      if (isFailure(answer)) reject(new Error(answer.failure));
      else resolve(answer as Answer);
    });
    child.send(question);
  });
}

interface Failure {
  readonly failure: string;
}

function isFailure(answer: unknown): answer is Failure {
  return typeof answer === 'object' && answer !== null && 'failure' in answer;
}

/** The other side: answers every question that the parent asks, and leaves when the parent does. */
export function answerParent<Question>(answer: (question: Question) => unknown): void {
  const reply = async (question: Question): Promise<void> => {
    try {
      process.send?.(await answer(question));
    } catch (error) {
      process.send?.({ failure: String(error) } satisfies Failure);
    }
  };
  process.on('message', (question) => void reply(question as Question));
  process.on('disconnect', () => process.exit());
}
