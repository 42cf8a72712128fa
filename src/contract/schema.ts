/**
 * The shape of what the generator writes: messages, fields and methods of the contract as plain data.
 * The codec, the REST transport and the OpenAPI document are all driven by these values.
 */

/** Protobuf scalar types that the contract uses. */
export type ScalarType = 'string' | 'bool' | 'int32' | 'int64' | 'bytes';

/**
 * How absence is told apart from emptiness.
 * - `implicit`: an empty value (zero, or an empty message) is the same as absence: neither encoded nor shown.
 * - `explicit`: whatever is set is kept, empty or not.
 * - `required`: like explicit, and always encoded, because stock clients refuse a message that lacks it.
 *
 * Repeated fields and maps are `implicit`.
 */
export type Presence = 'implicit' | 'explicit' | 'required';

export type SingleType = { readonly kind: 'scalar'; readonly scalar: ScalarType } | { readonly kind: 'message'; readonly message: string };

/** What a field holds. A map's keys are always strings. */
export type FieldType = SingleType | { readonly kind: 'map'; readonly value: SingleType };

export interface FieldSchema {
  readonly number: number;
  /** The name in JSON, and in the TypeScript type. */
  readonly name: string;
  readonly type: FieldType;
  readonly repeated: boolean;
  readonly presence: Presence;
  /**
   * What JSON output shows when the field is absent or empty: `no`, nothing; `zero`, its zero value
   * (`""`, `0`, `false`, `[]`, `{}` with the shown fields of that message); `null`, null.
   */
  readonly always: 'no' | 'zero' | 'null';
  /** The Kubernetes schema of the object requires this field, so a stored object has it. */
  readonly required: boolean;
  /** The fields of the embedded message appear directly in the JSON of the outer one. */
  readonly inline: boolean;
  /** The JSON that clients see holds this message as text. */
  readonly text: boolean;
  /** Other JSON names that are accepted on input for the same field. */
  readonly aliases: readonly string[];
}

/** Kubernetes types whose JSON form is not an object with the fields of their message. */
export type SpecialType = 'Time' | 'MicroTime' | 'IntOrString' | 'RawJson';

export interface MessageSchema {
  /** Full protobuf name, for example `account.Account`. */
  readonly name: string;
  /** The name of the generated TypeScript type. */
  readonly typeName: string;
  readonly special?: SpecialType;
  readonly fields: readonly FieldSchema[];
}

export type HttpVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpBinding {
  readonly verb: HttpVerb;
  /** For example `/api/v1/repositories/{repo.repo}` or `/…/{subresource=**}`. */
  readonly path: string;
  /** `*`: the whole request message; a name: that field of it; null: no body. */
  readonly body: string | null;
}

export interface MethodSchema {
  /** Full service name, for example `application.ApplicationService`. */
  readonly service: string;
  readonly name: string;
  /** The gRPC path, for example `/application.ApplicationService/List`. */
  readonly path: string;
  /** Full names of the request and response messages. */
  readonly input: string;
  readonly output: string;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
  readonly http: readonly HttpBinding[];
}
