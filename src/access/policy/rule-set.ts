import { LruMap } from '../../base/index.ts';
import { createObjectIndex, type ObjectIndex } from './object-index.ts';
import type { Rule } from './rule.ts';

const indexesMax = 512;

/** What decided, and how. Without a rule, nothing allowed it. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: Rule | undefined;
}

/** All rules that apply to a subject, its own and those of its roles. */
export class RuleSet {
  readonly #rules: readonly Rule[];
  readonly #byResource = new Map<string, LruMap<string, ObjectIndex>>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** Allowed where a rule allows it and none denies it. */
  isAllowed(resource: string, action: string, object: string): boolean {
    if (this.#rules.length === 0) return false;
    const index = this.#find(resource, action);
    return index.findAllow(object) !== undefined && index.findDeny(object) === undefined;
  }

  /** Allowed to all objects that a pattern stands for: a rule allows the pattern, and none takes any of them out. */
  isAllowedEverywhere(resource: string, action: string, pattern: string): boolean {
    const index = this.#find(resource, action);
    return index.findAllow(pattern) !== undefined && !index.hasDenials;
  }

  decide(resource: string, action: string, object: string): Decision {
    const index = this.#find(resource, action);
    const [allow, deny] = [index.findAllow(object), index.findDeny(object)];
    return { allowed: allow !== undefined && deny === undefined, rule: deny ?? allow };
  }

  /** A rule that allows it to some object, and that no other takes back as a whole. */
  findSomewhere(resource: string, action: string): Rule | undefined {
    const rules = this.#rules.filter((rule) => rule.resource.matches(resource) && rule.action.matches(action));
    const denials = rules.filter(({ line }) => line.effect === 'deny');
    return rules.find(({ line }) => line.effect === 'allow' && !denials.some(({ object }) => object.matches(line.object)));
  }

  /** Resources are those of the API, actions may be any text of a caller: so there is a bound on the latter. */
  #find(resource: string, action: string): ObjectIndex {
    let byAction = this.#byResource.get(resource);
    if (byAction === undefined) this.#byResource.set(resource, (byAction = new LruMap(indexesMax)));
    let index = byAction.get(action);
    if (index === undefined) {
      const rules = this.#rules.filter((rule) => rule.resource.matches(resource) && rule.action.matches(action));
      byAction.set(action, (index = createObjectIndex(rules)));
    }
    return index;
  }
}
