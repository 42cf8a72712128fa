import type { KubeObject } from '../../objects/index.ts';
import { annotationOf, annotations } from '../annotations.ts';
import { isHook, isIgnoredHook, isSkipped } from '../sync/hooks.ts';
import { groupOf } from '../resource-key.ts';
import { isWorse } from './health-status.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

/** A resource of an application, as far as it counts for the application's health. */
export interface HealthItem {
  readonly desired?: KubeObject | undefined;
  readonly live?: KubeObject | undefined;
  /** Of the live object; undefined where no rule speaks about its kind. */
  readonly health?: Health | undefined;
}

export interface AggregateOptions {
  /** The application itself, which may be among its own resources and then does not count. */
  readonly application?: { readonly namespace: string; readonly name: string };
}

/** Whether a resource is a lasting part of the application; hooks, and what is kept out of the comparison, are none. */
export function isLasting({ desired, live }: HealthItem): boolean {
  return !(desired !== undefined && isSkipped(desired)) && !(live !== undefined && (isHook(live) || isIgnoredHook(live)));
}

/** The health of an application: that of the resource that is worst, of those that count. */
export function aggregateHealth(items: readonly HealthItem[], { application }: AggregateOptions = {}): HealthStatusCode {
  let worst: HealthStatusCode = 'Healthy';
  const lasting = items.filter(isLasting);
  for (const { live, health } of lasting) {
    if (live === undefined || health === undefined || annotationOf(live, annotations.ignoreHealthCheck) === 'true') continue;
    if (isApplication(live) && (health.status === 'Missing' || health.status === 'Unknown' || isSame(live, application))) continue;
    if (isWorse(worst, health.status)) worst = health.status;
  }
  const isNothingThere = lasting.length > 0 && lasting.every(({ live }) => live === undefined);
  return isNothingThere && worst === 'Healthy' ? 'Missing' : worst;
}

function isApplication(object: KubeObject): boolean {
  return object.kind === 'Application' && groupOf(object) === 'argoproj.io';
}

function isSame({ metadata }: KubeObject, application: AggregateOptions['application']): boolean {
  return application !== undefined && metadata.name === application.name && metadata.namespace === application.namespace;
}
