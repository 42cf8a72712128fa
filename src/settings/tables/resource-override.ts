import { decodeBoolean, decodeFields, decodeMap, decodeText, parseYamlAs, type Decode } from '../parsing/decode.ts';
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import {
  decodeKnownTypeFields,
  parseIgnoreRules,
  parseResourceActions,
  type IgnoreRules,
  type KnownTypeField,
  type ResourceActions,
} from './shapes.ts';

/** How objects of one kind are judged, changed and compared, beyond what is built in. */
export interface ResourceOverride {
  /** A Lua script; empty where there is none. */
  readonly healthLua: string;
  readonly useOpenLibs: boolean;
  readonly actions: ResourceActions | undefined;
  readonly ignoreDifferences: IgnoreRules | undefined;
  readonly ignoreResourceUpdates: IgnoreRules | undefined;
  readonly knownTypeFields: readonly KnownTypeField[];
}

export const emptyOverride: ResourceOverride = Object.freeze({
  healthLua: '',
  useOpenLibs: false,
  actions: undefined,
  ignoreDifferences: undefined,
  ignoreResourceUpdates: undefined,
  knownTypeFields: [],
});

/** In the old form these parts are YAML in a text inside the YAML. */
function decodeNested<Value>(parse: Parse<Value>): Decode<Value | undefined> {
  return (value, at) => {
    const text = decodeText(value, at);
    if (text === '') return undefined;
    try {
      return parse(text, () => undefined);
    } catch (error) {
      throw error instanceof BadValue ? new BadValue(`${at}: ${error.message}`) : error;
    }
  };
}

const decodeOverride = decodeFields({
  'health.lua': decodeText,
  'health.lua.useOpenLibs': decodeBoolean(false),
  actions: decodeNested(parseResourceActions),
  ignoreDifferences: decodeNested(parseIgnoreRules),
  ignoreResourceUpdates: decodeNested(parseIgnoreRules),
  knownTypeFields: decodeKnownTypeFields,
});

/** The old form: one map of all kinds, `<group>/<Kind>` or `<Kind>` to its override. */
export const parseOverrides: Parse<ReadonlyMap<string, ResourceOverride>> = parseYamlAs(
  decodeMap((value, at): ResourceOverride => {
    const { 'health.lua': healthLua, 'health.lua.useOpenLibs': useOpenLibs, ...others } = decodeOverride(value, at);
    return { healthLua, useOpenLibs, ...others };
  }),
);

/** The parts that have keys of their own, by `<group>_<Kind>`, `<Kind>` or `all`. */
export interface OverrideParts {
  readonly customizations: ReadonlyMap<string, ResourceOverride>;
  readonly customHealth: ReadonlyMap<string, string>;
  readonly customUseOpenLibs: ReadonlyMap<string, boolean>;
  readonly customActions: ReadonlyMap<string, ResourceActions>;
  readonly customIgnoreDifferences: ReadonlyMap<string, IgnoreRules>;
  readonly customIgnoreResourceUpdates: ReadonlyMap<string, IgnoreRules>;
  readonly customKnownTypeFields: ReadonlyMap<string, readonly KnownTypeField[]>;
}

/** All overrides by `<group>/<Kind>`, `<Kind>` or `*` + `/*`: keys of their own win over the old form. */
export function joinOverrides(parts: OverrideParts): ReadonlyMap<string, ResourceOverride> {
  const overrides = new Map(parts.customizations);
  const merge = <Value>(values: ReadonlyMap<string, Value>, change: (value: Value) => Partial<ResourceOverride>) => {
    for (const [name, value] of values) {
      const key = overrideKey(name);
      overrides.set(key, { ...(overrides.get(key) ?? emptyOverride), ...change(value) });
    }
  };
  merge(parts.customHealth, (healthLua) => ({ healthLua }));
  merge(parts.customUseOpenLibs, (useOpenLibs) => ({ useOpenLibs }));
  merge(parts.customActions, (actions) => ({ actions }));
  merge(parts.customIgnoreDifferences, (ignoreDifferences) => ({ ignoreDifferences }));
  merge(parts.customIgnoreResourceUpdates, (ignoreResourceUpdates) => ({ ignoreResourceUpdates }));
  merge(parts.customKnownTypeFields, (knownTypeFields) => ({ knownTypeFields }));
  return overrides;
}

/** `all`, `<Kind>` or `<group>_<Kind>`. */
export const overrideNames = /^(?:[^_]+|[^_]*_[^_]+)$/;

function overrideKey(name: string): string {
  return name === 'all' ? '*/*' : name.replace('_', '/');
}
