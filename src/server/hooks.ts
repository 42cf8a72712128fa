import type { Code } from '../base/index.ts';
import type { Transport } from './call.ts';

/** Of a method over a transport; always the same object, so that what belongs to it can be kept in a map. */
export interface CallLabels {
  readonly transport: Transport;
  /** Full name, for example `version.VersionService`. Only names of the contract, so the number of labels is bounded. */
  readonly service: string;
  readonly method: string;
}

export interface CallResult {
  readonly code: Code;
  readonly durationMs: number;
}

/** Why the listener turned a connection or request away. */
export type RefusalReason = 'connections' | 'pending' | 'timeout' | 'malformed' | 'flood' | 'handshake' | 'budget';

/** What the server tells whoever counts. A hook that throws is logged and changes nothing else. */
export interface ServerHooks {
  readonly onCallStarted?: (call: CallLabels) => void;
  readonly onCallFinished?: (call: CallLabels, result: CallResult) => void;
  /** A plain route was answered. */
  readonly onRouteFinished?: (route: { readonly path: string; readonly status: number; readonly durationMs: number }) => void;
  readonly onConnectionOpened?: () => void;
  readonly onConnectionClosed?: (connection: { readonly bytesRead: number; readonly bytesWritten: number }) => void;
  readonly onRefused?: (reason: RefusalReason) => void;
  /** Something threw what is not an ApiError, so the caller saw an internal error. */
  readonly onInternalError?: () => void;
}
