import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary, getOption, ScalarType } from '@bufbuild/protobuf';
import type { DescEnum, DescExtension, DescField, DescFile, DescMessage, DescMethod, FileRegistry, Message } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { FieldSchema, FieldType, HttpBinding, HttpVerb, MessageSchema, MethodSchema, Presence, ScalarType as ContractScalar, SpecialType } from '../../src/contract/schema.ts';

/** Everything the generators need, read once from `proto/`. */
export interface Contract {
  readonly messages: readonly MessageSchema[];
  readonly services: readonly ServiceSchema[];
  /** Comments of fields, by `<message full name>.<json name>`. */
  readonly fieldComments: ReadonlyMap<string, string>;
}

export interface ServiceSchema {
  readonly name: string;
  readonly typeName: string;
  readonly comment: string;
  readonly methods: readonly MethodSchema[];
}

const SCALARS: Partial<Record<ScalarType, ContractScalar>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.BYTES]: 'bytes',
};

const SPECIALS: readonly (SpecialType | undefined)[] = [undefined, 'Time', 'MicroTime', 'IntOrString', 'RawJson'];
const ALWAYS = ['no', 'no', 'zero', 'null'] as const;
const EMPTY_OMIT = 1;

/** Compiles `proto/` with buf and turns its descriptors into the plain values of the contract. */
export function readContract(): Contract {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const image = execFileSync('node_modules/.bin/buf', ['build', '-o', '-#format=binpb'], { cwd: root, maxBuffer: 64 << 20 });
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const files = [...registry.files].filter((file) => !file.name.startsWith('google/') && !file.name.startsWith('fairway/'));
  const descriptors = files.flatMap((file) => file.messages);
  const services = files.flatMap((file) => file.services).sort((a, b) => compare(a.typeName, b.typeName));
  const reachable = collectReachable(services.flatMap((service) => service.methods));
  const unused = descriptors.filter((message) => !reachable.has(message));
  if (unused.length > 0) throw new Error(`messages that no method uses: ${unused.map((m) => m.typeName).join(', ')}`);

  const all = [...reachable].sort((a, b) => compare(a.typeName, b.typeName));
  const typeNames = chooseTypeNames(all);
  const options = readOptions(registry);
  const fieldComments = new Map<string, string>();
  for (const message of all)
    for (const field of message.fields) fieldComments.set(`${message.typeName}.${field.jsonName}`, commentOf(field));
  return {
    messages: all.map((message) => readMessage(message, typeNames, options)),
    services: services.map((service) => ({
      name: service.typeName,
      typeName: service.name,
      comment: commentOf(service),
      methods: service.methods.map((method) => readMethod(method, options)),
    })),
    fieldComments,
  };
}

interface OptionReaders {
  option(name: string, descriptor: DescMessage | DescField | DescMethod): unknown;
}

function readOptions(registry: FileRegistry): OptionReaders {
  return {
    option(name, descriptor) {
      const extension = registry.getExtension(name);
      if (!extension) throw new Error(`no option named ${name}`);
      return getOption(descriptor as DescField, extension as DescExtension & { extendee: never });
    },
  };
}

function readMessage(message: DescMessage, typeNames: ReadonlyMap<DescMessage, string>, options: OptionReaders): MessageSchema {
  const special = SPECIALS[options.option('fairway.special', message) as number];
  return {
    name: message.typeName,
    typeName: typeNames.get(message)!,
    ...(special && { special }),
    fields: message.fields.map((field) => readField(field, options)),
    comment: commentOf(message),
  };
}

function readField(field: DescField, options: OptionReaders): FieldSchema {
  const empty = options.option('fairway.empty', field) as number;
  return {
    number: field.number,
    name: field.jsonName,
    type: readFieldType(field),
    repeated: field.fieldKind === 'list',
    presence: readPresence(field, empty),
    always: ALWAYS[empty]!,
    required: options.option('fairway.required', field) as boolean,
    inline: options.option('fairway.inline', field) as boolean,
    aliases: options.option('fairway.alias', field) as string[],
  };
}

function readPresence(field: DescField, empty: number): Presence {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return 'implicit';
  if (field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED) return 'required';
  if (field.fieldKind === 'message' && empty === EMPTY_OMIT) return 'implicit';
  return field.presence === FeatureSet_FieldPresence.EXPLICIT ? 'explicit' : 'implicit';
}

