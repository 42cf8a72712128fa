import type { FieldSchema, HttpBinding, MessageSchema, MethodSchema } from '../../../src/contract/schema.ts';
import type { Json, Schemas } from './json-schema.ts';

/** The names in a path template, for example `application.metadata.name`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^}=]+)[^}]*\}/g)].map((match) => match[1] ?? '');
}

/**
 * What a request carries in its path and query.
 * `shown` is the path as the document shows it: OpenAPI wants one name for a place in a path, whatever the verb.
 */
export function writeParameters(method: MethodSchema, binding: HttpBinding, shown: string, schemas: Schemas): Json[] {
  const bound = pathNames(binding.path);
  const input = schemas.message(method.input);
  const inPath = pathNames(shown).map((name, index) => writePathParameter(input, bound[index] ?? name, name, schemas));
  const inQuery = binding.body === '*' ? [] : writeQueryParameters(input, [...bound, ...(binding.body ? [binding.body] : [])], schemas);
  return [...inPath, ...inQuery, ...(selectsFields(method, binding, schemas) ? [FIELDS] : [])];
}

const FIELDS: Json = {
  name: 'fields',
  in: 'query',
  description:
    'Dotted paths, separated by commas, of what to return; a minus sign in front leaves them out instead. In a stream, paths begin with `result`.',
  schema: { type: 'string' },
};

/** A selection of fields is offered on lists and streams. */
function selectsFields(method: MethodSchema, binding: HttpBinding, schemas: Schemas): boolean {
  if (binding.verb !== 'GET') return false;
  return method.serverStreaming || schemas.message(method.output).fields.some((field) => field.name === 'items' && field.repeated);
}

function writePathParameter(input: MessageSchema, name: string, shownName: string, schemas: Schemas): Json {
  const [owner, field] = follow(input, name.split('.'), schemas);
  const description = [schemas.describe(owner, field), name === shownName ? '' : `This is \`${name}\` of the body.`];
  return withDescription({ name: shownName, in: 'path', required: true }, description, schemas.property(owner, { ...field, aliases: [] }));
}

function writeQueryParameters(message: MessageSchema, taken: readonly string[], schemas: Schemas, prefix = ''): Json[] {
  return schemas.fields(message).flatMap(([owner, field]) => {
    const name = prefix + field.name;
    if (taken.includes(name)) return [];
    if (field.type.kind === 'map') return [];
    const nested = field.type.kind === 'message' ? schemas.message(field.type.message) : undefined;
    if (nested && !nested.special) return field.repeated ? [] : writeQueryParameters(nested, taken, schemas, `${name}.`);
    const required = field.presence === 'required' && { required: true };
    return [withDescription({ name, in: 'query', ...required }, [schemas.describe(owner, field)], schemas.property(owner, field))];
  });
}

function withDescription(head: Record<string, Json>, texts: readonly string[], property: Json): Json {
  const { description: _, ...schema } = property as Record<string, Json>;
  const description = texts.filter((text) => text !== '').join(' ');
  return { ...head, ...(description && { description }), schema };
}

function follow(message: MessageSchema, names: readonly string[], schemas: Schemas): readonly [MessageSchema, FieldSchema] {
  const [first, ...rest] = names;
  const field = message.fields.find((each) => each.name === first);
  if (!field) throw new Error(`${message.name} has no field ${first ?? ''}`);
  if (rest.length === 0) return [message, field];
  if (field.type.kind !== 'message') throw new Error(`${message.name}.${field.name} has no fields`);
  return follow(schemas.message(field.type.message), rest, schemas);
}
