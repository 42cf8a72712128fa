import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';
import { isNotFound, ProviderError } from './http/provider-error.ts';

/** What stands at a place of an answer; undefined where there is nothing. */
export function valueAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const name of path) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** The text at a place; undefined where there is none, or where it is empty. */
export function textAt(value: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  const at = valueAt(value, ...path);
  return typeof at === 'string' && at !== '' ? at : undefined;
}

/** The text that every such answer has: without it, the answer is none, and what it lists cannot be relied on. */
export function requireText(value: JsonValue | undefined, ...path: readonly string[]): string {
  const text = textAt(value, ...path);
  if (text === undefined) throw unexpected(`${path.join('.')} is missing`);
  return text;
}

export function requireInteger(value: JsonValue | undefined, ...path: readonly string[]): number {
  const at = valueAt(value, ...path);
  if (typeof at !== 'number' || !Number.isSafeInteger(at)) throw unexpected(`${path.join('.') || 'the number'} is missing`);
  return at;
}

export function requireList(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] {
  const at = valueAt(value, ...path);
  if (!isJsonArray(at)) throw unexpected(`${path.join('.') || 'it'} is not a list`);
  return at;
}

export function requireObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw unexpected('it is not an object');
  return value;
}

/** The texts of a list; what is not a text is left out. */
export function textsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly string[] {
  const at = valueAt(value, ...path);
  return isJsonArray(at) ? at.filter((item) => typeof item === 'string') : [];
}

/**
 * Whether something is there: true where the answer describes it, false where the provider says that it is not found. An answer that
 * says neither is none.
 */
export async function isThere(
  ask: () => Promise<JsonValue | undefined>,
  describes: (json: JsonValue | undefined) => boolean,
): Promise<boolean> {
  try {
    if (describes(await ask())) return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
  throw unexpected('it does not say whether a path is there');
}

export function unexpected(what: string): ProviderError {
  return new ProviderError(`the provider answers otherwise than documented: ${what}`, { status: 200 });
}
