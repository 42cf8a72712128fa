import { LruMap } from '../../base/index.ts';
import type { MatchMode } from './compile-pattern.ts';
import type { PolicyLines } from './parse-policy.ts';
import { compileRules, type Rule } from './rule.ts';
import { RuleSet } from './rule-set.ts';

/** A role of a role of a role…: so many times, and no further. */
const rolesDepthMax = 10;
const subjectsMax = 10_000;

/** Policy lines as an index: policies are few and change seldom, questions are many. */
export interface CompiledPolicy {
  readonly problems: readonly string[];
  /** Everyone who has a rule. */
  readonly subjects: Iterable<string>;
  /** Everyone who has a role. */
  readonly members: Iterable<string>;
  isMember(name: string): boolean;
  rulesOf(subject: string): RuleSet;
  /** This policy with more lines, for as long as it is asked about what they concern. */
  extend(lines: PolicyLines, mode: MatchMode): CompiledPolicy;
}

export function compilePolicy(lines: PolicyLines, mode: MatchMode): CompiledPolicy {
  return compileLayer(lines, mode, undefined);
}

interface Layer {
  rulesBySubject(subject: string): readonly Rule[];
  rolesOf(member: string): readonly string[];
}

const nothing: Layer = { rulesBySubject: () => [], rolesOf: () => [] };

function compileLayer(
  lines: PolicyLines,
  mode: MatchMode,
  below: { readonly layer: Layer; readonly policy: CompiledPolicy } | undefined,
): CompiledPolicy {
  const base = below?.layer ?? nothing;
  const { bySubject, problems } = compileRules(lines.rules, mode);
  const roles = new Map<string, string[]>();
  for (const { member, role } of lines.groupings) {
    const known = roles.get(member);
    if (known === undefined) roles.set(member, [role]);
    else known.push(role);
  }
  const layer: Layer = {
    rulesBySubject: (subject) => join(base.rulesBySubject(subject), bySubject.get(subject)),
    rolesOf: (member) => join(base.rolesOf(member), roles.get(member)),
  };
  const ruleSets = new LruMap<string, RuleSet>(subjectsMax);

  function makeRuleSet(subject: string): RuleSet {
    const names = findRoles(subject, layer);
    // What this layer says nothing about is answered by the one below, with all it has found out already.
    if (below !== undefined && !names.some((name) => bySubject.has(name) || roles.has(name))) return below.policy.rulesOf(subject);
    return new RuleSet(names.flatMap((name) => layer.rulesBySubject(name)));
  }

  const policy: CompiledPolicy = {
    problems: [...lines.problems, ...problems],
    get subjects() {
      return new Set([...(below?.policy.subjects ?? []), ...bySubject.keys()]);
    },
    get members() {
      return new Set([...(below?.policy.members ?? []), ...roles.keys()]);
    },
    isMember: (name) => roles.has(name) || below?.policy.isMember(name) === true,
    rulesOf(subject) {
      let rules = ruleSets.get(subject);
      if (rules === undefined) ruleSets.set(subject, (rules = makeRuleSet(subject)));
      return rules;
    },
    extend: (more, moreMode) => compileLayer(more, moreMode, { layer, policy }),
  };
  return policy;
}

/** The subject itself and every role that it has, directly or through others. Roles may go in circles. */
function findRoles(subject: string, layer: Layer): readonly string[] {
  const found = new Set([subject]);
  let reached: readonly string[] = [subject];
  for (let depth = 0; depth < rolesDepthMax && reached.length > 0; depth += 1) {
    reached = reached.flatMap((name) => layer.rolesOf(name)).filter((name) => !found.has(name));
    for (const name of reached) found.add(name);
  }
  return [...found];
}

function join<Item>(first: readonly Item[], second: readonly Item[] | undefined): readonly Item[] {
  if (second === undefined) return first;
  return first.length === 0 ? second : [...first, ...second];
}
