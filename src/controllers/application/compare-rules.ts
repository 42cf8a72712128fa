import { ignoreRulesOfSettings, knownTypesOfSettings, type CompareRules, type TrackingRules } from '../../engine/index.ts';
import type { Application } from '../../model/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { ApplicationMemory } from './application-memory.ts';

const trackingRules = new WeakMap<Snapshot['general'], TrackingRules>();

/** How objects are marked. The same object as long as the settings are the same. */
export function trackingRulesOf({ general }: Snapshot): TrackingRules {
  const known = trackingRules.get(general);
  if (known !== undefined) return known;
  const rules: TrackingRules = {
    method: general.trackingMethod,
    instanceLabelKey: general.instanceLabelKey,
    installationId: general.installationId,
  };
  trackingRules.set(general, rules);
  return rules;
}

/** How the objects of an application are compared. The same object as long as nothing of it changed. */
export function compareRulesOf(
  { version, general, resourceOverrides }: Snapshot,
  { spec }: Application,
  memory: ApplicationMemory,
): CompareRules {
  const syncOptions = spec.syncPolicy?.syncOptions ?? [];
  const ignored = spec.ignoreDifferences ?? [];
  const project = spec.project || 'default';
  const key = JSON.stringify([version, project, syncOptions, ignored]);
  if (memory.rules?.key === key) return memory.rules.rules;
  const { compareOptions, sensitiveAnnotations } = general;
  const rules: CompareRules = {
    ignore: [...ignoreRulesOfSettings(resourceOverrides), ...ignored.map((rule) => ({ ...rule, group: rule.group ?? '' }))],
    project,
    ignoreAggregatedRoles: compareOptions.ignoreAggregatedRoles,
    ignoreStatus: compareOptions.ignoreResourceStatusField,
    syncOptions,
    sensitiveAnnotations,
    knownTypes: knownTypesOfSettings(resourceOverrides),
  };
  memory.rules = { key, rules };
  return rules;
}
