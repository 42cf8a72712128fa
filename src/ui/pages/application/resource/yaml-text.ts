import { stringify } from 'yaml';

/** JSON text as YAML, without what only the server's own bookkeeping needs. */
export function toYaml(json: string | undefined, { withOwners = false }: { readonly withOwners?: boolean } = {}): string {
  if (json === undefined || json === '' || json === 'null') return '';
  const value = JSON.parse(json) as { metadata?: { managedFields?: unknown } };
  if (!withOwners && value.metadata !== undefined) delete value.metadata.managedFields;
  return yamlOf(value);
}

export function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
