import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../src/objects/index.ts';

export interface OracleRequest {
  readonly op: 'apply' | 'update' | 'create' | 'structural' | 'prune' | 'default' | 'validate';
  readonly crd?: JsonObject;
  readonly live?: JsonObject;
  readonly object?: JsonObject;
  readonly manager?: string;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly resetFields?: readonly (readonly string[])[];
  readonly now?: string;
  readonly schema?: JsonObject;
}

export interface OracleCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export interface OracleAnswer {
  readonly object?: JsonObject;
  readonly failure?: {
    readonly message: string;
    readonly code: number;
    readonly reason: string;
    readonly causes: readonly OracleCause[] | null;
  };
  readonly causes?: readonly OracleCause[];
  readonly unknown?: readonly string[];
}

/** Longer than any answer takes, also on a busy machine. */
const ANSWER_LIMIT_MS = 20_000;

/** The API server's own packages as a process that answers questions in turn. Always `stop` it. */
export class ApplyOracle {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string) {
    // Its packages complain of objects that the tests make ill on purpose.
    this.#child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(request: OracleRequest): Promise<OracleAnswer> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the oracle does not answer')), ANSWER_LIMIT_MS);
    });
    try {
      const line = await Promise.race([this.#lines.next(), late]);
      if (line.done) throw new Error('the oracle has ended');
      const answer: OracleAnswer = JSON.parse(line.value);
      if (answer.failure?.message.startsWith('panic:')) throw new Error(`the oracle failed: ${answer.failure.message}`);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  stop(): void {
    this.#child.kill();
  }
}
