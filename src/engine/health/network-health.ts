import { listAt, textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { health } from './condition.ts';
import type { Health } from './health-status.ts';

const hasAddress = (object: JsonObject): boolean => listAt(object, 'status', 'loadBalancer', 'ingress').length > 0;

export function serviceHealth(service: JsonObject): Health {
  return health(textAt(service, 'spec', 'type') !== 'LoadBalancer' || hasAddress(service) ? 'Healthy' : 'Progressing');
}

export function ingressHealth(ingress: JsonObject): Health {
  return health(hasAddress(ingress) ? 'Healthy' : 'Progressing');
}

export function persistentVolumeClaimHealth(claim: JsonObject): Health {
  switch (textAt(claim, 'status', 'phase')) {
    case 'Lost':
      return health('Degraded');
    case 'Pending':
      return health('Progressing');
    case 'Bound':
      return health('Healthy');
    default:
      return health('Unknown');
  }
}
