import type { FieldSchema, MessageSchema, MethodSchema } from '../../src/contract/schema.ts';
import type { Contract } from './read-contract.ts';

/** The run-time tables: every message and every method as data. */
export function writeSchema(contract: Contract): string {
  return [
    '// Generated from proto/ by `npm run generate`. Do not edit.',
    "import type { MessageSchema, MethodSchema } from '../schema.ts';",
    `export const messages: readonly MessageSchema[] = [\n${contract.messages.map(writeMessage).join('\n')}\n];`,
    `export const methods: readonly MethodSchema[] = [\n${contract.services.flatMap((service) => service.methods).map(writeMethod).join('\n')}\n];`,
    '',
  ].join('\n\n');
}

function writeMessage(message: MessageSchema): string {
  const { fields, ...head } = message;
  return `  { ...${JSON.stringify(head)}, fields: [${fields.map(writeField).join(', ')}] },`.replace('{ ...{', '{ ').replace('"}, fields', '", fields');
}

function writeField(field: FieldSchema): string {
  return JSON.stringify(field);
}

function writeMethod(method: MethodSchema): string {
  return `  ${JSON.stringify(method)},`;
}
