import type { KubeObject } from '../../objects/index.ts';
import { annotationList, annotations } from '../annotations.ts';

/** Every option that a sync knows; texts are compared exactly. */
export type SyncOption =
  | 'ApplyOutOfSyncOnly=true'
  | 'ClientSideApplyMigration=false'
  | 'CreateNamespace=true'
  | 'Delete=confirm'
  | 'Delete=false'
  | 'FailOnSharedResource=true'
  | 'Force=true'
  | 'Prune=confirm'
  | 'Prune=false'
  | 'PruneLast=true'
  | 'Replace=true'
  | 'RespectIgnoreDifferences=true'
  | 'ServerSideApply=false'
  | 'ServerSideApply=true'
  | 'SkipDryRunOnMissingResource=true'
  | 'Validate=false';

/** Whether a list of options, such as an application's, has one. */
export function hasOption(options: readonly string[] | undefined, option: SyncOption): boolean {
  return options?.includes(option) === true;
}

/** Whether an object's own annotation has an option. */
export function objectHasOption(object: KubeObject | undefined, option: SyncOption): boolean {
  return annotationList(object, annotations.syncOptions).includes(option);
}

/** Where both may say it, what an object says about itself wins over what its application says. */
export function hasOptionFor(
  object: KubeObject | undefined,
  applicationOptions: readonly string[] | undefined,
  option: SyncOption,
): boolean {
  const name = option.slice(0, option.indexOf('=') + 1);
  const own = annotationList(object, annotations.syncOptions).filter((text) => text.startsWith(name));
  return own.length > 0 ? own.includes(option) : hasOption(applicationOptions, option);
}

/** How what an object owns goes with it when it is pruned. */
export function propagationPolicyOf(options: readonly string[] | undefined): 'Foreground' | 'Background' | 'Orphan' {
  const prefix = 'PrunePropagationPolicy=';
  const policy = options?.find((option) => option.startsWith(prefix))?.slice(prefix.length);
  if (policy === 'background') return 'Background';
  return policy === 'orphan' ? 'Orphan' : 'Foreground';
}

/** Whether an object is applied by the server rather than by us: its own annotation decides, then the application's option. */
export function usesServerSideApply(object: KubeObject, applicationOptions: readonly string[] | undefined): boolean {
  if (objectHasOption(object, 'ServerSideApply=false')) return false;
  return objectHasOption(object, 'ServerSideApply=true') || hasOption(applicationOptions, 'ServerSideApply=true');
}
