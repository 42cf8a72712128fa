import type {
  FieldSchema,
  FieldType,
  HttpBinding,
  HttpVerb,
  MessageSchema,
  MethodSchema,
  ScalarType,
  SingleType,
  SpecialType,
} from './schema.ts';

/**
 * A field on one line: `<number> <name> <type> [<mark>…]`. A type is a scalar or the full name of a message, followed by
 * `[]` when repeated or `{}` when it is the value of a map. What is not marked has its default.
 */
type CompactField = string;

/** What a field's line may say behind its type; an alias is a mark too, with `=` in front. */
export type Mark = 'explicit' | 'encoded' | 'zero' | 'null' | 'required' | 'inline' | 'text';

/** Full name, type name, fields; the special type, if any, stands behind the type name: `Time=Time`. */
export type CompactMessage = readonly [name: string, typeName: string, ...fields: CompactField[]];

/** Name, input, output, bindings as `<verb> <path> [<body>]`; a streamed side has `stream ` in front of its message. */
export type CompactMethod = readonly [name: string, input: string, output: string, ...bindings: string[]];

const STREAM = 'stream ';
const SCALARS: ReadonlySet<string> = new Set<ScalarType>(['string', 'bool', 'int32', 'int64', 'bytes']);

export function expandMessages(messages: readonly CompactMessage[]): readonly MessageSchema[] {
  return messages.map(expandMessage);
}

export function expandMethods(services: Readonly<Record<string, readonly CompactMethod[]>>): readonly MethodSchema[] {
  return Object.entries(services).flatMap(([service, methods]) =>
    methods.map(([name, input, output, ...bindings]) => ({
      service,
      name,
      path: `/${service}/${name}`,
      input: input.replace(STREAM, ''),
      output: output.replace(STREAM, ''),
      clientStreaming: input.startsWith(STREAM),
      serverStreaming: output.startsWith(STREAM),
      http: bindings.map(expandBinding),
    })),
  );
}

/** Fields are expanded when first asked for: a process needs some of the messages only, and starts sooner. */
function expandMessage([name, label, ...lines]: CompactMessage): MessageSchema {
  const [typeName = '', special] = label.split('=');
  let fields: readonly FieldSchema[] | undefined;
  return {
    name,
    typeName,
    ...(special && { special: special as SpecialType }),
    get fields() {
      return (fields ??= lines.map(expandField));
    },
  };
}

function expandField(line: CompactField): FieldSchema {
  const [number = '', name = '', type = '', ...marks] = line.split(' ');
  const marked = (mark: Mark): boolean => marks.includes(mark);
  return {
    number: Number(number),
    name,
    type: expandType(type),
    repeated: type.endsWith('[]'),
    presence: marked('explicit') ? 'explicit' : marked('encoded') ? 'required' : 'implicit',
    always: marked('zero') ? 'zero' : marked('null') ? 'null' : 'no',
    required: marked('required'),
    inline: marked('inline'),
    text: marked('text'),
    aliases: marks.filter((mark) => mark.startsWith('=')).map((mark) => mark.slice(1)),
  };
}

function expandType(type: string): FieldType {
  if (type.endsWith('{}')) return { kind: 'map', value: expandSingleType(type.slice(0, -2)) };
  return expandSingleType(type.endsWith('[]') ? type.slice(0, -2) : type);
}

function expandSingleType(name: string): SingleType {
  return SCALARS.has(name) ? { kind: 'scalar', scalar: name as ScalarType } : { kind: 'message', message: name };
}

function expandBinding(binding: string): HttpBinding {
  const [verb, path = '', body = null] = binding.split(' ');
  return { verb: verb as HttpVerb, path, body };
}
