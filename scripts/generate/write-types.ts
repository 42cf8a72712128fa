import type { FieldSchema, MessageSchema, ScalarType, SingleType, SpecialType } from '../../src/contract/schema.ts';
import { GENERATED } from './contract.ts';
import type { Comments, Contract, ServiceSchema } from './contract.ts';

const SCALAR_TYPES: Record<ScalarType, string> = { string: 'string', bool: 'boolean', int32: 'number', int64: 'number', bytes: 'string' };
const SPECIAL_TYPES: Record<SpecialType, string> = {
  Time: 'string | null',
  MicroTime: 'string | null',
  IntOrString: 'number | string',
  RawJson: 'unknown',
};

/** Finds a message by its full name. */
type Find = (name: string) => MessageSchema;

/** The TypeScript types of the plain JSON shapes, and one interface per service. */
export function writeTypes(contract: Contract): string {
  const byName = new Map(contract.messages.map((message) => [message.name, message]));
  const find: Find = (name) => {
    const message = byName.get(name);
    if (!message) throw new Error(`no message named ${name}`);
    return message;
  };
  return (
    [
      GENERATED,
      ...contract.messages.map((message) => writeMessage(message, find, contract.comments)),
      ...contract.services.map((service) => writeService(service, find, contract.comments)),
    ].join('\n\n') + '\n'
  );
}

function writeMessage(message: MessageSchema, find: Find, comments: Comments): string {
  const head = writeComment(comments.ofMessage(message.name));
  if (message.special) return `${head}export type ${message.typeName} = ${SPECIAL_TYPES[message.special]};`;
  const inlined = message.fields.filter((field) => field.inline).map((field) => typeOf(field, find));
  const heritage = inlined.length > 0 ? ` extends ${inlined.join(', ')}` : '';
  const lines = message.fields.filter((field) => !field.inline).map((field) => writeField(message, field, find, comments));
  if (lines.length === 0 && !heritage) return `${head}export type ${message.typeName} = Record<string, never>;`;
  const body = lines.length > 0 ? `{\n${lines.join('\n')}\n}` : '{}';
  return `${head}export interface ${message.typeName}${heritage} ${body}`;
}

function writeField(message: MessageSchema, field: FieldSchema, find: Find, comments: Comments): string {
  const mandatory = field.required || field.presence === 'required';
  const nullable = field.always === 'null' && field.type.kind === 'message' && !find(field.type.message).special ? ' | null' : '';
  const head = writeComment(comments.ofField(message.name, field.name), '  ');
  const name = /^\w+$/.test(field.name) ? field.name : `'${field.name}'`;
  return `${head}  ${name}${mandatory ? '' : '?'}: ${typeOf(field, find)}${nullable};`;
}

function typeOf(field: FieldSchema, find: Find): string {
  const nameOf = (type: SingleType): string => (type.kind === 'scalar' ? SCALAR_TYPES[type.scalar] : find(type.message).typeName);
  if (field.type.kind === 'map') return `Record<string, ${nameOf(field.type.value)}>`;
  return nameOf(field.type) + (field.repeated ? '[]' : '');
}

function writeService(service: ServiceSchema, find: Find, comments: Comments): string {
  const lines = service.methods.map((method) => {
    const input = find(method.input).typeName;
    const output = find(method.output).typeName;
    const request = method.clientStreaming ? `requests: AsyncIterable<${input}>` : `request: ${input}`;
    const result = method.serverStreaming
      ? `AsyncIterable<${output}>`
      : method.clientStreaming
        ? `Promise<${output}>`
        : `Promise<${output}> | ${output}`;
    return `${writeComment(comments.ofMethod(service.name, method.name), '  ')}  ${method.name}(${request}, call: Call): ${result};`;
  });
  return `${writeComment(comments.ofService(service.name))}export interface ${service.typeName}<Call> {\n${lines.join('\n')}\n}`;
}

function writeComment(text: string, indent = ''): string {
  return text ? `${indent}/** ${text} */\n` : '';
}
