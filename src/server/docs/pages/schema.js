import { element, prose } from './element.js';

/** How deep an example goes into what it refers to. */
const EXAMPLE_DEPTH_MAX = 3;

/** Follows a reference, keeping what stands beside it. */
export function resolve(schema, api) {
  if (!schema.$ref) return schema;
  const name = schema.$ref.split('/').at(-1);
  return { name, ...api.components.schemas[name], ...(schema.description && { description: schema.description }) };
}

/** A schema in a few words, for example `list of Application`. */
export function describeType(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.anyOf) return schema.anyOf.map((form) => describeType(form)).join(' or ');
  if (schema.type === 'array') return `list of ${describeType(schema.items)}`;
  if (schema.additionalProperties) return `map of ${describeType(schema.additionalProperties)}`;
  if (schema.contentEncoding) return `${schema.type} (${schema.contentEncoding})`;
  if (schema.type === undefined) return 'any JSON';
  return [schema.type].flat().join(' or ') + (schema.format ? ` (${schema.format})` : '');
}

/** A schema as a tree that opens where one wants to see more. */
export function renderSchema(schema, api) {
  if (schema.anyOf) {
    return element(
      'div',
      {},
      ...schema.anyOf.flatMap((form, index) => [...(index > 0 ? [element('p', { class: 'quiet' }, 'or')] : []), renderSchema(form, api)]),
    );
  }
  const inner = innermost(schema);
  const { properties = {}, required = [], description, name } = resolve(inner, api);
  const head = element('p', {}, element('strong', {}, name ? describeType(schema) : 'object'), ' ', ...prose(description ?? ''));
  if (Object.keys(properties).length === 0)
    return element('div', {}, element('p', {}, element('strong', {}, describeType(schema)), ' ', ...prose(description ?? '')));
  return element('div', {}, head, renderFields(properties, required, api));
}

function renderFields(properties, required, api) {
  return element(
    'ul',
    { class: 'fields' },
    ...Object.entries(properties).map(([name, schema]) => renderField(name, schema, required.includes(name), api)),
  );
}

function renderField(name, schema, isRequired, api) {
  const line = [
    element('code', {}, name),
    element('span', { class: 'type' }, describeType(schema) + (isRequired ? ', required' : '')),
    ...prose(schema.description ?? ''),
  ];
  const inner = resolve(innermost(schema), api);
  if (!inner.properties || Object.keys(inner.properties).length === 0) return element('li', {}, ...line);
  const details = element('details', {}, element('summary', {}, ...line));
  // Types refer to one another in circles, so what is below is made when it is first opened.
  details.addEventListener('toggle', () => details.append(renderFields(inner.properties, inner.required ?? [], api)), { once: true });
  return element('li', {}, details);
}

/** What a list or a map holds, or the one real form of a value that may be null. */
function innermost(schema) {
  if (schema.items) return innermost(schema.items);
  if (schema.additionalProperties) return innermost(schema.additionalProperties);
  const forms = schema.anyOf?.filter((form) => form.type !== 'null');
  return forms?.length === 1 ? innermost(forms[0]) : schema;
}

/**
 * A value to start from: what must be there and, at the top, single values that may be. It has no lists or objects beyond
 * what must be, because an empty one can mean something else than none.
 */
export function exampleOf(schema, api, depth = 0) {
  if (schema.anyOf) return exampleOf(schema.anyOf[0], api, depth);
  const { properties = {}, required = [], type } = resolve(schema, api);
  const kind = [type].flat()[0];
  if (kind !== 'object') return { string: '', integer: 0, boolean: false, array: [] }[kind] ?? null;
  if (depth > EXAMPLE_DEPTH_MAX) return {};
  const names = Object.keys(properties).filter((name) => required.includes(name) || (depth === 0 && isSingle(properties[name])));
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], api, depth + 1)]));
}

function isSingle(schema) {
  return ['string', 'integer', 'boolean'].includes(schema.type);
}
