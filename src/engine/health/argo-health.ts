import { textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import type { Health } from './health-status.ts';

export function workflowHealth(workflow: JsonObject): Health {
  const message = textAt(workflow, 'status', 'message');
  switch (textAt(workflow, 'status', 'phase')) {
    case '':
    case 'Pending':
    case 'Running':
      return health('Progressing', message);
    case 'Succeeded':
      return health('Healthy', message);
    case 'Failed':
    case 'Error':
      return health('Degraded', message);
    default:
      return health('Unknown', message);
  }
}

export function applicationSetHealth(applicationSet: JsonObject): Health {
  const conditions = conditionsOf(applicationSet);
  const find = (type: string, status: string) => conditions.find((condition) => condition.type === type && condition.status === status);
  const failed = find('ErrorOccurred', 'True') ?? find('ResourcesUpToDate', 'False');
  if (failed) return health('Degraded', failed.message);
  const rolling = find('RolloutProgressing', 'True');
  if (rolling) return health('Progressing', rolling.message);
  const current = find('ResourcesUpToDate', 'True');
  return current ? health('Healthy', current.message) : health('Progressing', 'Waiting for the status to be reported');
}
