import { isJsonObject, listAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { findCondition, health } from './condition.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

const PHASES: Readonly<Record<string, HealthStatusCode>> = {
  Provisioned: 'Healthy',
  Running: 'Healthy',
  Scaling: 'Healthy',
  Failed: 'Degraded',
  Unknown: 'Degraded',
};

/** Kinds of Cluster API say in one word where they are; those that have none are judged by whether they are ready. */
export function clusterApiHealth(object: JsonObject): Health {
  const kind = textAt(object, 'kind');
  if (valueAt(object, ['spec', 'paused']) === true) return health('Suspended', `${kind} is paused`);
  const failed = failureOf(object);
  if (failed !== undefined) return health('Degraded', failed);
  const phase = textAt(object, 'status', 'phase');
  const ready = findCondition(object, 'Ready');
  if (phase === '') {
    if (ready?.status === 'True') return health('Healthy', ready.message);
    return health('Progressing', ready?.message || `Waiting for ${kind}`);
  }
  const status = Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? 'Progressing') : 'Progressing';
  const because = ready?.status === 'False' ? ready.message : '';
  return health(status, status === 'Healthy' ? `${kind} is ${phase}` : because || `${kind} is ${phase}`);
}

/** While a cluster is being made it is not ready either, which is then said with less weight. */
function failureOf(object: JsonObject): string | undefined {
  if (textAt(object, 'kind') !== 'Cluster') return undefined;
  const conditions = listAt(object, 'status', 'conditions').filter(isJsonObject);
  const ready = conditions.find((one) => one['type'] === 'Ready' && one['status'] === 'False');
  return ready === undefined || ready['severity'] === 'Info' ? undefined : textAt(ready, 'message');
}
