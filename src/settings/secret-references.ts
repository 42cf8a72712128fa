import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../objects/index.ts';
import { secretText } from './object-data.ts';

/** What `$key` and `$secret:key` stand for. */
export type SecretLookup = (reference: string) => string | undefined;

/** `own` is the data of argocd-secret; `others` are Secrets labelled as part of the installation, by name. */
export function createSecretLookup(
  own: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, ReadonlyMap<string, string>>,
): SecretLookup {
  return (reference) => {
    const direct = own.get(reference);
    if (direct !== undefined) return secretText(direct).trim();
    const colon = reference.indexOf(':');
    const content = colon < 0 ? undefined : others.get(reference.slice(0, colon))?.get(reference.slice(colon + 1));
    return content === undefined ? undefined : secretText(content).trim();
  };
}

/**
 * The secret that a text names with a `$`. A text that names none, or one that is not there, stays as it is; the latter is reported by
 * its place alone, because the text may be a secret that merely starts like a name.
 */
export function resolveText(text: string, lookup: SecretLookup, onMissing: () => void): string {
  if (!text.startsWith('$') || text.length === 1) return text;
  const value = lookup(text.slice(1));
  if (value === undefined) onMissing();
  return value ?? text;
}

/** The same for every text in a value; places are such as `connectors[0].config.clientSecret`. */
export function resolveObject(object: JsonObject, lookup: SecretLookup, onMissing: (at: string) => void): JsonObject {
  const resolve = (value: JsonValue, at: string): JsonValue => {
    if (typeof value === 'string') return resolveText(value, lookup, () => onMissing(at));
    if (isJsonArray(value)) return value.map((item, index) => resolve(item, `${at}[${index}]`));
    return isJsonObject(value) ? resolveFields(value, at) : value;
  };
  const resolveFields = (fields: JsonObject, at: string): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, resolve(value, at === '' ? key : `${at}.${key}`)]));
  return resolveFields(object, '');
}
