import { createHealthOf, factsOf, trackingOf } from '../../engine/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { LiveRules } from './live-rules.ts';

/** What settings say about whose a live object is, how it is, and what of it is shown. */
export function rulesOfSettings({ general, resourceOverrides }: Snapshot, nowMs: () => number): LiveRules {
  const { trackingMethod: method, instanceLabelKey, installationId, customLabels } = general;
  const tracking = { method, instanceLabelKey, installationId };
  return {
    instanceOf: (object) => trackingOf(object, tracking)?.instanceName,
    healthOf: createHealthOf(resourceOverrides, nowMs),
    factsOf: (object) => factsOf(object, customLabels),
  };
}
