import { ApiError } from '../../base/index.ts';
import type { MessageSchema } from '../schema.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { messageFromJson } from './from-json.ts';
import type { JsonObject } from './json-value.ts';
import { planMessage } from './plan.ts';
import type { MessagePlan } from './plan.ts';
import { messageToJson } from './to-json.ts';

/** One message in its forms: the plain JSON that Fairway works with, protobuf bytes, and JSON from and for clients. */
export interface MessageCodec {
  readonly schema: MessageSchema;
  /** Throws an ApiError `Internal` naming the place if the value does not fit the message. */
  encode(value: JsonObject): Uint8Array;
  /** Throws an ApiError `InvalidArgument` if the bytes are truncated, too deeply nested or otherwise not this message. */
  decode(bytes: Uint8Array): JsonObject;
  /** A parsed JSON body to a checked message; throws an ApiError `InvalidArgument` naming the place. */
  fromJson(value: unknown): JsonObject;
  /** What `JSON.stringify` is given for a client. */
  toJson(value: JsonObject): JsonObject;
}

const codecs = new Map<string, MessageCodec>();

/** The codec of a message by its full name, for example `account.Account`. Made on first use and kept. */
export function messageCodec(name: string): MessageCodec {
  let codec = codecs.get(name);
  if (!codec) {
    codec = createCodec(planMessage(name));
    codecs.set(name, codec);
  }
  return codec;
}

// The casts to JsonObject are untrue for the special messages only (a time is a string); no method sends those alone.
function createCodec(plan: MessagePlan): MessageCodec {
  return {
    schema: plan.schema,
    encode(value) {
      try {
        return encodeMessage(plan, value);
      } catch (error) {
        throw explainEncoding(plan, value, error);
      }
    },
    decode(bytes) {
      try {
        return decodeMessage(plan, bytes) as JsonObject;
      } catch (error) {
        if (error instanceof ApiError)
          throw new ApiError(error.code, `cannot decode ${plan.schema.name}: ${error.message}`, { cause: error });
        throw error;
      }
    },
    fromJson: (value) => messageFromJson(plan, value) as JsonObject,
    toJson: (value) => messageToJson(plan, value) as JsonObject,
  };
}

/** The encoder keeps no account of where it is; the reading of JSON does, and refuses the same values. */
function explainEncoding(plan: MessagePlan, value: JsonObject, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  let problem = error.message;
  try {
    messageFromJson(plan, value);
  } catch (explained) {
    if (explained instanceof ApiError) problem = explained.message;
  }
  return new ApiError(error.code, `cannot encode ${plan.schema.name}: ${problem}`, { cause: error });
}
