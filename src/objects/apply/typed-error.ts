/** One thing in an object that its schema does not allow, where `path` is as people read it: `.spec.ports[0].port`. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

/** An object that does not fit its schema, in the API server's words. */
export class TypedError extends Error {
  readonly problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super(printProblems(problems));
    this.name = 'TypedError';
    this.problems = problems;
  }
}

function printProblems(problems: readonly TypedProblem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}
