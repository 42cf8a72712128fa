/** What runs beside the API: namespaces that go, garbage collection, and what expires. */
import type { Logger } from '../../base/index.ts';
import type { EmbeddedControllers } from '../embedded-api.ts';
import type { VerbContext } from '../verbs/verb-context.ts';

export interface Controllers {
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControllerOptions {
  readonly context: VerbContext;
  readonly log: Logger;
  readonly housekeepingMs: number;
  readonly enabled: EmbeddedControllers;
}

export function createControllers(_options: ControllerOptions): Controllers {
  return { idle: () => Promise.resolve(), stop: () => Promise.resolve() };
}
