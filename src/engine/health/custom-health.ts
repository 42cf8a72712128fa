import { compileGlob } from '../../model/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import { compileLua, LimitError } from '../../template/index.ts';
import type { LuaResult, LuaScript } from '../../template/index.ts';
import { PatienceByNamespace } from '../patience.ts';
import type { Patience } from '../patience.ts';
import { groupOf } from '../resource-key.ts';
import { assessHealth } from './assess-health.ts';
import { isHealthStatusCode } from './health-status.ts';
import type { Health } from './health-status.ts';

/** What settings say about the health of a kind. */
export interface HealthScript {
  /** Empty where they say nothing. */
  readonly healthLua: string;
  readonly useOpenLibs: boolean;
}

/** By `<group>/<Kind>`, `<Kind>` where there is no group, or a pattern of such. */
export type HealthScripts = ReadonlyMap<string, HealthScript>;

/** What is kept of a message, for every object of the kind. */
const MESSAGE_CHARACTERS_MAX = 8192;

/** Scripts are the same objects as long as nobody changes the settings, and are read once. */
const compiled = new WeakMap<HealthScript, { readonly lua: LuaScript; readonly patience: PatienceByNamespace }>();
const chosen = new WeakMap<HealthScripts, Map<string, HealthScript | undefined>>();

/** How live objects are, where users' own rules go before those that are built in. The time is for scripts that ask for it. */
export function createHealthOf(scripts: HealthScripts, nowMs: () => number): (object: KubeObject) => Health | undefined {
  if (![...scripts.values()].some(({ healthLua }) => healthLua !== '')) return (object) => assessHealth(object);
  const custom = (object: KubeObject) => {
    const script = choose(scripts, groupOf(object), object.kind);
    return script && { health: runHealthScript(script, object, nowMs) };
  };
  return (object) => assessHealth(object, custom);
}

/** The script of the very kind, or else the first whose pattern fits. */
function choose(scripts: HealthScripts, group: string, kind: string): HealthScript | undefined {
  const name = group === '' ? kind : `${group}/${kind}`;
  const known = chosen.get(scripts) ?? new Map<string, HealthScript | undefined>();
  chosen.set(scripts, known);
  if (!known.has(name)) known.set(name, find(scripts, name));
  return known.get(name);
}

function find(scripts: HealthScripts, name: string): HealthScript | undefined {
  const exact = scripts.get(name);
  if (exact !== undefined && exact.healthLua !== '') return exact;
  for (const [pattern, script] of scripts) {
    if (script.healthLua !== '' && pattern.includes('*') && compileGlob(pattern)?.(name) === true) return script;
  }
  return undefined;
}

/** What a script says of an object; undefined where it says nothing. Throws where the script fails or gives what is no health. */
function runHealthScript(script: HealthScript, object: KubeObject, nowMs: () => number): Health | undefined {
  const known = compiled.get(script) ?? {
    lua: compileLua(script.healthLua, { areAllLibrariesOpen: script.useOpenLibs }),
    patience: new PatienceByNamespace(),
  };
  compiled.set(script, known);
  const result = runPatiently(known.lua, known.patience.in(object.metadata.namespace ?? ''), {
    globals: { obj: object as unknown as JsonObject },
    nowMs,
  });
  const type = result.values.at(-1)?.type ?? 'nil';
  if (type === 'nil') return undefined;
  if (type !== 'table') throw new Error(`expect table output from Lua script, not ${type}`);
  return readHealth(result.toJson());
}

function runPatiently(lua: LuaScript, patience: Pick<Patience, 'mayTry' | 'note'>, run: Parameters<LuaScript['run']>[0]): LuaResult {
  if (!patience.mayTry()) throw new Error('the rule went past its limits for other objects, and is hardly tried any more');
  try {
    const result = lua.run(run);
    patience.note(false);
    return result;
  } catch (error) {
    patience.note(error instanceof LimitError);
    throw error;
  }
}

function readHealth(value: JsonValue): Health | undefined {
  // An empty table may be either.
  if (isJsonArray(value)) return undefined;
  const { status = '', message = '' } = isJsonObject(value) ? value : {};
  if (typeof message !== 'string') throw new Error('expect a string for the message of a health, not something else');
  if (!isHealthStatusCode(status)) return { status: 'Unknown', message: 'Lua returned an invalid health status' };
  return message === '' ? { status } : { status, message: message.slice(0, MESSAGE_CHARACTERS_MAX) };
}
