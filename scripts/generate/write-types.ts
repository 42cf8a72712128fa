import type { FieldSchema, MessageSchema, ScalarType } from '../../src/contract/schema.ts';
import type { Contract, ServiceSchema } from './read-contract.ts';

const SCALAR_TYPES: Record<ScalarType, string> = { string: 'string', bool: 'boolean', int32: 'number', int64: 'number', bytes: 'string' };
const SPECIAL_TYPES = { Time: 'string | null', MicroTime: 'string | null', IntOrString: 'number | string', RawJson: 'unknown' } as const;

/** The TypeScript types of the plain JSON shapes, and one interface per service. */
export function writeTypes(contract: Contract): string {
  const names = new Map(contract.messages.map((message) => [message.name, message]));
  return [
    '// Generated from proto/ by `npm run generate`. Do not edit.',
    ...contract.messages.map((message) => writeMessage(message, names, contract.fieldComments)),
    ...contract.services.map((service) => writeService(service, names)),
    '',
  ].join('\n\n');
}

function writeMessage(message: MessageSchema, names: ReadonlyMap<string, MessageSchema>, comments: ReadonlyMap<string, string>): string {
  const head = comment(message.comment);
  if (message.special) return `${head}export type ${message.typeName} = ${SPECIAL_TYPES[message.special]};`;
  const inlined = message.fields.filter((field) => field.inline).map((field) => typeOf(field, names));
  const lines = message.fields
    .filter((field) => !field.inline)
    .map((field) => {
      const nullable = field.always === 'null' && field.type.kind === 'message' && !names.get(field.type.message)!.special ? ' | null' : '';
      return `${comment(comments.get(`${message.name}.${field.name}`) ?? '', '  ')}  ${property(field.name)}${isMandatory(field) ? '' : '?'}: ${typeOf(field, names)}${nullable};`;
    });
  const heritage = inlined.length > 0 ? ` extends ${inlined.join(', ')}` : '';
  if (lines.length === 0 && !heritage) return `${head}export type ${message.typeName} = Record<string, never>;`;
  return `${head}export interface ${message.typeName}${heritage} {\n${lines.join('\n')}\n}`;
}

function isMandatory(field: FieldSchema): boolean {
  return field.required || field.presence === 'required';
}

function typeOf(field: FieldSchema, names: ReadonlyMap<string, MessageSchema>): string {
  const type = field.type;
  const single = (each: Exclude<FieldSchema['type'], { kind: 'map' }>): string => (each.kind === 'scalar' ? SCALAR_TYPES[each.scalar] : names.get(each.message)!.typeName);
  if (type.kind === 'map') return `Record<string, ${single(type.value)}>`;
  return field.repeated ? `${single(type)}[]` : single(type);
}

function writeService(service: ServiceSchema, names: ReadonlyMap<string, MessageSchema>): string {
  const lines = service.methods.map((method) => {
    const input = names.get(method.input)!.typeName;
    const output = names.get(method.output)!.typeName;
    const request = method.clientStreaming ? `requests: AsyncIterable<${input}>` : `request: ${input}`;
    const result = method.serverStreaming ? `AsyncIterable<${output}>` : `Promise<${output}>`;
    return `${comment(method.comment, '  ')}  ${method.name}(${request}, call: Call): ${result};`;
  });
  return `${comment(service.comment)}export interface ${service.typeName}<Call> {\n${lines.join('\n')}\n}`;
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function comment(text: string, indent = ''): string {
  return text ? `${indent}/** ${text} */\n` : '';
}
