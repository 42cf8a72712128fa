import type { KubeObject } from '../objects/index.ts';

/** The annotations and finalizers by which users and control planes speak about an object. */
export const annotations = {
  compareOptions: 'argocd.argoproj.io/compare-options',
  deletionApproved: 'argocd.argoproj.io/deletion-approved',
  hook: 'argocd.argoproj.io/hook',
  hookDeletePolicy: 'argocd.argoproj.io/hook-delete-policy',
  helmHook: 'helm.sh/hook',
  helmHookDeletePolicy: 'helm.sh/hook-delete-policy',
  helmHookWeight: 'helm.sh/hook-weight',
  helmResourcePolicy: 'helm.sh/resource-policy',
  ignoreDefaultLinks: 'argocd.argoproj.io/ignore-default-links',
  ignoreHealthCheck: 'argocd.argoproj.io/ignore-healthcheck',
  installationId: 'argocd.argoproj.io/installation-id',
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  linkPrefix: 'link.argocd.argoproj.io/',
  migrationManager: 'argocd.argoproj.io/client-side-apply-migration-manager',
  managedByUrl: 'argocd.argoproj.io/managed-by-url',
  syncOptions: 'argocd.argoproj.io/sync-options',
  syncWave: 'argocd.argoproj.io/sync-wave',
  trackingId: 'argocd.argoproj.io/tracking-id',
} as const;

export const hookFinalizer = 'argocd.argoproj.io/hook-finalizer';

/** An annotation's value; empty where the object does not have it. Keys come from outside, so only own ones count. */
export function annotationOf(object: KubeObject | undefined, name: string): string {
  const own = object?.metadata.annotations;
  if (own === undefined || own === null || !Object.hasOwn(own, name)) return '';
  const value: unknown = own[name];
  return typeof value === 'string' ? value : '';
}

/** The parts of an annotation that is a list with commas, trimmed, without empty ones. */
export function annotationList(object: KubeObject | undefined, name: string): readonly string[] {
  return annotationOf(object, name)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The object with an annotation; undefined takes it away, and the map with it when nothing is left. */
export function withAnnotation(object: KubeObject, name: string, value: string | undefined): KubeObject {
  return withEntry(object, 'annotations', name, value);
}

export function withLabel(object: KubeObject, name: string, value: string | undefined): KubeObject {
  return withEntry(object, 'labels', name, value);
}

function withEntry(object: KubeObject, map: 'annotations' | 'labels', name: string, value: string | undefined): KubeObject {
  const { [map]: own, ...metadata } = object.metadata;
  const entries = Object.entries(own ?? {}).filter(([key]) => key !== name);
  if (value !== undefined) entries.push([name, value]);
  if (entries.length === 0) return own === undefined ? object : { ...object, metadata };
  return { ...object, metadata: { ...metadata, [map]: Object.fromEntries(entries) } };
}
