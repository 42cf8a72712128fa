import { isRecord } from '../../api/index.ts';

const NAMED_MAX = 3;

/** What differs, as `spec.source.targetRevision`: the first few fields by name, in one line. Empty where nothing does. */
export function nameChanges(before: unknown, after: unknown): string {
  const fields = changedFields(before, after);
  const named = fields.slice(0, NAMED_MAX).join(', ');
  return fields.length > NAMED_MAX ? `${named} and ${fields.length - NAMED_MAX} more` : named;
}

function changedFields(before: unknown, after: unknown, path = ''): readonly string[] {
  if (!isRecord(before) || !isRecord(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedFields(before[key], after[key], path === '' ? key : `${path}.${key}`));
}