function readFieldType(field: DescField): FieldType {
  if (field.fieldKind === 'map') {
    if (field.mapKey !== ScalarType.STRING) throw new Error(`${field.parent.typeName}.${field.name}: a map's keys must be strings`);
    return { kind: 'map', value: readSingleType(field, field.mapKind) };
  }
  return readSingleType(field, field.fieldKind === 'list' ? field.listKind : field.fieldKind);
}

function readSingleType(field: DescField, kind: 'scalar' | 'message' | 'enum'): Exclude<FieldType, { kind: 'map' }> {
  if (kind === 'message') return { kind: 'message', message: field.message!.typeName };
  const scalar = kind === 'scalar' ? SCALARS[field.scalar!] : undefined;
  if (!scalar) throw new Error(`${field.parent.typeName}.${field.name}: this type is not supported`);
  return { kind: 'scalar', scalar };
}

interface HttpRule extends Message {
  readonly pattern: { readonly case: string; readonly value: string };
  readonly body: string;
  readonly additionalBindings: readonly HttpRule[];
}

function readMethod(method: DescMethod, options: OptionReaders): MethodSchema {
  const rule = options.option('google.api.http', method) as HttpRule;
  return {
    service: method.parent.typeName,
    name: method.name,
    path: `/${method.parent.typeName}/${method.name}`,
    input: method.input.typeName,
    output: method.output.typeName,
    clientStreaming: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    serverStreaming: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    http: [rule, ...rule.additionalBindings].map(readBinding),
    comment: commentOf(method),
  };
}

function readBinding(rule: HttpRule): HttpBinding {
  return { verb: rule.pattern.case.toUpperCase() as HttpVerb, path: rule.pattern.value, body: rule.body || null };
}

function collectReachable(methods: readonly DescMethod[]): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (message: DescMessage): void => {
    if (found.has(message)) return;
    found.add(message);
    for (const field of message.fields) if (field.message) visit(field.message);
  };
  for (const method of methods) {
    visit(method.input);
    visit(method.output);
  }
  return found;
}

/** A message's own name where it is the only one of that name, otherwise its package in front. */
function chooseTypeNames(messages: readonly DescMessage[]): Map<DescMessage, string> {
  const count = new Map<string, number>();
  for (const message of messages) count.set(message.name, (count.get(message.name) ?? 0) + 1);
  return new Map(messages.map((message) => [message, count.get(message.name) === 1 ? message.name : packagePrefix(message) + message.name]));
}

function packagePrefix(message: DescMessage): string {
  const name = message.file.proto.package.split('.').at(-1)!;
  return name[0]!.toUpperCase() + name.slice(1);
}

/** The comment above a declaration, as plain text on one line. */
function commentOf(descriptor: DescMessage | DescField | DescMethod | DescEnum | { readonly file?: DescFile; readonly parent?: unknown }): string {
  const { file, path } = locate(descriptor as DescMessage);
  const location = file.sourceCodeInfo?.location.find((each) => each.path.length === path.length && each.path.every((part, index) => part === path[index]));
  return (location?.leadingComments ?? '').trim().replaceAll(/\s+/g, ' ');
}

function locate(descriptor: { readonly kind: string }): { file: FileDescriptorProto; path: number[] } {
  switch (descriptor.kind) {
    case 'message': {
      const message = descriptor as DescMessage;
      return { file: message.file.proto, path: [4, message.file.messages.indexOf(message)] };
    }
    case 'field': {
      const field = descriptor as DescField;
      const outer = locate(field.parent);
      return { file: outer.file, path: [...outer.path, 2, field.parent.fields.indexOf(field)] };
    }
    case 'service': {
      const service = descriptor as DescMethod['parent'];
      return { file: service.file.proto, path: [6, service.file.services.indexOf(service)] };
    }
    case 'rpc': {
      const method = descriptor as DescMethod;
      const outer = locate(method.parent);
      return { file: outer.file, path: [...outer.path, 2, method.parent.methods.indexOf(method)] };
    }
    default:
      throw new Error(`no comments are read from a ${descriptor.kind}`);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
