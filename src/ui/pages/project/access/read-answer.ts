import { isRecord } from '../../../api/index.ts';

export interface WhoCan {
  /** Whether all who are signed in can. */
  readonly everyone: boolean;
  readonly subjects: readonly { readonly subject: string; readonly line: string; readonly origin: string }[];
}

/** What the server answers to the question who can. What is not as expected is left out. */
export function readAnswer(answer: unknown): WhoCan {
  const subjects = isRecord(answer) && Array.isArray(answer['subjects']) ? (answer['subjects'] as readonly unknown[]) : [];
  return {
    everyone: isRecord(answer) && answer['everyone'] === true,
    subjects: subjects.flatMap((each) => {
      if (!isRecord(each)) return [];
      const { subject, line, origin } = each;
      return typeof subject === 'string' && typeof line === 'string' && typeof origin === 'string' ? [{ subject, line, origin }] : [];
    }),
  };
}
