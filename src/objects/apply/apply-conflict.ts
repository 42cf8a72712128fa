import { StatusError } from '../status-error.ts';
import type { StatusDetails } from '../status-error.ts';
import { compareStrings } from './compare-json.ts';
import { listFields } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { ownerIdentifier } from './managed-fields.ts';
import type { Owner } from './managed-fields.ts';
import { printPath } from './path-element.ts';
import type { FieldPath } from './path-element.ts';

/** Fields that another owner holds with other values. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** An apply that needs `force` to go on, as the API server refuses it. */
export class ApplyConflict extends StatusError {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    const sorted = conflicts.toSorted((left, right) => compareStrings(ownerIdentifier(left.owner), ownerIdentifier(right.owner)));
    const found = sorted.flatMap(({ owner, fields }) => [...listFields(fields)].map((path) => ({ owner, path })));
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: printConflicts(found),
      reason: 'Conflict',
      details: { causes: found.map(conflictCause) },
      code: 409,
    });
    this.name = 'ApplyConflict';
    this.conflicts = sorted;
  }
}

interface FieldConflict {
  readonly owner: Owner;
  readonly path: FieldPath;
}

function conflictCause({ owner, path }: FieldConflict): NonNullable<StatusDetails['causes']>[number] {
  return { reason: 'FieldManagerConflict', message: `conflict with ${printOwner(owner)}`, field: printPath(path) };
}

function printConflicts(conflicts: readonly FieldConflict[]): string {
  const [only] = conflicts;
  if (conflicts.length === 1 && only !== undefined)
    return `Apply failed with 1 conflict: conflict with ${printOwner(only.owner)}: ${printPath(only.path)}`;
  const lines: string[] = [];
  let last: Owner | undefined;
  for (const { owner, path } of conflicts) {
    if (owner !== last) lines.push(`conflicts with ${printOwner(owner)}:`);
    lines.push(`- ${printPath(path)}`);
    last = owner;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function printOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
