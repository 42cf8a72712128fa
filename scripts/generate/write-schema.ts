import type { Mark } from '../../src/contract/expand-schema.ts';
import type { FieldSchema, FieldType, HttpBinding, MessageSchema, MethodSchema, SingleType } from '../../src/contract/schema.ts';
import { GENERATED } from './contract.ts';
import type { Contract, ServiceSchema } from './contract.ts';

/** The run-time tables: every message and every method, in the compact form that `src/contract/expand-schema.ts` reads. */
export function writeSchema(contract: Contract): string {
  return (
    [
      GENERATED,
      "import { expandMessages, expandMethods } from '../expand-schema.ts';\nimport type { MessageSchema, MethodSchema } from '../schema.ts';",
      `export const messages: readonly MessageSchema[] = expandMessages([\n${contract.messages.map(writeMessage).join('\n')}\n]);`,
      `export const methods: readonly MethodSchema[] = expandMethods({\n${contract.services.map(writeService).join('\n')}\n});`,
      `export const calledMethods: readonly MethodSchema[] = expandMethods({\n${contract.calledServices.map(writeService).join('\n')}\n});`,
    ].join('\n\n') + '\n'
  );
}

function writeMessage(message: MessageSchema): string {
  const label = message.special ? `${message.typeName}=${message.special}` : message.typeName;
  return writeTuple([message.name, label, ...message.fields.map(writeField)], '  ');
}

function writeField(field: FieldSchema): string {
  const marks: Mark[] = [];
  if (field.presence === 'explicit') marks.push('explicit');
  if (field.presence === 'required') marks.push('encoded');
  if (field.always !== 'no') marks.push(field.always);
  if (field.required) marks.push('required');
  if (field.inline) marks.push('inline');
  if (field.text) marks.push('text');
  const aliases = field.aliases.map((alias) => `=${alias}`);
  return [field.number, field.name, writeType(field.type) + (field.repeated ? '[]' : ''), ...marks, ...aliases].join(' ');
}

function writeType(type: FieldType): string {
  return type.kind === 'map' ? `${writeSingleType(type.value)}{}` : writeSingleType(type);
}

function writeSingleType(type: SingleType): string {
  return type.kind === 'scalar' ? type.scalar : type.message;
}

function writeService(service: ServiceSchema): string {
  return `  ${quote(service.name)}: [\n${service.methods.map(writeMethod).join('\n')}\n  ],`;
}

function writeMethod(method: MethodSchema): string {
  const input = (method.clientStreaming ? 'stream ' : '') + method.input;
  const output = (method.serverStreaming ? 'stream ' : '') + method.output;
  return writeTuple([method.name, input, output, ...method.http.map(writeBinding)], '    ');
}

function writeBinding(binding: HttpBinding): string {
  return `${binding.verb} ${binding.path}${binding.body === null ? '' : ` ${binding.body}`}`;
}

function writeTuple(parts: readonly string[], indent: string): string {
  return `${indent}[${parts.map(quote).join(', ')}],`;
}

function quote(text: string): string {
  return `'${text}'`;
}
