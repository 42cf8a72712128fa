/** What a line of a role's policy says; its subject is always the role. */
export interface PolicyRow {
  readonly resource: string;
  readonly action: string;
  readonly object: string;
  readonly effect: 'allow' | 'deny';
}

/** Whom the lines of a role are about. */
export interface RoleName {
  readonly project: string;
  readonly role: string;
}

export const RESOURCES: readonly string[] = ['applications', 'applicationsets', 'logs', 'exec', 'repositories', 'clusters'];
export const ACTIONS: readonly string[] = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action/*', '*'];

/** A line as policies are written. */
export function formatPolicy({ resource, action, object, effect }: PolicyRow, { project, role }: RoleName): string {
  return `p, proj:${project}:${role}, ${resource}, ${action}, ${object}, ${effect}`;
}

/** Reads a line. Throws an Error in words for a person where it is none, or is about somebody else. */
export function readPolicy(line: string, name: RoleName): PolicyRow {
  const parts = line.split(',').map((part) => part.trim());
  const [letter, subject, resource = '', action = '', object = '', effect = ''] = parts;
  if (parts.length !== 6 || letter !== 'p') throw new Error('A line reads “p, who, resource, action, object, allow or deny”');
  const wanted = `proj:${name.project}:${name.role}`;
  if (subject !== wanted) throw new Error(`Lines of this role are about “${wanted}”, not “${subject}”`);
  if (effect !== 'allow' && effect !== 'deny') throw new Error(`The last word is “allow” or “deny”, not “${effect}”`);
  const row: PolicyRow = { resource, action, object, effect };
  const fault = findPolicyFault(row, name.project);
  if (fault !== undefined) throw new Error(fault);
  return row;
}

/** What the server would refuse; undefined where nothing is wrong. */
export function findPolicyFault({ resource, action, object }: PolicyRow, project: string): string | undefined {
  if (!RESOURCES.includes(resource)) return `A role of a project can be about ${RESOURCES.join(', ')}, not “${resource}”`;
  const isNarrow = /^(?:action|update|delete)\/./.test(action);
  if (!isNarrow && !ACTIONS.includes(action)) return `“${action}” is no action: choose one, or write action/group/kind/name`;
  if ([action, object].some((text) => /[,\n\r]/.test(text))) return 'There can be no comma in an action or an object';
  const [first, ...rest] = object.split('/');
  if (first !== project || rest.length === 0 || rest.includes('')) return `Objects begin with the project: ${project}/* or ${project}/name`;
  return undefined;
}

/** What is wrong with a text of several lines, each with its number. */
export function findTextFaults(text: string, name: RoleName): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      readPolicy(line, name);
      return [];
    } catch (error) {
      return [`Line ${index + 1}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** The rows of a text; undefined where a line cannot be shown as one. */
export function readRows(lines: readonly string[], name: RoleName): readonly PolicyRow[] | undefined {
  try {
    return lines.filter((line) => line.trim() !== '').map((line) => readPolicy(line, name));
  } catch {
    // The text says what is wrong with it.
    return undefined;
  }
}

/** A role's name as the server wants it. */
export function findNameFault(name: string, others: readonly string[]): string | undefined {
  if (others.includes(name)) return `There is a role ${name} already`;
  return /^[a-zA-Z0-9]([-_a-zA-Z0-9]*[a-zA-Z0-9])?$/.test(name)
    ? undefined
    : 'Letters, digits, “-” and “_”, with a letter or digit at both ends';
}
