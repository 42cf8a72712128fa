import type { Application } from '../../../model/index.ts';

/** Whether an application is synced without being asked. */
export function isAutomated({ spec }: Application): boolean {
  return spec.syncPolicy?.automated !== undefined && spec.syncPolicy.automated.enabled !== false;
}
