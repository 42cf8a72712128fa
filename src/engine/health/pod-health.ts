import { isJsonObject, listAt, numberAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { findCondition, health } from './condition.ts';
import type { Health } from './health-status.ts';

export function podHealth(pod: JsonObject): Health {
  const restartsAlways = textAt(pod, 'spec', 'restartPolicy') === 'Always';
  const containers = statusesOf(pod, 'containerStatuses');
  if (restartsAlways) {
    const stuck = containers.filter((container) => isStuck(textAt(container, 'state', 'waiting', 'reason')));
    if (stuck.length > 0) return health('Degraded', stuck.map((container) => textAt(container, 'state', 'waiting', 'message')).join(', '));
  }
  const message = textAt(pod, 'status', 'message');
  switch (textAt(pod, 'status', 'phase')) {
    case 'Pending':
      return health('Progressing', message);
    case 'Succeeded':
      return health('Healthy', message);
    case 'Failed':
      return health('Degraded', message || failureOf([...statusesOf(pod, 'initContainerStatuses'), ...containers]));
    case 'Running':
      return restartsAlways ? runningHealth(pod, containers, message) : health('Progressing', message);
    default:
      return health('Unknown', message);
  }
}

/** A container that waits for a reason that does not pass by itself. */
function isStuck(reason: string): boolean {
  return reason.startsWith('Err') || reason.endsWith('Error') || reason.endsWith('BackOff');
}

function runningHealth(pod: JsonObject, containers: readonly JsonObject[], message: string): Health {
  if (findCondition(pod, 'Ready')?.status === 'True') return health('Healthy', message);
  const hasDied = containers.some((container) => isJsonObject(valueAt(container, ['lastState', 'terminated'])));
  return health(hasDied ? 'Degraded' : 'Progressing', message);
}

function failureOf(containers: readonly JsonObject[]): string {
  for (const container of containers) {
    const terminated = valueAt(container, ['state', 'terminated']);
    if (!isJsonObject(terminated)) continue;
    const message = textAt(terminated, 'message');
    if (message !== '') return message;
    if (textAt(terminated, 'reason') === 'OOMKilled') return 'OOMKilled';
    const exitCode = numberAt(terminated, 'exitCode') ?? 0;
    if (exitCode !== 0) return `container ${JSON.stringify(textAt(container, 'name'))} failed with exit code ${exitCode}`;
  }
  return '';
}

function statusesOf(pod: JsonObject, list: string): readonly JsonObject[] {
  return listAt(pod, 'status', list).filter(isJsonObject);
}
