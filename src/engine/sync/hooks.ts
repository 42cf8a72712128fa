import type { KubeObject } from '../../objects/index.ts';
import { annotationList, annotationOf, annotations } from '../annotations.ts';

export type HookType = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail' | 'Skip' | 'PreDelete' | 'PostDelete';

/** The phases of a sync, in the order in which they run. */
export const syncPhases = ['PreSync', 'Sync', 'PostSync', 'SyncFail'] as const;
export type SyncPhase = (typeof syncPhases)[number];

export type HookDeletePolicy = 'HookSucceeded' | 'HookFailed' | 'BeforeHookCreation';

const HOOK_TYPES: ReadonlySet<string> = new Set<HookType>(['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip', 'PreDelete', 'PostDelete']);

const HELM_HOOKS: Readonly<Record<string, HookType>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
};

const DELETE_POLICIES: ReadonlySet<string> = new Set<HookDeletePolicy>(['HookSucceeded', 'HookFailed', 'BeforeHookCreation']);

const HELM_DELETE_POLICIES: Readonly<Record<string, HookDeletePolicy>> = {
  'before-hook-creation': 'BeforeHookCreation',
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
};

/** When a hook runs, each time once. Empty for an ordinary object, and for a hook that nothing runs. */
export function hookTypesOf(object: KubeObject): readonly HookType[] {
  const own = annotationList(object, annotations.hook);
  const named = own.filter((text): text is HookType => HOOK_TYPES.has(text));
  if (own.length > 0) return [...new Set(named)];
  return [...new Set(helmHooksOf(object).flatMap((text) => (Object.hasOwn(HELM_HOOKS, text) ? [HELM_HOOKS[text] as HookType] : [])))];
}

/** Definitions that Helm would install first are ordinary objects here: their kind puts them first anyway. */
function helmHooksOf(object: KubeObject): readonly string[] {
  const texts = annotationList(object, annotations.helmHook);
  return texts.includes('crd-install') ? [] : texts;
}

/** Whether an object is a hook, also one whose type nobody knows. `Skip` alone makes no hook. */
export function isHook(object: KubeObject): boolean {
  const own = annotationList(object, annotations.hook);
  if (own.length > 0) return !(own.length === 1 && own[0] === 'Skip');
  return helmHooksOf(object).some((text) => Object.hasOwn(HELM_HOOKS, text));
}

/** An object that is wanted for somebody else's sake and is not applied. */
export function isSkipped(object: KubeObject): boolean {
  const own = annotationList(object, annotations.hook);
  return own.length === 1 && own[0] === 'Skip';
}

/** A Helm hook of a type that has no meaning here, such as a test: neither applied nor compared. */
export function isIgnoredHook(object: KubeObject): boolean {
  if (annotationOf(object, annotations.hook) !== '') return false;
  const texts = helmHooksOf(object);
  return texts.length > 0 && !texts.some((text) => Object.hasOwn(HELM_HOOKS, text));
}

/** A hook that runs only when the application is deleted. */
export function isDeleteHook(object: KubeObject): boolean {
  const types = hookTypesOf(object);
  return types.length > 0 && types.every((type) => type === 'PreDelete' || type === 'PostDelete');
}

/** When a hook is deleted, by the annotations of both kinds; before it is created anew, unless it says otherwise. */
export function hookDeletePoliciesOf(object: KubeObject): readonly HookDeletePolicy[] {
  const own = annotationList(object, annotations.hookDeletePolicy).filter((text): text is HookDeletePolicy => DELETE_POLICIES.has(text));
  const helm = annotationList(object, annotations.helmHookDeletePolicy).flatMap((text) =>
    Object.hasOwn(HELM_DELETE_POLICIES, text) ? [HELM_DELETE_POLICIES[text] as HookDeletePolicy] : [],
  );
  const policies = [...new Set([...own, ...helm])];
  return policies.length > 0 ? policies : ['BeforeHookCreation'];
}

/** The wave of an object: lower ones go first, and most are in 0. */
export function syncWaveOf(object: KubeObject | undefined): number {
  for (const name of [annotations.syncWave, annotations.helmHookWeight]) {
    const text = annotationOf(object, name).trim();
    if (/^[+-]?\d+$/.test(text)) return Number(text);
  }
  return 0;
}
