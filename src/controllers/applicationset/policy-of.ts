import { effectivePolicy, type ApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';

/** The policy of an application set: its own where the installation lets it have one, which it does unless it has one for all. */
export function policyOf({ settings }: Pick<ApplicationSetContext, 'settings'>, set: ApplicationSet): string {
  const { appsetPolicy, appsetPolicyOverride } = settings.current.parameters;
  return effectivePolicy(set, appsetPolicy, appsetPolicyOverride ?? appsetPolicy === '');
}
