import { assessHealth, factsOf, trackingOf } from '../../engine/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { LiveRules } from './live-rules.ts';

/** What settings say about whose a live object is, how it is, and what of it is shown. */
export function rulesOfSettings({ general }: Snapshot): LiveRules {
  const { trackingMethod: method, instanceLabelKey, installationId, customLabels } = general;
  const tracking = { method, instanceLabelKey, installationId };
  return {
    instanceOf: (object) => trackingOf(object, tracking)?.instanceName,
    healthOf: (object) => assessHealth(object),
    factsOf: (object) => factsOf(object, customLabels),
  };
}
