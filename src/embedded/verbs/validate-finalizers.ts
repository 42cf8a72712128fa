import { invalidValue } from '../../objects/index.ts';
import type { FieldError, JsonObject } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './delete-plan.ts';
import { metadataOf } from './decode-input.ts';

const STANDARD_NAMES: readonly string[] = ['kubernetes', ORPHAN_FINALIZER, FOREGROUND_FINALIZER];

/** Built-in kinds, but not definitions, ask for more than custom ones: a finalizer is a known one or says whose it is. */
export function validateFinalizerNames({ isCustom, type }: Kind, object: JsonObject): readonly FieldError[] {
  if (isCustom === true || type.group === 'apiextensions.k8s.io') return [];
  return (metadataOf(object).finalizers ?? []).flatMap((name, index) => {
    if (name.includes('/') || STANDARD_NAMES.includes(name)) return [];
    return [invalidValue(`metadata.finalizers[${index}]`, name, 'name is neither a standard finalizer name nor is it fully qualified')];
  });
}
