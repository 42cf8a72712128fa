import type { JsonnetArgument } from '../../template/index.ts';

/** What one import leads to: a file, or why it cannot be used. */
export type ImportTarget = { readonly name: string } | { readonly refusal: string };

/** All that the programs of a source may read, found before any of them runs. Plain data: it goes to another thread. */
export interface JsonnetContext {
  /** By name: the path from the root of the revision. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Where imports lead, by the name of the importing file and the path that it gives; the empty name is that of code in the source. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, ImportTarget>>;
  readonly externalVariables: readonly JsonnetArgument[];
  readonly topLevelArguments: readonly JsonnetArgument[];
}
