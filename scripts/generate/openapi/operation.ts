import type { FieldSchema, HttpBinding, MessageSchema, MethodSchema } from '../../../src/contract/schema.ts';
import type { Comments } from '../contract.ts';
import type { Json, Schemas } from './json-schema.ts';
import { pathNames, writeParameters } from './parameters.ts';

/** One verb on one path, and the methods behind it. */
export interface Operation {
  /** Those that share the route; the last one is the name to use, the others are older names of it. */
  readonly methods: readonly MethodSchema[];
  readonly binding: HttpBinding;
  /** The path as the document shows it. */
  readonly path: string;
  readonly id: string;
}

/** Methods that answer without a sign-in; what they tell may then be less. */
const OPEN = /^\/(session\.SessionService\/.*|version\.VersionService\/.*|cluster\.SettingsService\/Get)$/;

export function writeOperation(operation: Operation, schemas: Schemas, comments: Comments): Json {
  const { binding, methods, path, id } = operation;
  const method = methods.at(-1);
  if (!method) throw new Error(`${path} has no method`);
  const parameters = writeParameters(method, binding, path, schemas);
  return {
    tags: [tagOf(method.service)],
    summary: comments.ofMethod(method.service, method.name),
    description: `gRPC: ${methods.map((each) => `\`${each.path}\``).join(', ')}`,
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
    ...(binding.body !== null && { requestBody: writeBody(method, binding, binding.body, schemas) }),
    responses: method.serverStreaming ? writeStream(method, schemas) : writeAnswer(method, schemas),
    ...(OPEN.test(method.path) && { security: [{}, { bearer: [] }, { cookie: [] }] }),
  };
}

export function tagOf(service: string): string {
  return (service.split('.').at(-1) ?? service).replace(/Service$/, '');
}

function writeBody(method: MethodSchema, binding: HttpBinding, body: string, schemas: Schemas): Json {
  const input = schemas.message(method.input);
  const inPath = pathNames(binding.path);
  const whole = schemas.object(input, (field) => inPath.includes(field.name));
  const bare = body === '*' ? findResource(input, schemas) : input.fields.find((field) => field.name === body);
  const wrapper =
    bare === undefined || inPath.includes(bare.name) ? whole : { ...whole, required: requireToo(whole['required'], bare.name) };
  const forms = bare === undefined ? [whole] : [schemas.property(input, bare), wrapper];
  const description = describeBody(method, bare);
  return {
    ...(description && { description }),
    required: true,
    content: { 'application/json': { schema: forms.length === 1 ? (forms[0] ?? {}) : { anyOf: forms } } },
  };
}

function describeBody(method: MethodSchema, bare: FieldSchema | undefined): string {
  if (method.clientStreaming) return 'Several JSON objects, one after the other.';
  return bare ? `Either the value of \`${bare.name}\` itself, or an object that has it under that name.` : '';
}

/** Without its resource, a wrapper could not be told from the resource itself. */
function requireToo(required: Json | undefined, name: string): Json {
  const names = Array.isArray(required) ? (required as string[]) : [];
  return names.includes(name) ? names : [name, ...names];
}

/** A message that wraps a Kubernetes-style object is also taken as that object itself. */
function findResource(input: MessageSchema, schemas: Schemas): FieldSchema | undefined {
  return input.fields.find((field) => {
    if (field.type.kind !== 'message' || field.repeated) return false;
    const names = schemas.message(field.type.message).fields.map((each) => each.name);
    return names.includes('metadata') && names.includes('spec');
  });
}

function writeAnswer(method: MethodSchema, schemas: Schemas): Json {
  return {
    200: { description: 'Done.', content: { 'application/json': { schema: schemas.reference(method.output) } } },
    default: { $ref: '#/components/responses/Error' },
  };
}

function writeStream(method: MethodSchema, schemas: Schemas): Json {
  const result = { type: 'object', properties: { result: schemas.reference(method.output) }, required: ['result'] };
  const schema = { anyOf: [result, { $ref: '#/components/schemas/StreamError' }] };
  return {
    200: {
      description:
        'A stream: one JSON object on each line or, when asked for with `Accept: text/event-stream`, in each event. An error is the last one.',
      content: { 'application/json': { schema }, 'text/event-stream': { schema } },
    },
    default: {
      description: 'It failed before the first message.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/StreamError' } } },
    },
  };
}
