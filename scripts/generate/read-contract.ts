import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary, ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type {
  FieldSchema,
  FieldType,
  MessageSchema,
  MethodSchema,
  Presence,
  ScalarType as ContractScalar,
  SingleType,
} from '../../src/contract/schema.ts';
import type { Contract, ServiceSchema } from './contract.ts';
import { readComments } from './read-comments.ts';
import { readOptions } from './read-options.ts';
import type { Options } from './read-options.ts';

const SCALARS: Partial<Record<ScalarType, ContractScalar>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.BYTES]: 'bytes',
};

/** Compiles `proto/` with buf and turns its descriptors into the plain values of the contract. */
export function readContract(): Contract {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, compile()));
  const files = [...registry.files].filter((file) => !file.name.startsWith('google/') && !file.name.startsWith('fairway/'));
  const services = files.flatMap((file) => file.services).sort((a, b) => compare(a.typeName, b.typeName));
  const reachable = collectReachable(services.flatMap((service) => service.methods));
  const unused = files.flatMap((file) => file.messages).filter((message) => !reachable.has(message));
  if (unused.length > 0) throw new Error(`messages that no method uses: ${unused.map((message) => message.typeName).join(', ')}`);

  const options = readOptions(registry);
  const offered = services.filter((service) => !options.called(service));
  const messages = [...reachable].sort((a, b) => compare(a.typeName, b.typeName));
  const typeNames = chooseTypeNames(messages, collectReachable(offered.flatMap((service) => service.methods)));
  const describe = (service: DescService): ServiceSchema => ({
    name: service.typeName,
    typeName: service.name,
    methods: service.methods.map((method) => readMethod(method, options)),
  });
  return {
    messages: messages.map((message) => readMessage(message, typeNames.get(message) ?? message.name, options)),
    services: offered.map(describe),
    calledServices: services.filter((service) => options.called(service)).map(describe),
    comments: readComments(files),
  };
}

function compile(): Buffer {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return execFileSync('node_modules/.bin/buf', ['build', '-o', '-#format=binpb'], {
    cwd: root,
    maxBuffer: 64 << 20,
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function readMessage(message: DescMessage, typeName: string, options: Options): MessageSchema {
  const special = options.special(message);
  return {
    name: message.typeName,
    typeName,
    ...(special && { special }),
    fields: message.fields.map((field) => readField(field, options)),
  };
}

function readField(field: DescField, options: Options): FieldSchema {
  const empty = options.empty(field);
  return {
    number: field.number,
    name: field.jsonName,
    type: readFieldType(field),
    repeated: field.fieldKind === 'list',
    presence: readPresence(field, empty === 'omit'),
    always: empty === 'zero' || empty === 'null' ? empty : 'no',
    required: options.required(field),
    inline: options.inline(field),
    text: options.text(field),
    aliases: options.aliases(field),
  };
}

function readPresence(field: DescField, omitEmpty: boolean): Presence {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return 'implicit';
  if (field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED) return 'required';
  if (field.fieldKind === 'message' && omitEmpty) return 'implicit';
  return field.presence === FeatureSet_FieldPresence.EXPLICIT ? 'explicit' : 'implicit';
}

function readFieldType(field: DescField): FieldType {
  if (field.fieldKind === 'map') {
    if (field.mapKey !== ScalarType.STRING) throw new Error(`${field.toString()}: a map's keys must be strings`);
    return { kind: 'map', value: readSingleType(field) };
  }
  return readSingleType(field);
}

function readSingleType(field: DescField): SingleType {
  if (field.message) return { kind: 'message', message: field.message.typeName };
  const scalar = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  if (!scalar) throw new Error(`${field.toString()}: this type is not supported`);
  return { kind: 'scalar', scalar };
}

function readMethod(method: DescMethod, options: Options): MethodSchema {
  return {
    service: method.parent.typeName,
    name: method.name,
    path: `/${method.parent.typeName}/${method.name}`,
    input: method.input.typeName,
    output: method.output.typeName,
    clientStreaming: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    serverStreaming: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    http: options.bindings(method),
  };
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

/** An offered message's own name where it is the only one of that name, otherwise its package in front. */
function chooseTypeNames(messages: readonly DescMessage[], offered: ReadonlySet<DescMessage>): Map<DescMessage, string> {
  const count = new Map<string, number>();
  for (const message of offered) count.set(message.name, (count.get(message.name) ?? 0) + 1);
  const isPlain = (message: DescMessage): boolean => offered.has(message) && count.get(message.name) === 1;
  return new Map(messages.map((message) => [message, isPlain(message) ? message.name : packagePrefix(message) + message.name]));
}

function packagePrefix(message: DescMessage): string {
  const name = message.file.proto.package.split('.').at(-1) ?? '';
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
