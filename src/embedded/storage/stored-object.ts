import type { JsonObject } from '../../objects/index.ts';

/** One place among the stored objects. The resource is the id under which the store knows a group and plural. */
export interface ObjectKey {
  readonly resource: number;
  /** Empty for what is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
}

/** The texts of objects that were read from the store or written to it, so that nobody has to encode them again. */
const texts = new WeakMap<JsonObject, string>();

/** One state of an object, as text; decoded when it is first looked at, once for all who look. */
export class StoredObject {
  readonly version: number;
  readonly text: string;
  #object: JsonObject | undefined;

  constructor(version: number, text: string) {
    this.version = version;
    this.text = text;
  }

  get object(): JsonObject {
    if (this.#object === undefined) {
      this.#object = JSON.parse(this.text) as JsonObject;
      texts.set(this.#object, this.text);
    }
    return this.#object;
  }
}

export function rememberText(object: JsonObject, text: string): void {
  texts.set(object, text);
}

/** The object as compact JSON, without encoding it where the store has the text already. */
export function jsonText(object: JsonObject): string {
  return texts.get(object) ?? JSON.stringify(object);
}
