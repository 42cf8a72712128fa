import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { groupOf } from '../resource-key.ts';
import { builtInActions } from './built-in-actions.ts';
import { customActionsOf, runCustomAction } from './custom-actions.ts';
import type { CustomActions } from './custom-actions.ts';
import { ActionError } from './resource-action.ts';
import type { ActionResult } from './resource-action.ts';

export interface ActionRequest {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** What an action of a resource wants to be done, which nobody has done yet. Throws an ActionError where there is no such action, or it fails. */
export function runAction(
  object: KubeObject,
  { name, parameters }: ActionRequest,
  settings: CustomActions,
  nowMs: () => number,
): readonly ActionResult[] {
  const custom = customActionsOf(settings, groupOf(object), object.kind)?.definitions.find((definition) => definition.name === name);
  if (custom !== undefined) return runCustomAction(custom['action.lua'], object, parameters, nowMs);
  const action = builtInActions.get(`${groupOf(object)}/${object.kind}`)?.find((one) => one.name === name);
  if (action === undefined) throw new ActionError('error getting Lua resource action: built-in script does not exist');
  const result = action.run(object as unknown as JsonObject, { parameters, nowMs: nowMs() });
  return Array.isArray(result) ? (result as readonly ActionResult[]) : [{ operation: 'patch', resource: result as unknown as KubeObject }];
}
