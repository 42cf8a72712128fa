import type { FieldSchema, MessageSchema, ScalarType, SingleType, SpecialType } from '../../../src/contract/schema.ts';
import type { Contract } from '../contract.ts';

/** A JSON value of the document under construction. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

const SCALARS: Record<ScalarType, Record<string, Json>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', contentEncoding: 'base64' },
};

const SPECIALS: Record<SpecialType, Record<string, Json>> = {
  Time: { type: ['string', 'null'], format: 'date-time' },
  MicroTime: { type: ['string', 'null'], format: 'date-time' },
  IntOrString: { type: ['integer', 'string'] },
  RawJson: {},
};

/** Writes the JSON schemas of messages, and remembers which ones the document refers to. */
export class Schemas {
  readonly #contract: Contract;
  readonly #messages: ReadonlyMap<string, MessageSchema>;
  readonly #referred = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#messages = new Map(contract.messages.map((message) => [message.name, message]));
  }

  message(name: string): MessageSchema {
    const message = this.#messages.get(name);
    if (!message) throw new Error(`no message named ${name}`);
    return message;
  }

  /** The fields as they appear in JSON, inlined messages replaced by their fields. Each comes with the message that declares it. */
  fields(message: MessageSchema): (readonly [MessageSchema, FieldSchema])[] {
    return message.fields.flatMap((field) => {
      if (field.inline && field.type.kind === 'message') return this.fields(this.message(field.type.message));
      return [[message, field] as const];
    });
  }

  reference(name: string): Json {
    this.#referred.add(name);
    return { $ref: `#/components/schemas/${this.message(name).typeName}` };
  }

  /** An object with the fields of a message, without those that are given elsewhere. */
  object(message: MessageSchema, leftOut: (field: FieldSchema) => boolean = () => false): Record<string, Json> {
    const properties: Record<string, Json> = {};
    const required: string[] = [];
    for (const [owner, field] of this.fields(message)) {
      if (leftOut(field)) continue;
      properties[field.name] = this.property(owner, field);
      if (field.required || field.presence === 'required') required.push(field.name);
    }
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  /** The schema of one field with its description. */
  property(owner: MessageSchema, field: FieldSchema): Json {
    const description = this.describe(owner, field);
    const schema = this.#fieldSchema(field);
    return { ...schema, ...(description && { description }) };
  }

  describe(owner: MessageSchema, field: FieldSchema): string {
    const aliases = field.aliases.map((alias) => `\`${alias}\``).join(' or ');
    const accepted = aliases && `Also accepted as ${aliases}.`;
    return [this.#contract.comments.ofField(owner.name, field.name), accepted].filter((part) => part !== '').join(' ');
  }

  /** The schemas of all messages that were referred to, and of those that they refer to, by type name. */
  components(): Record<string, Json> {
    const written = new Map<string, Json>();
    // A set may grow while it is walked: what a schema refers to is then visited too.
    for (const name of this.#referred) {
      const message = this.message(name);
      const description = this.#contract.comments.ofMessage(name);
      const schema = message.special ? SPECIALS[message.special] : this.object(message);
      written.set(message.typeName, { ...(description && { description }), ...schema });
    }
    return Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #fieldSchema(field: FieldSchema): Record<string, Json> {
    if (field.text) return { type: 'string', contentMediaType: 'application/yaml' };
    if (field.type.kind === 'map') return { type: 'object', additionalProperties: this.#single(field.type.value) };
    const single = this.#single(field.type);
    if (field.repeated) return { type: 'array', items: single };
    const isSpecial = field.type.kind === 'message' && this.message(field.type.message).special !== undefined;
    return field.always === 'null' && !isSpecial ? { anyOf: [single, { type: 'null' }] } : single;
  }

  #single(type: SingleType): Record<string, Json> {
    return type.kind === 'scalar' ? SCALARS[type.scalar] : (this.reference(type.message) as Record<string, Json>);
  }
}
