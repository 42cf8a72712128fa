import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';

/**
 * An object as it can be made elsewhere: with its name, labels, annotations and finalizers, and without what one API or one moment gave
 * it. Owners go because their ids mean nothing elsewhere. An operation that waits or runs goes too: two control planes would do it.
 * The namespace of the control plane is left out, so that the object goes into that of the next.
 */
export function portableObject(object: KubeObject, ownNamespace: string): KubeObject {
  const { apiVersion, kind, metadata, ...content } = object;
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const kept = kind === 'Application' ? withoutOperation(content as JsonObject) : content;
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && namespace !== ownNamespace && { namespace }),
      ...(hasEntries(labels) && { labels }),
      ...(hasEntries(annotations) && { annotations }),
      ...(finalizers !== undefined && finalizers.length > 0 && { finalizers }),
    },
    ...(kept as object),
  };
}

function withoutOperation({ operation: _operation, status, ...rest }: JsonObject): JsonObject {
  if (!isJsonObject(status)) return { ...rest, ...(status !== undefined && { status }) };
  const { operationState, ...known } = status;
  return { ...rest, status: { ...known, ...(isOver(operationState) && { operationState: operationState ?? null }) } };
}

function isOver(operationState: JsonValue | undefined): boolean {
  return isJsonObject(operationState) && operationState['phase'] !== 'Running' && operationState['phase'] !== 'Terminating';
}

function hasEntries(entries: Readonly<Record<string, string>> | undefined): entries is Readonly<Record<string, string>> {
  return entries !== undefined && Object.keys(entries).length > 0;
}
