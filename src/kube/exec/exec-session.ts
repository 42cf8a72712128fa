import type { CallOptions } from '../kube-api.ts';

export interface ExecOptions extends CallOptions {
  /** The pod's only container unless given. */
  readonly container?: string;
  /** The program and its arguments; there is no shell unless it is named. */
  readonly command: readonly string[];
  /** Gives the program a terminal; its errors then come with its output. */
  readonly tty?: boolean;
  /** Lets the caller write to the program. */
  readonly stdin?: boolean;
}

export type ExecEvent =
  | { readonly type: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  /** The last one. */
  | { readonly type: 'exit'; readonly code: number };

/** A program that runs in a container. Whoever starts one reads its events or closes it. */
export interface ExecSession {
  /**
   * To be read once. The program waits where nobody reads. Ends after `exit`; throws a StatusError where the program could not be
   * run, and an ApiError where the connection broke.
   */
  readonly events: AsyncIterable<ExecEvent>;
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more input. Only the newer of the two protocols can say so; false where it cannot be said. */
  endInput(): boolean;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Ends the connection, and with it the program. */
  close(): void;
}
