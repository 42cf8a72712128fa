import { Buffer, isUtf8 } from 'node:buffer';
import { ApiError, Code } from '../../base/index.ts';
import { JSON_DEPTH_MAX } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { locateJsonProblem } from './locate-json-problem.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * The value of a JSON body. Stricter than `JSON.parse` where leniency would hide a mistake or an attack: the bytes must be
 * UTF-8, no object may name a key twice, and nesting is limited. Every refusal says the line and column.
 */
export function parseJsonText(bytes: Uint8Array): unknown {
  const text = decodeText(bytes, 'the body');
  const keys = countKeys(bytes, text);
  const value = parseOrLocate(text);
  // Twice the same key leaves fewer keys in the value than in the text; only then is the text searched for the place.
  if (countKeysOf(value) !== keys) refuse(text);
  return value;
}

/** The value of JSON text inside a message. Keys may repeat there: it is stored by others, and the last one counts. */
export function parseFreeJson(bytes: Uint8Array): JsonValue {
  const text = decodeText(bytes, 'JSON text');
  // A shorter text cannot be nested too deeply: each level takes an opening and a closing mark.
  if (bytes.length > 2 * JSON_DEPTH_MAX) countKeys(bytes, text);
  return parseOrLocate(text) as JsonValue;
}

function decodeText(bytes: Uint8Array, name: string): string {
  if (!isUtf8(bytes)) throw new ApiError(Code.InvalidArgument, `${name} is not valid UTF-8`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function parseOrLocate(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuse(text);
  }
}

function refuse(text: string): never {
  throw new ApiError(Code.InvalidArgument, `malformed JSON: ${locateJsonProblem(text) ?? 'it cannot be read'}`);
}

/**
 * The number of keys in all objects of a text; refuses what is nested too deeply, before anything recursive sees it. Looks
 * at the bytes because that is quicker, and all marks of JSON are single bytes in UTF-8.
 */
function countKeys(bytes: Uint8Array, text: string): number {
  let keys = 0;
  let depth = 0;
  const length = bytes.length;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at++;
      for (let inside = bytes[at]; inside !== QUOTE && at < length; inside = bytes[at]) at += inside === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      keys++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) refuse(text);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    }
  }
  return keys;
}

function countKeysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === 'object') count += countKeysOf(item);
    }
    return count;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    count++;
    const item = object[key];
    if (typeof item === 'object') count += countKeysOf(item);
  }
  return count;
}
