import { mapListAt, mapObjectAt, withDefaults } from '../json-path.ts';
import type { JsonObject } from '../json-value.ts';
import type { SetDefaults } from './set-defaults.ts';

/** Kinds of `resource.k8s.io`: who asks for devices without saying how many means one. */
export const resourceClaim: SetDefaults = (object) => mapObjectAt(object, ['spec'], claimSpec);

export const resourceClaimTemplate: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (template) => mapObjectAt(template, ['spec'], claimSpec));

function claimSpec(spec: JsonObject): JsonObject {
  return mapObjectAt(spec, ['devices'], (devices) =>
    mapListAt(devices, ['requests'], (request) =>
      mapListAt(mapObjectAt(request, ['exactly'], deviceRequest), ['firstAvailable'], deviceRequest),
    ),
  );
}

function deviceRequest(request: JsonObject): JsonObject {
  const tolerant = mapListAt(request, ['tolerations'], (toleration) => withDefaults(toleration, { operator: 'Equal' }));
  const result = withDefaults(tolerant, { allocationMode: 'ExactCount' });
  return result['allocationMode'] === 'ExactCount' ? withDefaults(result, { count: 1 }) : result;
}
