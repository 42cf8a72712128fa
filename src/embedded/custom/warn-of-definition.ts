import { countUnevaluatedRules, parseStructural } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { readDefinition } from './definition.ts';

/** What a definition asks for and does not get: its rules in CEL are kept, but nobody evaluates them. */
export function warnOfDefinition(object: JsonObject): readonly string[] {
  return readDefinition(object).versions.flatMap(({ schema }, index) => {
    const count = schema === undefined ? 0 : countUnevaluatedRules(parseStructural(schema));
    if (count === 0) return [];
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    return [`${path}: this API evaluates no x-kubernetes-validations: objects that break the rules here (${count}) are accepted`];
  });
}
