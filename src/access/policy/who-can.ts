import { projectOfObject, type PolicyState } from './evaluate.ts';
import type { Deed } from './explain.ts';
import { formatRule, type PolicyOrigin } from './parse-policy.ts';

export interface AllowedSubject {
  /** An account, a user or a group of a provider, a role, or a role of a project. */
  readonly subject: string;
  readonly line: string;
  readonly origin: PolicyOrigin;
}

export interface WhoCan {
  /** Whether the default role allows it. */
  readonly everyone: boolean;
  /** All whom the policy names and allows it, by name. */
  readonly subjects: readonly AllowedSubject[];
}

export function findWhoCan(state: PolicyState, { resource, action, object }: Deed): WhoCan {
  const name = projectOfObject(resource, object);
  const project = name === undefined ? undefined : state.findProject(name);
  const policy = project === undefined ? state.base : state.withProject(project);
  const names = [...new Set([...policy.subjects, ...policy.members])].sort();
  const subjects = names.flatMap((subject): AllowedSubject[] => {
    const { allowed, rule } = policy.rulesOf(subject).decide(resource, action, object);
    return allowed && rule !== undefined ? [{ subject, line: formatRule(rule.line), origin: rule.line.origin }] : [];
  });
  const everyone = state.defaultRole !== '' && policy.rulesOf(state.defaultRole).isAllowed(resource, action, object);
  return { everyone, subjects };
}
