import type { ClusterAccess, KubeApi } from '../kube/index.ts';

/** Where everything that Fairway knows is kept: the embedded API, or that of a cluster. */
export interface Home {
  readonly kind: 'embedded' | 'cluster';
  readonly api: KubeApi;
  /** How it is reached, where that is over the network. */
  readonly access?: ClusterAccess;
  /** The namespace of the control plane's own objects. */
  readonly namespace: string;
  /** Whether another installation looks after it, and nothing may be written: neither here nor to any other cluster. */
  readonly readOnly?: boolean;
  /** Lets go of what is kept in memory only to be quick, where there is such. */
  forget?(): void;
  /** Returns when nothing of it works any more; who uses it has stopped before. */
  close(): Promise<void>;
}
