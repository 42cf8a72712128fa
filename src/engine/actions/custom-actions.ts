import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { compileLua, TemplateError } from '../../template/index.ts';
import { ActionError } from './resource-action.ts';
import type { ActionResult, ResourceAction } from './resource-action.ts';
import { restoreEmptyObjects } from './restore-empty-objects.ts';

/** What settings say about the actions of a kind. */
export interface CustomKindActions {
  readonly 'discovery.lua': string;
  readonly definitions: readonly { readonly name: string; readonly 'action.lua': string }[];
  readonly mergeBuiltinActions: boolean;
}

/** By `<group>/<Kind>`, or `<Kind>` where there is no group; patterns do not count here. */
export type CustomActions = ReadonlyMap<string, { readonly actions: CustomKindActions | undefined }>;

const ACTIONS_MAX = 200;
const RESULTS_MAX = 100;

export function customActionsOf(settings: CustomActions, group: string, kind: string): CustomKindActions | undefined {
  return settings.get(group === '' ? kind : `${group}/${kind}`)?.actions;
}

/** Asks the script of settings which actions there are. */
export function discoverActions(custom: CustomKindActions, object: KubeObject, nowMs: () => number): readonly ResourceAction[] {
  const value = runScript(custom['discovery.lua'], { obj: object as unknown as JsonObject }, nowMs, 'error getting available actions');
  // An empty table may be either.
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .slice(0, ACTIONS_MAX)
    .map(([name, entry]) => readAction(name, entry));
}

function readAction(name: string, entry: JsonValue): ResourceAction {
  if (!isJsonObject(entry)) return { name };
  const { displayName, iconClass, disabled, params } = entry;
  const names = isJsonArray(params) ? params.filter(isJsonObject).map((param) => param['name']) : [];
  return {
    name,
    ...(typeof displayName === 'string' && { displayName }),
    ...(typeof iconClass === 'string' && { iconClass }),
    ...(disabled === true && { disabled }),
    ...(names.length > 0 && { params: names.filter((one) => typeof one === 'string').map((one) => ({ name: one })) }),
  };
}

/** Runs an action of settings: what it returns is the resource as it is to be, or a list of what is to be done. */
export function runCustomAction(
  script: string,
  object: KubeObject,
  parameters: ReadonlyMap<string, string>,
  nowMs: () => number,
): readonly ActionResult[] {
  const obj = object as unknown as JsonObject;
  const value = runScript(script, { obj, actionParams: Object.fromEntries(parameters) }, nowMs, 'error executing Lua resource action');
  const wanted = isJsonArray(value) ? value.map(readResult) : [{ operation: 'patch' as const, resource: requireObject(value) }];
  if (wanted.length > RESULTS_MAX) throw new ActionError(`error executing Lua resource action: more than ${RESULTS_MAX} resources`);
  return wanted.map(({ operation, resource }) => ({
    operation,
    resource: (operation === 'patch' ? restoreEmptyObjects(resource, obj) : resource) as unknown as KubeObject,
  }));
}

function readResult(item: JsonValue): { readonly operation: 'create' | 'patch'; readonly resource: JsonObject } {
  const { operation, resource } = isJsonObject(item) ? item : {};
  if (operation !== 'create' && operation !== 'patch')
    throw new ActionError(`error executing Lua resource action: unsupported operation: ${JSON.stringify(operation ?? null)}`);
  return { operation, resource: requireObject(resource) };
}

function requireObject(value: JsonValue | undefined): JsonObject {
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  if (isJsonObject(value) && isJsonObject(metadata) && isText(value['apiVersion']) && isText(value['kind']) && isText(metadata['name']))
    return value;
  throw new ActionError('error executing Lua resource action: a resource needs an apiVersion, a kind and a name');
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function runScript(script: string, globals: Readonly<Record<string, JsonValue>>, nowMs: () => number, context: string): JsonValue {
  try {
    const result = compileLua(script).run({ globals, nowMs });
    const type = result.values.at(-1)?.type ?? 'nil';
    if (type !== 'table') throw new ActionError(`${context}: expect table output from Lua script, not ${type}`);
    return result.toJson();
  } catch (error) {
    if (error instanceof TemplateError) throw new ActionError(`${context}: ${error.message}`);
    throw error;
  }
}
