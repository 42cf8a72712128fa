import { askOracle } from './ask-oracle.ts';

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
export function askJsonnetOracle(program: string, questions: readonly JsonnetQuestion[]): Promise<readonly JsonnetAnswer[]> {
  return askOracle<JsonnetAnswer>(program, questions);
}
