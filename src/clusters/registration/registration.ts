import type { Sealed } from '../../settings/index.ts';

/** What is registered of a cluster. */
export interface Registration {
  /** Without a slash at its end. */
  readonly server: string;
  readonly name: string;
  /** The Secret that says so; undefined for the cluster around Fairway where no Secret names it. */
  readonly secretName: string | undefined;
  readonly resourceVersion: string;
  /** JSON text with the credentials. */
  readonly config: Sealed<string>;
  /** Only these namespaces are managed; the whole cluster where the list is empty. */
  readonly namespaces: readonly string[];
  /** With `namespaces`: what has no namespace is managed too. */
  readonly clusterResources: boolean;
  /** The project that alone may use it; empty for all. */
  readonly project: string;
  readonly shard: number | undefined;
  /** Without those that the system itself puts there. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** When somebody last asked to read the cluster anew, as it was written. */
  readonly refreshRequestedAt: string | undefined;
}

/** Labels and annotations of a cluster's Secret that are not the cluster's own. */
export const secretTypeLabel = 'argocd.argoproj.io/secret-type';
export const managedByAnnotation = 'managed-by';
export const managedByValue = 'argocd.argoproj.io';
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
export const refreshAnnotation = 'argocd.argoproj.io/refresh';
