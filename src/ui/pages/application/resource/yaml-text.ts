import { stringify } from 'yaml';

/** JSON text as YAML, without what only the server's own bookkeeping needs. What somebody wants comes before what became of it. */
export function toYaml(json: string | undefined, { withOwners = false }: { readonly withOwners?: boolean } = {}): string {
  if (json === undefined || json === '' || json === 'null') return '';
  const { status, ...value } = JSON.parse(json) as { metadata?: { managedFields?: unknown }; status?: unknown };
  if (!withOwners && value.metadata !== undefined) delete value.metadata.managedFields;
  return yamlOf(status === undefined ? value : { ...value, status });
}

export function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
