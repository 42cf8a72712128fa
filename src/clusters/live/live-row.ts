import type { ResourceType } from '../../kube/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';

export interface LiveHealth {
  readonly status: string;
  readonly message?: string;
}

/** Who an object belongs to. Without a uid it is the object of that name in the same namespace, or the one of no namespace. */
export interface LiveOwner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string | undefined;
}

/** What is remembered of a live object. */
export interface LiveRow {
  /** One object for all rows of a kind. */
  readonly type: ResourceType;
  /** Empty for what has none. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** RFC 3339, or empty. */
  readonly createdAt: string;
  readonly owners: readonly LiveOwner[];
  /** The application instance that the object says it belongs to; empty where it says none. */
  readonly instance: string;
  readonly health: LiveHealth | undefined;
  /** What the rules wanted to be remembered for the tree. */
  readonly facts: JsonValue | undefined;
  /** The whole object without `managedFields`, where an application manages it or its updates are to be compared. */
  readonly body: KubeObject | undefined;
}

export interface ObjectKeyParts {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `group/Kind/namespace/name`, with empty parts where there is nothing to say. */
export function objectKey({ group, kind, namespace = '', name }: ObjectKeyParts): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
