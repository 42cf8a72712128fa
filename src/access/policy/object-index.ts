import type { Rule } from './rule.ts';

/** The rules on one resource and action, found by the object that they match. */
export interface ObjectIndex {
  /** A rule that allows it, if there is one. */
  findAllow(object: string): Rule | undefined;
  /** A rule that denies it, if there is one. */
  findDeny(object: string): Rule | undefined;
}

type Find = (object: string) => Rule | undefined;

const findNothing: Find = () => undefined;

export function createObjectIndex(rules: readonly Rule[]): ObjectIndex {
  return {
    findAllow: createFind(rules.filter(({ line }) => line.effect === 'allow')),
    findDeny: createFind(rules.filter(({ line }) => line.effect === 'deny')),
  };
}

/**
 * Most rules name one object, or a project and a slash: both are looked up by what they name, so that only rules with a star in front
 * are tried one by one.
 */
function createFind(rules: readonly Rule[]): Find {
  if (rules.length === 0) return findNothing;
  const byObject = new Map<string, Rule>();
  const byProject = new Map<string, Rule[]>();
  const others: Rule[] = [];
  for (const rule of rules) {
    const { exact, prefix } = rule.object;
    const slash = prefix.indexOf('/');
    if (exact !== undefined) byObject.set(exact, byObject.get(exact) ?? rule);
    else if (slash === -1) others.push(rule);
    else addTo(byProject, prefix.slice(0, slash), rule);
  }
  return (object) => {
    for (const rule of others) if (rule.object.matches(object)) return rule;
    const exact = byObject.size === 0 ? undefined : byObject.get(object);
    if (exact !== undefined || byProject.size === 0) return exact;
    const slash = object.indexOf('/');
    const ofProject = slash === -1 ? undefined : byProject.get(object.slice(0, slash));
    return ofProject?.find((rule) => rule.object.matches(object));
  };
}

function addTo(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [rule]);
  else known.push(rule);
}
