import {
  builtinSchema,
  formatLabelSelector,
  invalidValue,
  isJsonObject,
  parentManagedFields,
  readLabelSelector,
  scaleManagedFields,
  trackUpdate,
  withManagedFields,
} from '../../objects/index.ts';
import type { JsonObject, JsonValue, ReplicasPaths } from '../../objects/index.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { Kind, ScalePaths } from '../kinds/kind.ts';
import { objectInvalid, operationConflict, resourceNotServed } from '../refusals.ts';
import { numberAt, valueAt, withValueAt } from '../json-path.ts';
import { DEFAULT_FIELD_MANAGER } from './create.ts';
import { metadataOf } from './decode-input.ts';
import type { DecodedKind } from './decode-input.ts';
import { sentKind } from './sent-kind.ts';
import { replaceObject } from './update.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

export const SCALE_API_VERSION = 'autoscaling/v1';
export const scaleSchema = builtinSchema(SCALE_API_VERSION, 'Scale');

/** The kind of what the subresource takes, at the place of the kind that is scaled. */
export function scaleKind({ type: { plural, namespaced } }: Kind): DecodedKind {
  return sentKind({ group: 'autoscaling', version: 'v1', plural, kind: 'Scale', namespaced });
}

/** The Scale of an object, as its subresource shows it. */
export function scaleOf(kind: Kind, object: JsonObject): JsonObject {
  const { specReplicas, statusReplicas, selector } = requireScale(kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const replicas = numberAt(object, ...specReplicas) ?? 0;
  const text = selectorText(selector && valueAt(object, selector));
  return {
    kind: 'Scale',
    apiVersion: SCALE_API_VERSION,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, ...statusReplicas) ?? 0, ...(text !== '' && { selector: text }) },
  };
}

/** The Scale with the owners of the replicas, as an apply compares it. */
export function ownedScaleOf({ kinds }: VerbContext, kind: Kind, object: JsonObject): JsonObject {
  return withManagedFields(scaleOf(kind, object), scaleManagedFields(managedFieldsOf(object), replicasPaths(kinds, kind)));
}

/** Stores what a new Scale says, which is decoded; `managedFields` of the Scale where an apply has worked them out. */
export function replaceScale(
  context: VerbContext,
  kind: Kind,
  {
    before,
    scale,
    options,
    managedFields,
  }: { before: JsonObject; scale: JsonObject; options: EmbeddedWriteOptions; managedFields?: JsonValue },
): JsonObject {
  const { specReplicas } = requireScale(kind);
  const { name = '', resourceVersion = '', uid = '' } = metadataOf(scale);
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  const owner = { group: 'autoscaling', kind: 'Scale' };
  if (replicas < 0) throw objectInvalid(owner, name, [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')]);
  if (uid !== '' && uid !== metadataOf(before).uid) throw operationConflict(kind.type, name, 'Precondition failed: UID in precondition');
  const scaleEntries =
    managedFields ??
    trackUpdate({
      before: ownedScaleOf(context, kind, before),
      after: withManagedFields(scale, []),
      manager: options.fieldManager ?? DEFAULT_FIELD_MANAGER,
      nowMs: context.clock.nowMs(),
      schema: scaleSchema,
      isBuiltin: true,
      subresource: 'scale',
    });
  const entries = parentManagedFields({
    parentEntries: managedFieldsOf(before),
    scaleEntries: scaleEntries as JsonValue,
    apiVersion: kind.apiVersion,
    replicas: replicasPaths(context.kinds, kind),
  });
  const wanted = withValueAt(before, specReplicas, replicas);
  const after = withValueAt(wanted, ['metadata', 'resourceVersion'], resourceVersion === '' ? undefined : resourceVersion);
  return scaleOf(kind, replaceObject(context, kind, { before, after, options, managedFields: entries }));
}

function requireScale(kind: Kind): ScalePaths {
  if (kind.scale === undefined) throw resourceNotServed();
  return kind.scale;
}

/** In all versions that are served: who owns fields in another one keeps them. */
function replicasPaths(kinds: KindRegistry, { resource }: Kind): ReplicasPaths {
  return new Map(kinds.listByResource(resource).map(({ apiVersion, scale }) => [apiVersion, scale?.specReplicas ?? null]));
}

function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return valueAt(object, ['metadata', 'managedFields']);
}

/** The selector of a ReplicationController is a plain map of labels, that of a custom kind may be a text. */
function selectorText(selector: JsonValue | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const isPlain = selector['matchLabels'] === undefined && selector['matchExpressions'] === undefined;
  return formatLabelSelector(readLabelSelector(isPlain ? { matchLabels: selector } : selector));
}
