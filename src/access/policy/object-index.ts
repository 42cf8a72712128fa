import type { Rule } from './rule.ts';

/** The rules on one resource and action, found by the object that they match. */
export interface ObjectIndex {
  /** A rule that allows it, if there is one. */
  findAllow(object: string): Rule | undefined;
  /** A rule that denies it, if there is one. */
  findDeny(object: string): Rule | undefined;
  /** Whether it is denied to any object. */
  readonly hasDenials: boolean;
}

type Find = (object: string) => Rule | undefined;

const findNothing: Find = () => undefined;

export function createObjectIndex(rules: readonly Rule[]): ObjectIndex {
  const denials = rules.filter(({ line }) => line.effect === 'deny');
  return {
    findAllow: createFind(rules.filter(({ line }) => line.effect === 'allow')),
    findDeny: createFind(denials),
    hasDenials: denials.length > 0,
  };
}

/**
 * Rules that name one object are looked up by it, the others by what every object begins with that they match: only those that begin with
 * a star are tried for every object.
 */
function createFind(rules: readonly Rule[]): Find {
  if (rules.length === 0) return findNothing;
  const byObject = new Map<string, Rule>();
  const byLength = new Map<number, Map<string, Rule[]>>();
  for (const rule of rules) {
    const { exact, prefix } = rule.object;
    if (exact === undefined) addTo(byLength, prefix, rule);
    else byObject.set(exact, byObject.get(exact) ?? rule);
  }
  // Those with the shortest are the ones that match most.
  const prefixes = [...byLength].sort(([one], [other]) => one - other);
  return (object) => {
    const exact = byObject.size === 0 ? undefined : byObject.get(object);
    if (exact !== undefined) return exact;
    for (const [length, byPrefix] of prefixes) {
      if (length > object.length) return undefined;
      const found = byPrefix.get(length === object.length ? object : object.slice(0, length));
      if (found !== undefined) for (const rule of found) if (rule.object.matches(object)) return rule;
    }
    return undefined;
  };
}

function addTo(byLength: Map<number, Map<string, Rule[]>>, prefix: string, rule: Rule): void {
  let byPrefix = byLength.get(prefix.length);
  if (byPrefix === undefined) byLength.set(prefix.length, (byPrefix = new Map<string, Rule[]>()));
  const known = byPrefix.get(prefix);
  if (known === undefined) byPrefix.set(prefix, [rule]);
  else known.push(rule);
}
