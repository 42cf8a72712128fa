import type { Budget } from '../budget.ts';
import type { GoFunction } from '../go/value.ts';

/** What functions cannot know by themselves. A template that is to give the same text each time has neither. */
export interface TemplateEnvironment {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly randomBytes?: (count: number) => Uint8Array;
}

export interface FunctionContext {
  readonly budget: Budget;
  readonly environment: TemplateEnvironment;
}

export type NamedFunctions = readonly (readonly [string, GoFunction])[];
