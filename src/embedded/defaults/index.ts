/** What built-in kinds get where a client leaves something out, as the API server of the reference version sets it. */
import type { KindRules } from '../kinds/kind.ts';

export function defaultsOf(_group: string, _kind: string): Pick<KindRules, 'setDefaults' | 'prepareCreate' | 'prepareUpdate'> {
  return {};
}
