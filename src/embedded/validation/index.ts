import type { KindRules } from '../kinds/kind.ts';

export function validationOf(_group: string, _kind: string): Pick<KindRules, 'validate'> {
  return {};
}
