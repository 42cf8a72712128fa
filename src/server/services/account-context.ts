import type { CheckPassword, Policy, Sessions } from '../../access/index.ts';
import type { Clock } from '../../base/index.ts';
import type { Settings } from '../../settings/index.ts';

/** What the calls about accounts need. */
export interface AccountServiceOptions {
  readonly policy: Policy;
  readonly settings: Pick<Settings, 'current' | 'updateAccount'>;
  readonly sessions: Pick<Sessions, 'signForAccount'>;
  readonly checkPassword: CheckPassword;
  /** In which the control plane's own objects are. */
  readonly namespace: string;
  readonly clock: Clock;
}
