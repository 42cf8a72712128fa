import { ApiError } from '../../base/index.ts';
import { matchesFieldSelector, matchesLabelSelector, parseFieldSelector, parseLabelSelector, statusError } from '../../objects/index.ts';
import type { FieldSelector, JsonObject, LabelSelector } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { valueAt } from '../json-path.ts';
import { metadataOf } from './decode-input.ts';

/** What a list or watch shows of a kind. */
export interface Selection {
  /** All namespaces when undefined. */
  readonly namespace: string | undefined;
  /** The only name that can match, where the selector says so. */
  readonly name: string | undefined;
  readonly isFiltered: boolean;
  /** Labels alone decide what matches. */
  readonly isByLabels: boolean;
  /** Text that the labels of whatever matches contain in the store; undefined where the selector does not say. */
  readonly labelText: string | undefined;
  /** By labels in the store's text form alone; what it lets through still has to match. */
  mayMatchLabels(labels: string | null): boolean;
  matches(object: JsonObject): boolean;
}

export interface SelectionOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Throws a refusal for selectors that cannot be read or that the kind does not offer. */
export function createSelection(kind: Kind, options: SelectionOptions): Selection {
  const labels = parse(options.labelSelector, parseLabelSelector);
  const fields = parse(options.fieldSelector, parseFieldSelector) ?? [];
  checkFields(kind, fields);
  const namespace = kind.type.namespaced && options.namespace !== '' ? options.namespace : undefined;
  return {
    namespace,
    name: fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value,
    isFiltered: labels !== undefined || fields.length > 0,
    isByLabels: fields.length === 0,
    labelText: labels && labelTextOf(labels),
    mayMatchLabels: (text) => labels === undefined || matchesLabelSelector(labels, parseLabels(text)),
    matches: (object) =>
      (namespace === undefined || metadataOf(object).namespace === namespace) &&
      matchesLabels(labels, object) &&
      matchesFields(kind, fields, object),
  };
}

function parse<Selector>(text: string | undefined, parseText: (text: string) => Selector): Selector | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parseText(text);
  } catch (error) {
    if (error instanceof ApiError) throw statusError('BadRequest', error.message);
    throw error;
  }
}

function checkFields({ rules, isCustom }: Kind, fields: FieldSelector): void {
  for (const { field } of fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace' || rules.selectableFields?.includes(field) === true) continue;
    const isPlain = rules.selectableFields === undefined && isCustom !== true;
    const text = isPlain
      ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
      : `field label not supported: ${field}`;
    throw statusError('BadRequest', text);
  }
}

/** The longest text that one requirement fixes: it lets the database leave out most objects that do not match. */
function labelTextOf({ requirements }: LabelSelector): string | undefined {
  const texts = requirements.flatMap(({ key, operator, values }) => {
    const [value] = values;
    if (operator === 'exists') return [`${JSON.stringify(key)}:`];
    const isFixed = operator === '=' || operator === '==' || (operator === 'in' && values.length === 1);
    return isFixed && value !== undefined ? [`${JSON.stringify(key)}:${JSON.stringify(value)}`] : [];
  });
  return texts.toSorted((left, right) => right.length - left.length)[0];
}

function parseLabels(text: string | null): Record<string, string> {
  return text === null ? {} : (JSON.parse(text) as Record<string, string>);
}

function matchesLabels(selector: LabelSelector | undefined, object: JsonObject): boolean {
  return selector === undefined || matchesLabelSelector(selector, metadataOf(object).labels ?? {});
}

function matchesFields({ rules }: Kind, selector: FieldSelector, object: JsonObject): boolean {
  return matchesFieldSelector(selector, (field) => {
    const read = rules.readField?.(object, field);
    if (read !== undefined) return read;
    const value = valueAt(object, field.split('.'));
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  });
}
