import type { Settings } from '../../contract/index.ts';
import type { Snapshot } from '../../settings/index.ts';

type Overrides = NonNullable<Settings['resourceOverrides']>;
type Override = Overrides[string];
type Rules = NonNullable<Override['ignoreDifferences']>;

const EVERYTHING = '*/*';
const DEFINITIONS = 'apiextensions.k8s.io/CustomResourceDefinition';

/** How kinds are judged and compared, for clients that do that themselves. */
export function formatResourceOverrides({ general, resourceOverrides }: Pick<Snapshot, 'general' | 'resourceOverrides'>): Overrides {
  const overrides = new Map<string, Override>();
  for (const [name, { healthLua, useOpenLibs, actions, ignoreDifferences, ignoreResourceUpdates, knownTypeFields }] of resourceOverrides)
    overrides.set(name, {
      ...(healthLua !== '' && { 'health.lua': healthLua }),
      ...(useOpenLibs && { 'health.lua.useOpenLibs': true }),
      // JSON is YAML.
      ...(actions && { actions: JSON.stringify(actions) }),
      ...(ignoreDifferences && { ignoreDifferences: copyRules(ignoreDifferences) }),
      ...(ignoreResourceUpdates && { ignoreResourceUpdates: copyRules(ignoreResourceUpdates) }),
      ...(knownTypeFields.length > 0 && { knownTypeFields: knownTypeFields.map((field) => ({ ...field })) }),
    });
  // Controllers write the status of an object, so a difference there is not one between Git and the cluster.
  const { ignoreResourceStatusField: ignored } = general.compareOptions;
  if (ignored !== 'none') ignoreStatus(overrides, ignored === 'all' ? EVERYTHING : DEFINITIONS);
  return Object.fromEntries(overrides);
}

function ignoreStatus(overrides: Map<string, Override>, name: string): void {
  const own = overrides.get(name) ?? {};
  const { jsonPointers, ...others } = own.ignoreDifferences ?? { jsonPointers: [], jqPathExpressions: [], managedFieldsManagers: [] };
  overrides.set(name, { ...own, ignoreDifferences: { ...others, jsonPointers: [...new Set([...jsonPointers, '/status'])] } });
}

function copyRules(rules: {
  readonly jsonPointers: readonly string[];
  readonly jqPathExpressions: readonly string[];
  readonly managedFieldsManagers: readonly string[];
}): Rules {
  return {
    jsonPointers: [...rules.jsonPointers],
    jqPathExpressions: [...rules.jqPathExpressions],
    managedFieldsManagers: [...rules.managedFieldsManagers],
  };
}
