/** Where a line stands, for people who want to change it. */
export type PolicyOrigin = 'built-in' | 'argocd-rbac-cm' | `project ${string}`;

export interface RuleLine {
  readonly subject: string;
  readonly resource: string;
  readonly action: string;
  readonly object: string;
  readonly effect: 'allow' | 'deny';
  readonly origin: PolicyOrigin;
}

export interface GroupingLine {
  readonly member: string;
  readonly role: string;
}

export interface PolicyLines {
  readonly rules: readonly RuleLine[];
  readonly groupings: readonly GroupingLine[];
  /** Lines that say nothing we could act on; they are left out. */
  readonly problems: readonly string[];
}

/** Reads policy lines: `p, subject, resource, action, object, allow|deny` and `g, member, role`. */
export function parsePolicy(text: string, origin: PolicyOrigin): PolicyLines {
  const rules: RuleLine[] = [];
  const groupings: GroupingLine[] = [];
  const problems: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [type, ...fields] = splitPolicyFields(trimmed) ?? [];
    if (type === 'p' && fields.length === 5) {
      const [subject = '', resource = '', action = '', object = '', effect = ''] = fields;
      if (effect === 'allow' || effect === 'deny') rules.push({ subject, resource, action, object, effect, origin });
      else problems.push(`the effect is neither allow nor deny: ${trimmed}`);
    } else if (type === 'g' && fields.length === 2) {
      const [member = '', role = ''] = fields;
      groupings.push({ member, role });
    } else {
      problems.push(`invalid RBAC policy: ${trimmed}`);
    }
  }
  return { rules, groupings, problems };
}

/** Fields between commas, some in double quotes; undefined when a quote is not closed or stands in the middle. */
export function splitPolicyFields(line: string): string[] | undefined {
  const fields: string[] = [];
  // Spaces in front are looked for only before a quote: elsewhere they are a part of the field too, and there would be as many ways to
  // read them as there are spaces.
  const field = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;
  for (;;) {
    const match = field.exec(line);
    if (match === null) return undefined;
    fields.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
    if (match[3] === '') return fields;
  }
}

/** A rule as it is written in a policy. */
export function formatRule({ subject, resource, action, object, effect }: RuleLine): string {
  return ['p', subject, resource, action, object, effect].map(quoteField).join(', ');
}

function quoteField(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
