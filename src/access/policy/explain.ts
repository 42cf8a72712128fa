import type { Asked } from './evaluate.ts';
import { formatRule, type PolicyOrigin } from './parse-policy.ts';
import type { RuleSet } from './rule-set.ts';

/** What somebody wants to do to what. */
export interface Deed {
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

/** What the policy says to one of those who are asked about on behalf of a caller. */
export interface ExplainedStep {
  /** The caller, the default role or a group. */
  readonly subject: string;
  readonly isDefaultRole: boolean;
  readonly allowed: boolean;
  /** The line that decided; undefined where none matches. */
  readonly line?: string;
  readonly origin?: PolicyOrigin;
}

export interface Explanation {
  readonly allowed: boolean;
  /** In words. */
  readonly reason: string;
  /** In the order in which they are asked; the last one decided. */
  readonly steps: readonly ExplainedStep[];
}

export function explainDecision(asked: readonly Asked[], { resource, action, object }: Deed, defaultRole: string): Explanation {
  const steps: ExplainedStep[] = [];
  for (const { subject, rules } of asked) {
    const { allowed, rule } = rules.decide(resource, action, object);
    const decided = rule && { line: formatRule(rule.line), origin: rule.line.origin };
    steps.push({ subject, isDefaultRole: subject === defaultRole, allowed, ...decided });
    if (allowed) break;
  }
  return { allowed: steps.at(-1)?.allowed ?? false, reason: formatReason(steps), steps };
}

/** The same before an object is named: the first line that allows it to some. */
export function explainSomewhere(asked: Iterable<Asked>, { resource, action }: Omit<Deed, 'object'>, defaultRole: string): Explanation {
  // Most projects add nothing for a caller, so that the same rules come up for each of them.
  const seen = new Set<RuleSet>();
  for (const { subject, rules } of asked) {
    const rule = seen.has(rules) ? undefined : rules.findSomewhere(resource, action);
    seen.add(rules);
    if (rule === undefined) continue;
    const step = { subject, isDefaultRole: subject === defaultRole, allowed: true, line: formatRule(rule.line), origin: rule.line.origin };
    return { allowed: true, reason: formatReason([step]), steps: [step] };
  }
  return { allowed: false, reason: formatReason([]), steps: [] };
}

function formatReason(steps: readonly ExplainedStep[]): string {
  const last = steps.at(-1);
  if (last?.allowed) return `${last.subject} is allowed by: ${last.line} (${last.origin})`;
  const denied = steps.filter(({ line }) => line !== undefined);
  if (denied.length === 0) return 'no line allows it';
  return denied.map(({ subject, line, origin }) => `${subject} is denied by: ${line} (${origin})`).join('; ');
}
