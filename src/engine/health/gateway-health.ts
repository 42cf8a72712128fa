import { isJsonObject, listAt, numberAt, textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import type { Health } from './health-status.ts';

/** Conditions of the Gateway API: what is refused is wrong, and what is not programmed yet is on its way. Undefined where all is well. */
function problemOf(holder: JsonObject, path: readonly string[], prefix = ''): Health | undefined {
  const conditions = conditionsOf(holder, ...path);
  const refused = conditions.find(({ type, status }) => (type === 'ResolvedRefs' || type === 'Accepted') && status === 'False');
  if (refused) return health(refused.reason === 'Pending' ? 'Progressing' : 'Degraded', prefix + (refused.message || refused.reason));
  const pending = conditions.find(({ type, status }) => type === 'Programmed' && status !== 'True');
  return pending && health('Progressing', prefix + (pending.message || 'still being programmed'));
}

export function gatewayHealth(gateway: JsonObject): Health {
  const listeners = listAt(gateway, 'status', 'listeners').filter(isJsonObject);
  if (conditionsOf(gateway).length === 0 && listeners.length === 0) return health('Progressing', 'Waiting for Gateway status');
  const own = problemOf(gateway, ['status', 'conditions']);
  if (own) return own;
  for (const listener of listeners) {
    const problem = problemOf(listener, ['conditions'], 'Listener: ');
    if (problem) return problem;
  }
  return health('Healthy', conditionsOf(gateway)[0]?.message);
}

export function gatewayClassHealth(gatewayClass: JsonObject): Health {
  const conditions = listAt(gatewayClass, 'status', 'conditions').filter(isJsonObject);
  const accepted = conditions.find((one) => one['type'] === 'Accepted' && isCurrent(gatewayClass, one));
  const message = accepted === undefined ? '' : textAt(accepted, 'message');
  if (accepted?.['status'] === 'True') return health('Healthy', message);
  if (accepted?.['status'] === 'False') return health('Degraded', message);
  return health('Progressing', message || 'Waiting for GatewayClass status');
}

/** Routes and policies report for each gateway that they hang on; what was said of an earlier version does not count. */
export function routeHealth(route: JsonObject): Health {
  return healthOfParents(route, 'parents', 'parentRef');
}

export function policyHealth(policy: JsonObject): Health {
  return healthOfParents(policy, 'ancestors', 'ancestorRef');
}

function healthOfParents(object: JsonObject, field: string, ref: string): Health {
  const current = listAt(object, 'status', field)
    .filter(isJsonObject)
    .filter((parent) => {
      const conditions = listAt(parent, 'conditions').filter(isJsonObject);
      return conditions.length > 0 && conditions.every((condition) => isCurrent(object, condition));
    });
  if (current.length === 0) return health('Progressing', 'Waiting for a gateway to accept it');
  for (const parent of current) {
    const problem = problemOf(parent, ['conditions'], `Parent ${textAt(parent, ref, 'name')}: `);
    if (problem) return problem;
  }
  return health('Healthy');
}

/** Whether a condition speaks of the object as it is now. */
function isCurrent(object: JsonObject, condition: JsonObject): boolean {
  const generation = numberAt(object, 'metadata', 'generation');
  return generation === undefined || (numberAt(condition, 'observedGeneration') ?? generation) === generation;
}
