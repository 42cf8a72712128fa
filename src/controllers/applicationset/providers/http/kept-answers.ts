import { WeighedMap } from '../../../../base/index.ts';
import type { RawAnswer } from './send-request.ts';

/** An answer of which a provider can say that it has not changed. */
interface KeptAnswer {
  readonly etag: string;
  readonly answer: RawAnswer;
}

/** Answers by question. */
export type KeptAnswers = WeighedMap<KeptAnswer>;

export function createKeptAnswers(bytesMax: number): KeptAnswers {
  // With something for what is around the bytes.
  const weightOf = (question: string, { answer }: KeptAnswer): number => answer.body.length + question.length + 1_000;
  return new WeighedMap({ weightMax: bytesMax, weightOf });
}
