import { messages } from '../gen/schema.ts';
import type { FieldSchema, FieldType, MessageSchema, ScalarType, SpecialType } from '../schema.ts';
import type { JsonObject } from './json-value.ts';

/** What one value is, as a small number: encoder and decoder switch on it. */
export const Kind = {
  String: 0,
  Bool: 1,
  Int32: 2,
  Int64: 3,
  Bytes: 4,
  Message: 5,
  Time: 6,
  MicroTime: 7,
  IntOrString: 8,
  RawJson: 9,
} as const;

export type Kind = (typeof Kind)[keyof typeof Kind];

/** How often a field holds its value. `Inline`: once, with its fields in the outer JSON object. */
export const Shape = { Single: 0, List: 1, Map: 2, Inline: 3 } as const;

export type Shape = (typeof Shape)[keyof typeof Shape];

export interface FieldPlan {
  /** Its place among the fields of its message by ascending number. */
  readonly index: number;
  readonly number: number;
  readonly name: string;
  readonly shape: Shape;
  /** Of the value, the list's elements or the map's values. */
  readonly kind: Kind;
  /** The field number and wire type, as on the wire. */
  readonly tag: number;
  readonly implicit: boolean;
  readonly required: boolean;
  readonly always: FieldSchema['always'];
  readonly aliases: readonly string[];
  /** An empty list or map is told apart from none: the wire has a message around it. */
  readonly keepsEmpty: boolean;
  /** The JSON that clients see holds the message as text. */
  readonly text: boolean;
  /** The plan of the message that the value is, where it is one. */
  readonly message: MessagePlan | undefined;
  /** The encoder's guess: the field whose key came after this one's the last time. */
  follower: FieldPlan | undefined;
}

/** A message prepared for work: each direction has its fields in the form that it reads fastest. */
export interface MessagePlan {
  readonly schema: MessageSchema;
  /** Makes an empty value. */
  readonly Value: new () => JsonObject;
  /** By ascending number. */
  readonly ascending: readonly FieldPlan[];
  /** The encoder must ask for each field by name: some are inlined, or there are more than a number has bits. */
  readonly fieldByField: boolean;
  /** The fields that are always encoded: a bit for each, by its index. */
  readonly requiredBits: number;
  /** The encoder's guess: the field whose key came first the last time. */
  first: FieldPlan | undefined;
  /** By field number. */
  readonly byNumber: readonly (FieldPlan | undefined)[];
  /** In the order of the schema, with inlined messages replaced by their fields. */
  readonly json: readonly FieldPlan[];
  /** The fields of `json` by their exact names. */
  readonly byName: ReadonlyMap<string, FieldPlan>;
  readonly byAlias: ReadonlyMap<string, FieldPlan>;
  readonly byLowerCase: ReadonlyMap<string, FieldPlan>;
}

interface MutablePlan {
  schema: MessageSchema;
  Value: new () => JsonObject;
  ascending: FieldPlan[];
  fieldByField: boolean;
  requiredBits: number;
  first: FieldPlan | undefined;
  byNumber: (FieldPlan | undefined)[];
  json: FieldPlan[];
  byName: Map<string, FieldPlan>;
  byAlias: Map<string, FieldPlan>;
  byLowerCase: Map<string, FieldPlan>;
}

const SCALAR_KINDS: Record<ScalarType, Kind> = {
  string: Kind.String,
  bool: Kind.Bool,
  int32: Kind.Int32,
  int64: Kind.Int64,
  bytes: Kind.Bytes,
};

const SPECIAL_KINDS: Record<SpecialType, Kind> = {
  Time: Kind.Time,
  MicroTime: Kind.MicroTime,
  IntOrString: Kind.IntOrString,
  RawJson: Kind.RawJson,
};

/** A set of fields is kept in the bits of one number. */
export const FIELDS_MAX = 32;

const plans = new Map<string, MutablePlan>();
let schemas: ReadonlyMap<string, MessageSchema> | undefined;

