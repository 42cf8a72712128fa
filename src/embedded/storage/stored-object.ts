import type { JsonObject, JsonValue } from '../../objects/index.ts';

/** One place among the stored objects. The resource is the id under which the store knows a group and plural. */
export interface ObjectKey {
  readonly resource: number;
  /** Empty for what is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
}

/** The texts of objects that were read from the store or written to it, so that nobody has to encode them again. */
const texts = new WeakMap<JsonObject, StoredObject>();

/** Between the two texts of a body; compact JSON has no line break. */
const SEPARATOR = '\n';
const METADATA = '"metadata":{';

/**
 * One state of an object, as text; decoded when it is first looked at, once for all who look. The owners of its fields
 * (`metadata.managedFields`) are a text of their own: they are often longer than the rest, and only writers need them.
 */
export class StoredObject {
  readonly version: number;
  /** Without the owners. Nothing but texts stands before the metadata. */
  readonly text: string;
  /** Empty where there are none. */
  readonly ownersText: string;
  #lean: JsonObject | undefined;
  /** As they were worked out by the write, which no caller holds: what was read of them once is not read again. */
  #owners: JsonValue | undefined;
  #object: JsonObject | undefined;

  constructor(version: number, text: string, ownersText: string) {
    this.version = version;
    this.text = text;
    this.ownersText = ownersText;
  }

  /** From what the database holds. */
  static fromBody(version: number, body: string): StoredObject {
    const at = body.indexOf(SEPARATOR);
    if (at >= 0) return new StoredObject(version, body.slice(0, at), body.slice(at + 1));
    // Without owners, or written when they still stood within the object.
    return body.includes('"managedFields":')
      ? StoredObject.of(version, JSON.parse(body) as JsonObject)
      : new StoredObject(version, body, '');
  }

  static of(version: number, object: JsonObject): StoredObject {
    const { apiVersion, kind, metadata, ...content } = object;
    const { managedFields, ...kept } = metadata as JsonObject;
    const head = { ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }) };
    const text = JSON.stringify({ ...head, metadata: kept, ...content });
    const state = new StoredObject(version, text, managedFields === undefined ? '' : JSON.stringify(managedFields));
    state.#owners = managedFields;
    return state;
  }

  /** What the database holds. */
  get body(): string {
    return this.ownersText === '' ? this.text : this.text + SEPARATOR + this.ownersText;
  }

  /** Characters of both texts. */
  get size(): number {
    return this.text.length + this.ownersText.length;
  }

  /** Without the owners of its fields. */
  get lean(): JsonObject {
    if (this.#lean === undefined) {
      this.#lean = JSON.parse(this.text) as JsonObject;
      // The text of one that lacks its owners is asked for by nobody, and to remember it costs as much as to parse it.
      if (this.ownersText === '') texts.set(this.#lean, this);
    }
    return this.#lean;
  }

  /** The whole object. */
  get object(): JsonObject {
    if (this.ownersText === '') return this.lean;
    if (this.#object === undefined) {
      const metadata = {
        ...(this.lean['metadata'] as JsonObject),
        managedFields: this.#owners ?? (JSON.parse(this.ownersText) as JsonValue),
      };
      this.#object = { ...this.lean, metadata };
      texts.set(this.#object, this);
    }
    return this.#object;
  }

  /** The whole object as compact JSON. */
  get fullText(): string {
    if (this.ownersText === '') return this.text;
    const at = this.text.indexOf(METADATA) + METADATA.length;
    const comma = this.text[at] === '}' ? '' : ',';
    return `${this.text.slice(0, at)}"managedFields":${this.ownersText}${comma}${this.text.slice(at)}`;
  }
}

/** Says that this is the object of a state. */
export function rememberText(object: JsonObject, state: StoredObject): void {
  texts.set(object, state);
}

/** The object as compact JSON, without encoding it where the store has the text already. */
export function jsonText(object: JsonObject): string {
  return texts.get(object)?.fullText ?? JSON.stringify(object);
}

/** The object without the owners of its fields. */
export function withoutOwners(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject | undefined;
  if (metadata?.['managedFields'] === undefined) return object;
  const { managedFields: _owners, ...kept } = metadata;
  return { ...object, metadata: kept };
}
