/** Encoded forms of one response, kept by whoever made it. */
export interface EncodedForms {
  readonly protobuf?: Uint8Array;
  /** JSON text. */
  readonly json?: string;
  /** JSON text as bytes: for large answers, which are sent sooner than a text that has to be encoded. */
  readonly jsonBytes?: Uint8Array;
}

const forms = new WeakMap<object, EncodedForms>();

/**
 * Lets a response carry bytes that are already encoded: the transports send them as they are instead of encoding
 * `value`, which must be what they stand for. The value must not change afterwards.
 */
export function attachEncoded<Value extends object>(value: Value, encoded: EncodedForms): Value {
  forms.set(value, encoded);
  return value;
}

export function findEncoded(value: object): EncodedForms | undefined {
  return forms.get(value);
}
