import type { BackOffOptions, Clock, Logger, Timers } from '../../base/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { KubeApi, ResourceType } from '../kube-api.ts';
import type { Trouble } from './trouble.ts';

/**
 * What happened to the objects of a kind. An object that was deleted and made again while nobody watched is `changed`: who cares
 * compares the uid in the rows. `synced` follows each complete list, with its version.
 */
export type ReflectorEvent<Row> =
  | { readonly type: 'added'; readonly key: string; readonly row: Row; readonly object: KubeObject }
  | { readonly type: 'changed'; readonly key: string; readonly row: Row; readonly previous: Row; readonly object: KubeObject }
  /** The object as it last was, where the API said so; a deletion that was missed has only the row. */
  | { readonly type: 'removed'; readonly key: string; readonly row: Row; readonly object?: KubeObject }
  | { readonly type: 'synced'; readonly resourceVersion: string };

/** Times are those of the wall clock. */
export type ReflectorState =
  | { readonly name: 'listing' }
  | { readonly name: 'watching'; readonly sinceMs: number }
  /** The kind can be listed but not watched. */
  | { readonly name: 'polling'; readonly untilMs: number }
  | { readonly name: 'waiting'; readonly cause: Trouble; readonly untilMs: number }
  | { readonly name: 'stopped' };

export interface ReflectorLimits {
  /** Objects per page of a list. */
  readonly pageSize: number;
  readonly pageTimeoutMs: number;
  /** The API is asked to end each watch after this time, and up to twice of it. */
  readonly watchMs: number;
  /** A watch that is silent for this long is dead: the API sends a bookmark each minute. */
  readonly stallMs: number;
  /** A watch that is younger than this is not begun anew because somebody doubts it. */
  readonly doubtMs: number;
  /** A watch that ends sooner has failed, even without an error. */
  readonly watchMinMs: number;
  /** After a watch of this length, earlier failures are forgotten. */
  readonly steadyMs: number;
  /** Between the lists of a kind that cannot be watched. */
  readonly pollMs: number;
  readonly backOff: BackOffOptions;
  /** The longest that the API can ask to be left alone. */
  readonly retryAfterMaxMs: number;
}

export const defaultLimits: ReflectorLimits = {
  pageSize: 500,
  pageTimeoutMs: 60_000,
  watchMs: 1_800_000,
  stallMs: 100_000,
  doubtMs: 5_000,
  watchMinMs: 1_000,
  steadyMs: 60_000,
  pollMs: 60_000,
  backOff: { firstMs: 500, maxMs: 30_000 },
  retryAfterMaxMs: 60_000,
};

export interface ReflectorOptions<Row> {
  readonly api: KubeApi;
  readonly type: ResourceType;
  /** All namespaces unless given. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** What is remembered of an object. The object itself is let go, so a row that points into it keeps it alive. */
  readonly keep: (object: KubeObject) => Row;
  /** Called with one event after the other, never with two at once; the stream waits for it. What it throws is logged. */
  readonly onEvent: (event: ReflectorEvent<Row>) => void | Promise<void>;
  readonly onState?: (state: ReflectorState) => void;
  readonly log: Logger;
  readonly limits?: Partial<ReflectorLimits>;
  readonly clock?: Clock;
  readonly timers?: Timers;
  /** From 0 up to, and without, 1. */
  readonly random?: () => number;
}
