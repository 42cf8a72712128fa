import type { KubeObject } from '../../objects/index.ts';
import { adminName } from '../account-store.ts';
import type { Caller } from '../caller.ts';
import { builtInGroupings, builtInRules } from './built-in-policy.ts';
import { compilePolicy, type CompiledPolicy } from './compile-policy.ts';
import type { MatchMode } from './compile-pattern.ts';
import { listAsked, projectOfObject, type Asked, type PolicyState } from './evaluate.ts';
import { explainDecision, explainSomewhere, type Explanation } from './explain.ts';
import { parsePolicy } from './parse-policy.ts';
import { projectLines } from './project-lines.ts';
import { findWhoCan, type WhoCan } from './who-can.ts';

/** What is configured. As long as nothing changes, `policy` is the very same text. */
export interface PolicySettings {
  /** All lines, without the built-in ones. */
  readonly policy: string;
  /** Lines that may have denied something could not be read, so everything is denied: whoever can edit the policy can mend it. */
  readonly policyIncomplete: boolean;
  /** The role that everyone has; empty for none. */
  readonly defaultRole: string;
  readonly matchMode: MatchMode;
}

export interface PolicyOptions {
  /** As it is now: asked on every decision, so that a change counts from the next one on. */
  readonly settings: () => PolicySettings;
  /** The AppProject as it is now, and the very same object as long as it does not change. */
  readonly findProject: (name: string) => KubeObject | undefined;
  /** All AppProjects as they are now: their roles count where no object is named yet. */
  readonly listProjects?: () => Iterable<KubeObject>;
  /** Told of lines that cannot be used, once for each policy and project. */
  readonly report?: (problem: string) => void;
}

/** Who may do what. */
export interface Policy {
  isAllowed(caller: Caller, resource: string, action: string, object: string): boolean;
}

/** A policy that can also say why. */
export interface ExplainedPolicy extends Policy {
  /** Whether the caller may do it to all objects that a pattern stands for, in every project. */
  isAllowedEverywhere(caller: Caller, resource: string, action: string, pattern: string): boolean;
  explain(caller: Caller, resource: string, action: string, object: string): Explanation;
  /** Whether there may be an object that the caller may do it to: before one is named, that is all that can be said. */
  explainSomewhere(caller: Caller, resource: string, action: string): Explanation;
  whoCan(resource: string, action: string, object: string): WhoCan;
}

const UNREADABLE: Explanation = { allowed: false, reason: 'a part of the policy cannot be read, so nothing is allowed', steps: [] };

export function createPolicy(options: PolicyOptions): ExplainedPolicy {
  const { settings, findProject, listProjects = () => [], report = () => undefined } = options;
  let known: PolicySettings | undefined;
  let state: PolicyState | undefined;
  /** Lists ask the same of many objects in a row: who is asked about for a caller need be found out once for each project. */
  let last:
    | undefined
    | { readonly caller: Caller; readonly state: PolicyState; readonly byProject: Map<KubeObject | undefined, readonly Asked[]> };

  /** Undefined while nothing may be allowed. */
  function currentState(): PolicyState | undefined {
    const now = settings();
    if (now.policyIncomplete) return undefined;
    if (state !== undefined && known !== undefined && isSamePolicy(known, now)) return state;
    known = now;
    return (state = createState(now, findProject, report));
  }

  function ask(current: PolicyState, caller: Caller, resource: string, object: string): readonly Asked[] {
    const name = projectOfObject(resource, object);
    const project = name === undefined ? undefined : findProject(name);
    if (last?.caller !== caller || last.state !== current) last = { caller, state: current, byProject: new Map() };
    let asked = last.byProject.get(project);
    if (asked === undefined) last.byProject.set(project, (asked = listAsked(current, caller, project)));
    return asked;
  }

  return {
    isAllowed(caller, resource, action, object) {
      const current = currentState();
      if (current === undefined) return false;
      for (const { rules } of ask(current, caller, resource, object)) if (rules.isAllowed(resource, action, object)) return true;
      return false;
    },
    isAllowedEverywhere(caller, resource, action, pattern) {
      const current = currentState();
      if (current === undefined) return false;
      // Roles of a project may deny what is in it, and a token of one counts in no other.
      return [undefined, ...listProjects()].every((project) =>
        listAsked(current, caller, project).some(({ rules }) => rules.isAllowedEverywhere(resource, action, pattern)),
      );
    },
    explain(caller, resource, action, object) {
      const current = currentState();
      if (current === undefined) return UNREADABLE;
      return explainDecision(ask(current, caller, resource, object), { resource, action, object }, current.defaultRole);
    },
    explainSomewhere(caller, resource, action) {
      const current = currentState();
      if (current === undefined) return UNREADABLE;
      const asked = [undefined, ...listProjects()].flatMap((project) => listAsked(current, caller, project));
      return explainSomewhere(asked, { resource, action }, current.defaultRole);
    },
    whoCan(resource, action, object) {
      const current = currentState();
      return current === undefined ? { everyone: false, subjects: [] } : findWhoCan(current, { resource, action, object });
    },
  };
}

function isSamePolicy(one: PolicySettings, other: PolicySettings): boolean {
  return one === other || (one.policy === other.policy && one.defaultRole === other.defaultRole && one.matchMode === other.matchMode);
}

function createState(
  { policy, defaultRole, matchMode }: PolicySettings,
  findProject: PolicyOptions['findProject'],
  report: (problem: string) => void,
): PolicyState {
  const configured = parsePolicy(policy, 'argocd-rbac-cm');
  const base = compilePolicy({ rules: builtInRules, groupings: builtInGroupings, problems: [] }, 'glob').extend(configured, matchMode);
  for (const problem of base.problems) report(problem);
  const projects = new WeakMap<KubeObject, CompiledPolicy>();
  return {
    base,
    defaultRole,
    namesAdmin:
      configured.rules.some(({ subject }) => subject === adminName) || configured.groupings.some(({ member }) => member === adminName),
    findProject,
    withProject(project) {
      let compiled = projects.get(project);
      if (compiled !== undefined) return compiled;
      const lines = projectLines(project);
      const hasRoles = lines.rules.length > 0;
      compiled = hasRoles ? base.extend(lines, matchMode) : base;
      if (hasRoles) for (const problem of compiled.problems) report(problem);
      projects.set(project, compiled);
      return compiled;
    },
  };
}
