/**
 * JSON text with sorted keys: equal for equal values, whatever the order of their keys and the prototypes of their objects,
 * and with keys such as `__proto__` that deep comparison passes over.
 */
export function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  const object = value as Record<string, unknown>;
  const parts = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(object[key])}`);
  return `{${parts.join(',')}}`;
}
