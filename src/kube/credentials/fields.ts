import { isJsonObject } from '../../objects/index.ts';
import { refuse } from './check-credentials.ts';

/**
 * Reads the fields of a configuration that came from outside. Each problem names the field and never its value. An empty text
 * counts as missing, as Kubernetes' own readers have it.
 */
export interface Fields {
  text(name: string): string | undefined;
  flag(name: string): boolean;
  texts(name: string): readonly string[];
  /** The fields of an object; all missing where it is. */
  object(name: string): Fields;
  objects(name: string): readonly Fields[];
  /** The value as it is. */
  raw(name: string): unknown;
  names(): readonly string[];
}

export function readFields(value: unknown, place: string): Fields {
  if (value !== undefined && value !== null && !isJsonObject(value)) refuse(`${place} is not an object`);
  const raw = (name: string): unknown => (value && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined);
  const at = (name: string): string => `${place}.${name}`;
  const list = (name: string): readonly unknown[] => {
    const found = raw(name) ?? [];
    return Array.isArray(found) ? (found as readonly unknown[]) : refuse(`${at(name)} is not a list`);
  };
  const text = (found: unknown, name: string): string => (typeof found === 'string' ? found : refuse(`${at(name)} is not a text`));
  return {
    text: (name) => (raw(name) === undefined ? undefined : text(raw(name), name) || undefined),
    flag: (name) => {
      const found = raw(name) ?? false;
      return typeof found === 'boolean' ? found : refuse(`${at(name)} is neither true nor false`);
    },
    texts: (name) => list(name).map((item) => text(item, name)),
    object: (name) => readFields(raw(name), at(name)),
    objects: (name) => list(name).map((item, index) => readFields(item, `${at(name)}[${index}]`)),
    raw,
    names: () => Object.keys(value ?? {}),
  };
}
