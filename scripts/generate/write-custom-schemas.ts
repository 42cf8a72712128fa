import type { FieldSchema, MessageSchema, ScalarType, SingleType, SpecialType } from '../../src/contract/schema.ts';
import type { Contract } from './contract.ts';
import type { Json } from './openapi/json-schema.ts';

/** The messages that are custom resources, by the kind that they are. */
const ROOTS = {
  Application: 'argoproj.v1alpha1.Application',
  AppProject: 'argoproj.v1alpha1.AppProject',
  ApplicationSet: 'argoproj.v1alpha1.ApplicationSet',
};
const METADATA = 'k8s.meta.v1.ObjectMeta';
const LABEL_SELECTOR = 'k8s.meta.v1.LabelSelector';
/** An object of any kind, where other raw JSON may be any value. */
const RAW_OBJECT = 'k8s.runtime.RawExtension';

const SCALARS: Record<ScalarType, Json> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', format: 'byte' },
};

const SPECIALS: Record<SpecialType, Json> = {
  Time: { type: 'string', format: 'date-time', nullable: true },
  MicroTime: { type: 'string', format: 'date-time', nullable: true },
  IntOrString: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  RawJson: { 'x-kubernetes-preserve-unknown-fields': true },
};

/**
 * The structural schemas of the custom resources: `kinds` names the schema of each kind, `schemas` has them all, by message. A schema
 * stands for another where it is `{"$ref": "<name>"}`, so that what recurs is written once; they never recur within themselves.
 */
export function writeCustomSchemas({ messages }: Contract): string {
  const byName = new Map(messages.map((message) => [message.name, message]));
  const find = (name: string): MessageSchema => {
    const message = byName.get(name);
    if (!message) throw new Error(`no message named ${name}`);
    return message;
  };
  const schemas = new Map<string, Json>();
  const visit = (name: string, within: readonly string[]): void => {
    if (within.includes(name)) throw new Error(`${name} recurs, which no structural schema can say`);
    const message = find(name);
    if (message.special !== undefined || name === METADATA) return;
    for (const { type } of fieldsOf(message, find)) {
      const single = type.kind === 'map' ? type.value : type;
      if (single.kind === 'message') visit(single.message, [...within, name]);
    }
    schemas.set(name, objectSchema(message, find));
  };
  for (const root of Object.values(ROOTS)) visit(root, []);
  const sorted = [...schemas].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = sorted.map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
  return `{\n  "kinds": ${JSON.stringify(ROOTS)},\n  "schemas": {\n${lines.join(',\n')}\n  }\n}\n`;
}

type Find = (name: string) => MessageSchema;

/** The fields as they appear in JSON, inlined messages replaced by their fields. */
function fieldsOf(message: MessageSchema, find: Find): readonly FieldSchema[] {
  return message.fields.flatMap((field) =>
    field.inline && field.type.kind === 'message' ? fieldsOf(find(field.type.message), find) : [field],
  );
}

function objectSchema(message: MessageSchema, find: Find): Json {
  const fields = fieldsOf(message, find);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, find)])),
    ...(required.length > 0 && { required }),
    ...(message.name === LABEL_SELECTOR && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function fieldSchema({ type, repeated }: FieldSchema, find: Find): Json {
  if (type.kind === 'map') return { type: 'object', additionalProperties: singleSchema(type.value, find) };
  const single = singleSchema(type, find);
  return repeated ? { type: 'array', items: single } : single;
}

function singleSchema(type: SingleType, find: Find): Json {
  if (type.kind === 'scalar') return SCALARS[type.scalar];
  const { name, special } = find(type.message);
  if (name === METADATA) return { type: 'object' };
  if (name === RAW_OBJECT) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return special === undefined ? { $ref: name } : SPECIALS[special];
}
