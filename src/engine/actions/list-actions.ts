import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { compareTexts, groupOf } from '../resource-key.ts';
import { builtInActions } from './built-in-actions.ts';
import { customActionsOf, discoverActions } from './custom-actions.ts';
import type { CustomActions } from './custom-actions.ts';
import type { BuiltInAction, ResourceAction } from './resource-action.ts';

/** The actions that a resource offers as it is now, by name. Those of settings take the place of ours, unless they say that both are meant. */
export function listActions(object: KubeObject, settings: CustomActions, nowMs: () => number): readonly ResourceAction[] {
  const custom = customActionsOf(settings, groupOf(object), object.kind);
  const own = custom === undefined ? [] : discoverActions(custom, object, nowMs);
  const isMerged = custom === undefined || custom.mergeBuiltinActions;
  const found = new Map(isMerged ? offeredActions(object).map((action) => [action.name, action]) : []);
  for (const action of own) found.set(action.name, action);
  return [...found.values()].sort((left, right) => compareTexts(left.name, right.name));
}

function offeredActions(object: KubeObject): readonly ResourceAction[] {
  const value = object as unknown as JsonObject;
  const actions = builtInActions.get(`${groupOf(object)}/${object.kind}`) ?? [];
  return actions.filter(({ isOffered = () => true }) => isOffered(value)).map((action) => describe(action, value));
}

function describe(
  { name, displayName, iconClass, params = [], isDisabled = () => false }: BuiltInAction,
  object: JsonObject,
): ResourceAction {
  const shown = typeof displayName === 'function' ? displayName(object) : displayName;
  return {
    name,
    ...(shown !== undefined && { displayName: shown }),
    ...(iconClass !== undefined && { iconClass }),
    ...(isDisabled(object) && { disabled: true }),
    ...(params.length > 0 && { params: params.map((param) => ({ name: param })) }),
  };
}
