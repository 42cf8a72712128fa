import { formatValue, GoList, GoMap, type GoAny } from '../../../template/index.ts';

/**
 * Nested values under flat keys, `a.b.0.c`, as texts. Maps and lists that are empty are gone. A list whose type says what it holds is one
 * text, such as `[a b]`.
 */
export function flatten({ entries }: GoMap): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of entries) put(flat, key, value);
  return flat;
}

function put(flat: Map<string, string>, path: string, value: GoAny): void {
  if (value instanceof GoMap) for (const [key, item] of value.entries) put(flat, `${path}.${key}`, item);
  else if (value instanceof GoList && value.element === 'interface {}')
    for (const [index, item] of value.items.entries()) put(flat, `${path}.${index}`, item);
  else flat.set(path, formatText(value));
}

/** A value as Go prints it; nothing is `<nil>`. */
export function formatText(value: GoAny): string {
  return value === null ? '<nil>' : formatValue(value);
}
