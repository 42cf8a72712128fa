import type { ApplicationCondition } from '../model/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { formatKey, groupOf, keyOf, kindOf, printKind } from './resource-key.ts';

export interface TargetsOptions {
  readonly destinationNamespace: string;
  /** Undefined for a kind that the cluster does not serve (its definition may be among the targets): it is taken to have a namespace. */
  readonly isNamespaced: (group: string, kind: string) => boolean | undefined;
  /** Whether settings leave a kind out: what is wanted of it is not looked at. */
  readonly isExcluded?: (group: string, kind: string) => boolean;
}

export interface NormalizedTargets {
  readonly objects: readonly KubeObject[];
  /** Without times: whoever writes them knows the clock. */
  readonly conditions: readonly ApplicationCondition[];
}

/** Rendered objects as they are to be compared: each in its namespace, and each once. Of several with the same key the last one counts. */
export function normalizeTargets(
  objects: readonly KubeObject[],
  { destinationNamespace, isNamespaced, isExcluded = () => false }: TargetsOptions,
): NormalizedTargets {
  const byKey = new Map<string, KubeObject[]>();
  const conditions: ApplicationCondition[] = [];
  for (const [index, object] of objects.entries()) {
    if (isExcluded(groupOf(object), object.kind)) {
      const message = `Resource ${groupOf(object)}/${object.kind} ${object.metadata.name ?? ''} is excluded in the settings`;
      conditions.push({ type: 'ExcludedResourceWarning', message });
      continue;
    }
    const namespaced = isNamespaced(groupOf(object), object.kind);
    const placed = withNamespace(object, namespaced === false ? '' : object.metadata.namespace || destinationNamespace);
    if (namespaced === true && !placed.metadata.namespace) {
      const message = `Namespace for ${object.metadata.name ?? ''} ${printKind(kindOf(object))} is missing.`;
      conditions.push({ type: 'InvalidSpecError', message });
    }
    const key = keyOf(placed);
    const name = key.name === '' && object.metadata.generateName ? `${object.metadata.generateName}${index}` : key.name;
    const text = formatKey({ ...key, name });
    byKey.set(text, [...(byKey.get(text) ?? []), placed]);
  }
  for (const [text, same] of byKey) {
    if (same.length === 1) continue;
    const message = `Resource ${text} appeared ${same.length} times among application resources.`;
    conditions.push({ type: 'RepeatedResourceWarning', message });
  }
  return { objects: [...byKey.values()].flatMap((same) => same.slice(-1)), conditions };
}

function withNamespace(object: KubeObject, namespace: string): KubeObject {
  if ((object.metadata.namespace ?? '') === namespace) return object;
  const { namespace: _other, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === '' ? metadata : { ...metadata, namespace } };
}
