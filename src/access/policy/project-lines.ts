import { readProject } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { parsePolicy, splitPolicyFields, type GroupingLine, type PolicyLines, type RuleLine } from './parse-policy.ts';

/** What a project's roles add to the policy while somebody asks about its objects. */
export function projectLines(object: KubeObject): PolicyLines {
  const { metadata, spec } = readProject(object);
  const name = metadata.name ?? '';
  const rules: RuleLine[] = [];
  const groupings: GroupingLine[] = [];
  const problems: string[] = [];
  for (const { name: role, policies = [], groups = [] } of spec.roles ?? []) {
    const subject = `proj:${name}:${role}`;
    const origin = `project ${name}` as const;
    rules.push({ subject, resource: 'projects', action: 'get', object: name, effect: 'allow', origin });
    const parsed = parsePolicy(policies.join('\n'), origin);
    problems.push(...parsed.problems);
    for (const line of parsed.rules) {
      // A line for somebody else would let whoever edits a project decide about everyone.
      if (line.subject === subject) rules.push(line);
      else problems.push(`a role of project ${name} speaks for ${line.subject}`);
    }
    groupings.push(...groups.map((group) => ({ member: memberOf(group), role: subject })));
  }
  return { rules, groupings, problems };
}

/** Whom a group of a role means. One with a comma is in quotes, as in a line of a policy; the provider names it without. */
export function memberOf(group: string): string {
  const [only, ...more] = splitPolicyFields(group) ?? [];
  return only === undefined || more.length > 0 ? group : only;
}
