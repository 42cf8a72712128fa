import { isRecord } from '../../api/index.ts';

/** A schema as the OpenAPI document has it, as far as we show it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** One method of the API. */
export interface Operation {
  readonly id: string;
  /** What it is called within its service. Where it has a second route, the id is another and the title the same. */
  readonly title: string;
  /** The service it belongs to. */
  readonly tag: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  /** As gRPC names it. */
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly answer: Schema | undefined;
  readonly isStream: boolean;
}

export interface Service {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface ApiDocument {
  readonly services: readonly Service[];
  readonly schemas: ReadonlyMap<string, Schema>;
}

/** The document that the server describes its API with, as a list of services. What is not as expected is left out. */
export function readDocument(document: unknown): ApiDocument {
  const root = isRecord(document) ? document : {};
  const operations = Object.entries(recordOf(root['paths'])).flatMap(([path, verbs]) =>
    Object.entries(recordOf(verbs)).flatMap(([verb, operation]) => (isRecord(operation) ? [readOperation(verb, path, operation)] : [])),
  );
  const services = (Array.isArray(root['tags']) ? root['tags'] : []).flatMap((tag: unknown): Service[] => {
    if (!isRecord(tag)) return [];
    const name = textOf(tag['name']);
    return [{ name, description: textOf(tag['description']), operations: operations.filter((operation) => operation.tag === name) }];
  });
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas']));
  return { services, schemas: new Map(schemas.map(([name, schema]) => [name, schema as Schema])) };
}

function readOperation(verb: string, path: string, operation: Readonly<Record<string, unknown>>): Operation {
  const id = textOf(operation['operationId']);
  const method = /`(\/[^`]+)`/.exec(textOf(operation['description']))?.[1] ?? '';
  const done = recordOf(recordOf(operation['responses'])['200']);
  const [tag] = Array.isArray(operation['tags']) ? (operation['tags'] as readonly unknown[]) : [];
  return {
    id,
    title: method.split('/').at(-1) || id.slice(id.indexOf('_') + 1),
    tag: textOf(tag),
    verb: verb.toUpperCase(),
    path,
    summary: textOf(operation['summary']),
    method,
    parameters: Array.isArray(operation['parameters']) ? (operation['parameters'] as readonly Parameter[]) : [],
    body: schemaOf(operation['requestBody']),
    answer: schemaOf(done),
    isStream: textOf(done['description']).startsWith('A stream'),
  };
}

function schemaOf(part: unknown): Schema | undefined {
  return recordOf(recordOf(recordOf(part)['content'])['application/json'])['schema'] as Schema | undefined;
}

/** Operations that have all words in their names, routes or descriptions; services without any are left out. */
export function searchServices(services: readonly Service[], text: string): readonly Service[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return services;
  return services.flatMap((service) => {
    const operations = service.operations.filter(({ id, verb, path, summary, method }) => {
      const haystack = `${id} ${verb} ${path} ${summary} ${method}`.toLowerCase();
      return words.every((word) => haystack.includes(word));
    });
    return operations.length === 0 ? [] : [{ ...service, operations }];
  });
}

/** `#/components/schemas/Application` is `Application`. */
export function refName({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** What kind of value it is, in a word or two. */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'nothing';
  if (schema.$ref !== undefined) return refName(schema);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return `map of ${typeOf(schema.additionalProperties)}`;
  return schema.type ?? 'anything';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