/** The plan of a message and of all that it contains, made on first use and kept. */
export function planMessage(name: string): MessagePlan {
  const known = plans.get(name);
  if (known) return known;
  schemas ??= new Map(messages.map((message) => [message.name, message]));
  const schema = schemas.get(name);
  if (!schema) throw new Error(`the contract has no message ${name}`);
  const plan: MutablePlan = {
    schema,
    Value: createConstructor(),
    ascending: [],
    fieldByField: false,
    requiredBits: 0,
    first: undefined,
    byNumber: [],
    json: [],
    byName: new Map(),
    byAlias: new Map(),
    byLowerCase: new Map(),
  };
  // Registered before its fields are planned, because messages may contain themselves.
  plans.set(name, plan);
  const numbers = schema.fields.map((field) => field.number).toSorted((a, b) => a - b);
  const fields = schema.fields.map((field) => planField(field, numbers.indexOf(field.number)));
  plan.ascending = fields.toSorted((a, b) => a.index - b.index);
  plan.fieldByField = fields.length > FIELDS_MAX || fields.some((field) => field.shape === Shape.Inline);
  for (const field of fields) if (field.required) plan.requiredBits |= 1 << field.index;
  plan.byNumber = Array.from({ length: (numbers.at(-1) ?? 0) + 1 }, () => undefined);
  for (const field of fields) plan.byNumber[field.number] = field;
  plan.json = fields.flatMap(jsonFieldsOf);
  for (const field of plan.json) nameField(plan, field);
  return plan;
}

function jsonFieldsOf(field: FieldPlan): readonly FieldPlan[] {
  if (field.shape !== Shape.Inline) return [field];
  const inner = field.message!.json;
  return field.keepsEmpty ? inner.map((each) => ({ ...each, keepsEmpty: true })) : inner;
}

/** A message that is nothing but one list or map is there to tell an empty one from none. */
function isCollection(message: MessagePlan): boolean {
  const [only, ...others] = message.json;
  return others.length === 0 && (only?.shape === Shape.List || only?.shape === Shape.Map);
}

/**
 * A constructor of plain objects. Each message has its own, because V8 then learns how many fields its values have, makes
 * them in one piece, and keeps their shapes apart from those of other messages.
 */
function createConstructor(): new () => JsonObject {
  function Value(): void {}
  Value.prototype = Object.prototype;
  return Value as unknown as new () => JsonObject;
}

function planField(field: FieldSchema, index: number): FieldPlan {
  const single = singleType(field.type);
  const message = single.kind === 'message' ? planMessage(single.message) : undefined;
  const kind = kindOf(single, message);
  const shape = field.inline ? Shape.Inline : field.repeated ? Shape.List : field.type.kind === 'map' ? Shape.Map : Shape.Single;
  return {
    index,
    number: field.number,
    name: field.name,
    shape,
    kind,
    tag: tagOf(field.number, shape === Shape.Map ? Kind.Message : kind),
    implicit: field.presence === 'implicit',
    required: field.presence === 'required',
    always: field.always,
    aliases: field.aliases,
    keepsEmpty: shape === Shape.Inline && isCollection(message!),
    text: field.text,
    message,
    follower: undefined,
  };
}

function singleType(type: FieldType): Exclude<FieldType, { kind: 'map' }> {
  return type.kind === 'map' ? type.value : type;
}

function kindOf(type: Exclude<FieldType, { kind: 'map' }>, message: MessagePlan | undefined): Kind {
  if (type.kind === 'scalar') return SCALAR_KINDS[type.scalar];
  const special = message!.schema.special;
  return special ? SPECIAL_KINDS[special] : Kind.Message;
}

/** The tag of a field: wire type 0 (varint) for numbers and booleans, 2 (length and bytes) for the rest. */
export function tagOf(number: number, kind: Kind): number {
  return (number << 3) | (kind === Kind.Bool || kind === Kind.Int32 || kind === Kind.Int64 ? 0 : 2);
}

function nameField(plan: MutablePlan, field: FieldPlan): void {
  if (plan.byName.has(field.name)) throw new Error(`${plan.schema.name} has two fields named ${field.name}`);
  plan.byName.set(field.name, field);
  for (const alias of field.aliases) plan.byAlias.set(alias, field);
  for (const name of [field.name, ...field.aliases])
    if (!plan.byLowerCase.has(name.toLowerCase())) plan.byLowerCase.set(name.toLowerCase(), field);
}
