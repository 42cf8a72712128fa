import type { KubeObject } from '../../objects/index.ts';
import { annotationOf, annotations, withAnnotation, withLabel } from '../annotations.ts';
import { keyOf, type ResourceKey } from '../resource-key.ts';
import { formatTrackingId, parseTrackingId, TrackingIdError } from './tracking-id.ts';
import type { TrackingId } from './tracking-id.ts';

export type TrackingMethod = 'annotation' | 'label' | 'annotation+label';

/** How objects show which application they belong to. */
export interface TrackingRules {
  readonly method: TrackingMethod;
  readonly instanceLabelKey: string;
  /** Tells several installations on one cluster apart; empty where there is one. */
  readonly installationId: string;
}

export const defaultTrackingRules: TrackingRules = Object.freeze({
  method: 'annotation',
  instanceLabelKey: 'app.kubernetes.io/instance',
  installationId: '',
});

/** Whose object it is. `id` says for which object the mark was made; a label cannot say that. */
export interface Tracking {
  readonly instanceName: string;
  readonly id?: TrackingId;
}

const LABEL_LENGTH_MAX = 63;

/** The application that an object is marked for; undefined for one that is marked for none, in another way, or by another installation. */
export function trackingOf(object: KubeObject, rules: TrackingRules): Tracking | undefined {
  if (rules.method === 'label') {
    const labels = object.metadata.labels ?? {};
    const instanceName = Object.hasOwn(labels, rules.instanceLabelKey) ? labels[rules.instanceLabelKey] : undefined;
    return instanceName ? { instanceName } : undefined;
  }
  const text = annotationOf(object, annotations.trackingId);
  if (text === '' || annotationOf(object, annotations.installationId) !== rules.installationId) return undefined;
  const id = readTrackingId(text);
  return id && { instanceName: id.instanceName, id };
}

/** Whether an object is marked for another application, or by another installation. One that is not marked is nobody's. */
export function isOfAnother(object: KubeObject, instanceName: string, rules: TrackingRules): boolean {
  const tracking = trackingOf(object, rules);
  if (tracking !== undefined) return tracking.instanceName !== instanceName;
  const isMarked = rules.method !== 'label' && annotationOf(object, annotations.trackingId) !== '';
  return isMarked && annotationOf(object, annotations.installationId) !== rules.installationId;
}

function readTrackingId(text: string): TrackingId | undefined {
  try {
    return parseTrackingId(text);
  } catch (error) {
    if (error instanceof TrackingIdError) return undefined;
    throw error;
  }
}

export interface TrackingTarget {
  readonly instanceName: string;
  /** Cluster-scoped objects carry it in their mark, as they have no namespace of their own. */
  readonly destinationNamespace: string;
  readonly rules: TrackingRules;
}

/**
 * The object with the marks of an application, in place of any that it brings along. Definitions of kinds are not marked: whoever else needs
 * one must not lose it, and everything of its kind with it, to the pruning of one application.
 */
export function withTracking(desired: KubeObject, { instanceName, destinationNamespace, rules }: TrackingTarget): KubeObject {
  const key = keyOf(desired);
  if (isDefinition(key)) return desired;
  if (rules.method === 'label') return withLabel(desired, rules.instanceLabelKey, instanceName);
  const id = formatTrackingId({ ...key, namespace: key.namespace || destinationNamespace, instanceName });
  const marked = withAnnotation(
    withAnnotation(desired, annotations.trackingId, id),
    annotations.installationId,
    rules.installationId || undefined,
  );
  return rules.method === 'annotation+label' ? withLabel(marked, rules.instanceLabelKey, shortenLabel(instanceName)) : marked;
}

function isDefinition({ group, kind }: ResourceKey): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

/** A label's value has a limit, and ends with a letter or a digit. */
function shortenLabel(value: string): string {
  return value.length <= LABEL_LENGTH_MAX ? value : value.slice(0, LABEL_LENGTH_MAX).replace(/[^A-Za-z0-9]+$/, '');
}

/**
 * Whether a live object carries a mark that was made for it. Controllers copy annotations from one object to another; a copy must not make
 * the application prune what it never deployed. What is also wanted is the application's whatever its mark says, for example after its kind
 * moved to another group.
 */
export function isSelfReferenced(live: KubeObject, desired: KubeObject | undefined, rules: TrackingRules): boolean {
  if (rules.method === 'label' || desired !== undefined) return true;
  const id = trackingOf(live, rules)?.id;
  if (id === undefined) return true;
  const key = keyOf(live);
  return id.group === key.group && id.kind === key.kind && id.name === key.name && (key.namespace === '' || id.namespace === key.namespace);
}

/**
 * The live object as a comparison should see it where it was marked by label before: the annotation is taken to be there, so that a change
 * of method alone is no difference, and the label is taken to be gone unless it is wanted.
 */
export function withMigratedTracking(live: KubeObject, desired: KubeObject, rules: TrackingRules): KubeObject {
  const hasLabel = (object: KubeObject): boolean => Object.hasOwn(object.metadata.labels ?? {}, rules.instanceLabelKey);
  if (rules.method === 'label' || isDefinition(keyOf(live)) || !hasLabel(live)) return live;
  if (annotationOf(live, annotations.trackingId) !== '') return live;
  const marked = withAnnotation(live, annotations.trackingId, annotationOf(desired, annotations.trackingId) || undefined);
  return hasLabel(desired) ? marked : withLabel(marked, rules.instanceLabelKey, undefined);
}
