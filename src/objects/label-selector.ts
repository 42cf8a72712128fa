import { ApiError, Code } from '../base/index.ts';
import { compareStrings } from './apply/compare-json.ts';
import { describeFieldErrors, invalidValue } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { isJsonArray, isJsonObject, ownValue } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { validateLabelValue, validateQualifiedName } from './names.ts';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** All requirements must hold; without any, everything is selected. `none` selects nothing at all. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  readonly none?: true;
}

export type Labels = Readonly<Record<string, string>>;

/** Makes a selector of requirements, in the canonical order. */
export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  return { requirements: requirements.toSorted((left, right) => compareStrings(left.key, right.key)) };
}

/** Checks a requirement and gives it back; throws with the sentences of an API server. */
export function checkRequirement(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const keyErrors = validateQualifiedName(key);
  const errors: FieldError[] = [
    ...(keyErrors.length > 0 ? [invalidValue('key', key, keyErrors.join('; '))] : []),
    ...checkValueCount(operator, values),
  ];
  for (const [index, value] of values.entries()) {
    const valueErrors = validateLabelValue(value);
    if (valueErrors.length > 0) errors.push(invalidValue(`values[${index}][${key}]`, value, valueErrors.join('; ')));
  }
  if (errors.length > 0) throw new ApiError(Code.InvalidArgument, describeFieldErrors(errors));
  return requirement;
}

/** Operators want some values, one, or none. */
export function checkValueCount(operator: LabelOperator, values: readonly string[]): readonly FieldError[] {
  const wrong = (detail: string) => [invalidValue('values', values.length === 0 ? null : values, detail)];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? wrong("for 'in', 'notin' operators, values set can't be empty") : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : wrong('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : wrong('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : wrong("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap((value, index) =>
          parseInteger(value) === undefined
            ? [invalidValue(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
  }
}

/** A 64-bit integer in digits. */
function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const EXPRESSION_OPERATORS: ReadonlyMap<JsonValue | undefined, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Reads the form that objects have: matchLabels and matchExpressions. Where there is no selector, nothing is selected. */
export function readLabelSelector(selector: JsonValue | undefined): LabelSelector {
  if (!isJsonObject(selector)) return { requirements: [], none: true };
  const labels = ownValue(selector, 'matchLabels');
  const expressions = ownValue(selector, 'matchExpressions');
  const fromLabels = Object.entries(isJsonObject(labels) ? labels : {}).map(([key, value]): LabelRequirement => {
    return checkRequirement({ key, operator: '=', values: [typeof value === 'string' ? value : ''] });
  });
  const fromExpressions = (isJsonArray(expressions) ? expressions : []).filter(isJsonObject).map(readExpression);
  return createLabelSelector([...fromLabels, ...fromExpressions]);
}

function readExpression(expression: JsonObject): LabelRequirement {
  const [key, name, values] = ['key', 'operator', 'values'].map((field) => ownValue(expression, field));
  const operator = EXPRESSION_OPERATORS.get(name);
  if (operator === undefined)
    throw new ApiError(Code.InvalidArgument, `${JSON.stringify(name ?? '')} is not a valid label selector operator`);
  const texts = isJsonArray(values) ? values.map(String) : [];
  return checkRequirement({ key: typeof key === 'string' ? key : '', operator, values: texts });
}

export function matchesLabelSelector(selector: LabelSelector, labels: Labels): boolean {
  return selector.none !== true && selector.requirements.every((requirement) => matches(requirement, labels));
}

function matches({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt': {
      const [own, limit] = [value, values[0]].map((text) => (text === undefined ? undefined : parseInteger(text)));
      return own !== undefined && limit !== undefined && (operator === 'gt' ? own > limit : own < limit);
    }
  }
}

/** The canonical text, which parses to the same selector. */
export function formatLabelSelector({ requirements }: LabelSelector): string {
  return requirements.map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = values.toSorted(compareStrings).join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`;
  }
}
