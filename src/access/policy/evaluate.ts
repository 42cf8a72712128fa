import type { KubeObject } from '../../objects/index.ts';
import { adminName } from '../account-store.ts';
import { isProjectSubject, type Caller } from '../caller.ts';
import { localIssuer } from '../session-token.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { RuleSet } from './rule-set.ts';

/** In force at one moment. */
export interface PolicyState {
  readonly base: CompiledPolicy;
  readonly defaultRole: string;
  /** Whether the configured lines themselves say something of `admin`, who is otherwise the account of that name alone. */
  readonly namesAdmin: boolean;
  findProject(name: string): KubeObject | undefined;
  /** The policy with what a project's roles add. */
  withProject(project: KubeObject): CompiledPolicy;
}

/** Who is asked about on behalf of a caller, in which order; the first that is allowed decides. */
export interface Asked {
  readonly subject: string;
  readonly rules: RuleSet;
}

const noRules = new RuleSet([]);

const projectResources: ReadonlySet<string> = new Set(['applications', 'applicationsets', 'repositories', 'clusters', 'logs', 'exec']);

/** The project that an object is of, by its first part; undefined for objects of no project. */
export function projectOfObject(resource: string, object: string): string | undefined {
  if (resource === 'projects') return object;
  if (!projectResources.has(resource)) return undefined;
  const slash = object.indexOf('/');
  return slash === -1 ? undefined : object.slice(0, slash);
}

/**
 * The default role comes first, then the caller, then each of their groups that has a role: what one of them may do is allowed, whatever
 * is denied to another. A token of a project counts only in its project.
 */
export function listAsked(state: PolicyState, caller: Caller, project: KubeObject | undefined): readonly Asked[] {
  const { base, defaultRole } = state;
  const policy = project === undefined ? base : state.withProject(project);
  const subject = caller.subject ?? caller.username;
  const isRole = isProjectSubject(subject);
  const isStranger = isRole && project !== undefined && subject.split(':')[1] !== project.metadata.name;
  // Tokens of projects, and the account `admin`, are ours alone: who has such a name at a provider is not one.
  const isOurs = (name: string): boolean => isProjectSubject(name) || (name === adminName && !state.namesAdmin);
  const isImpostor = isOurs(subject) && caller.issuer !== localIssuer;
  const own = subject === '' || isImpostor ? [] : [subject];
  const groups = isRole ? [] : caller.groups.filter((group) => policy.isMember(group) && !isOurs(group));
  // Where it does not count it has no rules, and is asked about all the same: that it is left out would tell that there is such a project.
  const rulesOf = (name: string): RuleSet => (isStranger ? noRules : policy.rulesOf(name));
  const asked = [...own, ...groups].map((name) => ({ subject: name, rules: rulesOf(name) }));
  if (defaultRole === '') return asked;
  // What everyone may do anyway, a project cannot take away; but a group of one of its roles may have the name of the default role.
  return [base, policy].map((one) => ({ subject: defaultRole, rules: one.rulesOf(defaultRole) })).concat(asked);
}
