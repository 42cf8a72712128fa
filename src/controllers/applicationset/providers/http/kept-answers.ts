import type { RawAnswer } from './send-request.ts';

/** An answer of which a provider can say that it has not changed. */
interface KeptAnswer {
  readonly etag: string;
  readonly answer: RawAnswer;
}

/** Answers by question, the oldest forgotten first when they are too large together. */
export class KeptAnswers {
  readonly #bytesMax: number;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(question: string): KeptAnswer | undefined {
    const kept = this.#answers.get(question);
    if (kept === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, kept);
    return kept;
  }

  set(question: string, kept: KeptAnswer): void {
    this.delete(question);
    const size = sizeOf(question, kept);
    // One that would push out most of the others is not worth it.
    if (size > this.#bytesMax / 4) return;
    this.#answers.set(question, kept);
    this.#bytes += size;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.delete(oldest);
    }
  }

  delete(question: string): void {
    const kept = this.#answers.get(question);
    if (kept === undefined) return;
    this.#answers.delete(question);
    this.#bytes -= sizeOf(question, kept);
  }
}

/** With something for what is around the bytes. */
function sizeOf(question: string, { answer }: KeptAnswer): number {
  return answer.body.length + question.length + 1_000;
}
