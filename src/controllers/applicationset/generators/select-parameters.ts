import { ApiError, Code } from '../../../base/index.ts';
import { checkValueCount, describeFieldErrors, isJsonArray, isJsonObject, validateQualifiedName } from '../../../objects/index.ts';
import type { JsonObject, JsonValue, LabelOperator } from '../../../objects/index.ts';
import { flatten } from './flatten.ts';
import type { ParameterSet } from './generator.ts';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

const labelOperators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/**
 * The sets whose flattened parameters a label selector matches. Unlike with labels, any text may be a value; keys must still be names of
 * labels.
 */
export function selectParameters(sets: readonly ParameterSet[], selector: JsonValue | undefined): readonly ParameterSet[] {
  if (!isJsonObject(selector)) return sets;
  const requirements = readRequirements(selector);
  if (requirements.length === 0) return sets;
  return sets.filter((set) => {
    const flat = flatten(set);
    return requirements.every((requirement) => holds(requirement, flat));
  });
}

function readRequirements({ matchLabels, matchExpressions }: JsonObject): readonly Requirement[] {
  const labels = isJsonObject(matchLabels) ? Object.entries(matchLabels) : [];
  const expressions = isJsonArray(matchExpressions) ? matchExpressions.filter(isJsonObject) : [];
  const requirements = [
    ...labels.map(([key, value]): Requirement => ({ key, operator: 'In', values: [textOf(value)] })),
    ...expressions.map(({ key, operator, values }): Requirement => {
      return { key: textOf(key), operator: textOf(operator), values: isJsonArray(values) ? values.map(textOf) : [] };
    }),
  ];
  for (const { key, operator, values } of requirements) {
    const known = Object.hasOwn(labelOperators, operator) ? labelOperators[operator] : undefined;
    if (known === undefined) throw failure(`"${operator}" is not a valid pod selector operator`);
    const [problem] = validateQualifiedName(key);
    if (problem !== undefined) throw failure(`key: Invalid value: ${JSON.stringify(key)}: ${problem}`);
    // No value at all is a mistake, not a wish for nothing.
    const errors = checkValueCount(known, values);
    if (errors.length > 0) throw failure(describeFieldErrors(errors));
  }
  return requirements;
}

function holds({ key, operator, values }: Requirement, flat: ReadonlyMap<string, string>): boolean {
  const value = flat.get(key);
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  return value === undefined || !values.includes(value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function failure(text: string): ApiError {
  return new ApiError(Code.InvalidArgument, `error parsing label selector: ${text}`);
}
