import type { Application, OperationState } from '../../model/index.ts';

/** A request to the cluster of an application that was made to sync or to delete it. */
export interface MeteredRequest {
  readonly server: string;
  readonly verb: string;
  readonly kind: string;
  readonly namespace: string;
  /** Of HTTP. */
  readonly code: number;
  readonly dryRun: boolean;
}

/** Whoever counts what is done for applications. */
export interface ApplicationMeter {
  /** It was looked at: how long that took. */
  onReconciled(application: Application, durationMs: number): void;
  onOperationEnded(application: Application, state: OperationState): void;
  onRequest(application: Application, request: MeteredRequest): void;
  /** How many objects of its namespace belong to nobody, where its project asks for it. */
  onOrphans(application: Application, count: number): void;
}
