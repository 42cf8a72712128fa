import { parseJsonText, type FieldSchema, type JsonObject } from '../../../contract/index.ts';
import { bindText, findField, findTarget } from './bind-value.ts';
import { requestFromBody } from './body.ts';
import { bindQuery, type QueryParameter } from './query.ts';
import type { Route, RouteMatch } from './route-table.ts';

/** What a body says of the request message. */
export function requestFromBytes({ method, binding }: Route, bytes: Buffer): JsonObject {
  const isEmpty = bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
  return isEmpty ? {} : requestFromBody(method.input, binding, parseJsonText(bytes));
}

/** Adds to what the body says: the query for what is left, and above all the path. */
export function completeRequest({ route, values }: RouteMatch, parameters: readonly QueryParameter[], request: JsonObject): JsonObject {
  const { input } = route.method;
  if (parameters.length === 0) {
    const fields = plainFieldsOf(route);
    if (fields !== undefined) return setTexts(request, fields, values);
  }
  const { body } = route.binding;
  bindQuery(
    input.schema,
    request,
    parameters,
    (name) => route.variables.includes(name) || (body !== null && (name === body || name.startsWith(`${body}.`))),
  );
  for (const [field, value] of values) {
    const target = findTarget(input.schema, request, field);
    if (target !== undefined) bindText(target, field, value, true);
  }
  // Once more through the codec, which checks what a text alone does not show.
  return input.fromJson(request);
}

const plainFields = new WeakMap<Route, readonly FieldSchema[] | null>();

/** The fields that a path's variables fill, where each is a text of the request itself, as it is on most routes. */
function plainFieldsOf(route: Route): readonly FieldSchema[] | undefined {
  let fields = plainFields.get(route);
  if (fields === undefined) {
    const found = route.variables.map((name) => findField(route.method.input.schema, name));
    fields = found.every(isPlainText) ? found : null;
    plainFields.set(route, fields);
  }
  return fields ?? undefined;
}

function isPlainText(field: FieldSchema | undefined): field is FieldSchema {
  return field !== undefined && field.type.kind === 'scalar' && field.type.scalar === 'string' && !field.repeated;
}

/** A text needs no second look by the codec. */
function setTexts(request: JsonObject, fields: readonly FieldSchema[], values: RouteMatch['values']): JsonObject {
  for (const [index, field] of fields.entries()) {
    const text = values[index]![1];
    if (text === '' && field.presence === 'implicit') delete request[field.name];
    else request[field.name] = text;
  }
  return request;
}
