import type { ClusterAccess, KubeApi } from '../kube/index.ts';

/** Where everything that Fairway knows is kept: the embedded API, or that of a cluster. */
export interface Home {
  readonly kind: 'embedded' | 'cluster';
  readonly api: KubeApi;
  /** How it is reached, where that is over the network. */
  readonly access?: ClusterAccess;
  /** The namespace of the control plane's own objects. */
  readonly namespace: string;
  /** Returns when nothing of it works any more; who uses it has stopped before. */
  close(): Promise<void>;
}
