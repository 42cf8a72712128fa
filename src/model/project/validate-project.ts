import { ApiError, Code } from '../../base/index.ts';
import type { AppProject, ProjectRole } from '../../contract/index.ts';
import { checkSyncWindows } from './check-sync-windows.ts';
import { expressionOf, isQuickExpression } from './namespace-expression.ts';

const ROLE_NAME = /^[a-zA-Z0-9]([-_a-zA-Z0-9]*[a-zA-Z0-9])?$/;
const ACTIONS: readonly string[] = ['get', 'create', 'update', 'delete', 'sync', 'override', '*'];
const RESOURCES: readonly string[] = ['applications', 'applicationsets', 'repositories', 'exec', 'logs', 'clusters'];

/** Which part of a policy line names the objects. */
const OBJECT = 4;

/** Throws ApiError in the words of the API where a project could not work as it says. */
export function validateProject({ metadata, spec }: AppProject): void {
  checkDestinations(spec);
  checkNamespaces(spec);
  checkSources(spec);
  checkServiceAccounts(spec);
  checkRoles(metadata.name ?? '', spec.roles ?? []);
  checkSyncWindows(spec.syncWindows ?? []);
}

/** A project whose policies are written with one space after each comma. All objects, as a star, are all of the project and no others. */
export function withNormalizedPolicies(project: AppProject): AppProject {
  const { roles } = project.spec;
  if (roles === undefined) return project;
  const everything = `${project.metadata.name ?? ''}/*`;
  const normalize = (policy: string): string =>
    policy
      .split(',')
      .map((part) => part.trim())
      .map((part, index) => (index === OBJECT && part === '*' ? everything : part))
      .join(', ');
  const normalized = roles.map((role) => (role.policies ? { ...role, policies: role.policies.map(normalize) } : role));
  return { ...project, spec: { ...project.spec, roles: normalized } };
}

function checkDestinations({ destinations = [] }: AppProject['spec']): void {
  const seen = new Set<string>();
  for (const { name = '', server = '', namespace = '' } of destinations) {
    for (const [field, value] of Object.entries({ name, server, namespace }))
      if (value === '!*') throw invalid(`${field} has an invalid format, '!*'`);
    const key = `${server || name}/${namespace}`;
    if (seen.has(key)) throw invalid(`destination '${key}' already added`);
    seen.add(key);
  }
}

function checkNamespaces({ sourceNamespaces = [] }: AppProject['spec']): void {
  checkUnique(sourceNamespaces, 'source namespace');
  for (const pattern of sourceNamespaces) {
    const expression = expressionOf(pattern);
    if (expression !== undefined && !isQuickExpression(expression))
      throw invalid(
        `source namespace '${pattern}' is no regular expression that is quick to match: repeat nothing within what is repeated`,
      );
  }
}

function checkSources({ sourceRepos = [] }: AppProject['spec']): void {
  if (sourceRepos.includes('!*')) throw invalid("source repository has an invalid format, '!*'");
  checkUnique(sourceRepos, 'source repository');
}

function checkUnique(values: readonly string[] = [], what: string): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw invalid(`${what} '${value}' already added`);
    seen.add(value);
  }
}

function checkServiceAccounts({ destinationServiceAccounts = [] }: AppProject['spec']): void {
  const seen = new Set<string>();
  for (const { server, namespace = '', defaultServiceAccount } of destinationServiceAccounts) {
    if (server.includes('!')) throw invalid(`server has an invalid format, '${server}'`);
    if (namespace.includes('!')) throw invalid(`namespace has an invalid format, '${namespace}'`);
    if (defaultServiceAccount.trim() === '' || /[!*[\]{}\\/]/.test(defaultServiceAccount))
      throw invalid(`defaultServiceAccount has an invalid format, '${defaultServiceAccount}'`);
    const key = `${server}/${namespace}`;
    if (seen.has(key)) throw invalid(`destinationServiceAccount '${key}' already added`);
    seen.add(key);
  }
}

function checkRoles(project: string, roles: readonly ProjectRole[]): void {
  const seen = new Set<string>();
  for (const role of roles) {
    const name = role.name ?? '';
    if (seen.has(name)) throw new ApiError(Code.AlreadyExists, `role '${name}' already exists`);
    seen.add(name);
    if (!ROLE_NAME.test(name)) {
      const rule = "Must consist of alphanumeric characters, '-' or '_', and must start and end with an alphanumeric character";
      throw invalid(`invalid role name '${name}'. ${rule}`);
    }
    checkEach(
      role.policies,
      (policy) => checkPolicy(project, name, policy),
      (policy) => `policy '${policy}' already exists for role '${name}'`,
    );
    checkEach(role.groups, checkGroup, (group) => `group '${group}' already exists for role '${name}'`);
  }
}

function checkEach(values: readonly string[] = [], check: (value: string) => void, repeated: (value: string) => string): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw new ApiError(Code.AlreadyExists, repeated(value));
    seen.add(value);
    check(value);
  }
}

function checkPolicy(project: string, role: string, policy: string): void {
  const fail = (why: string): never => {
    throw invalid(`invalid policy rule '${policy}': ${why}`);
  };
  const parts = policy.split(',').map((part) => part.trim());
  const [letter, subject = '', resource = '', action = '', object = '', effect = ''] = parts;
  if (parts.length !== 6 || letter !== 'p') fail("must be of the form: 'p, sub, res, act, obj, eft'");
  const wanted = `proj:${project}:${role}`;
  if (subject !== wanted) fail(`policy subject must be: '${wanted}', not '${subject}'`);
  if (!RESOURCES.includes(resource))
    fail(`project resource must be: 'applications', 'applicationsets', 'repositories', 'exec', 'logs' or 'clusters', not '${resource}'`);
  if (!ACTIONS.includes(action) && !/action\/|update\/|delete\//.test(action)) fail(`invalid action '${action}'`);
  const segments = object.split('/');
  if (segments[0] !== project || segments.length < 2 || segments.some((segment) => segment === ''))
    fail(`object must be of form '${project}/*', '${project}[/<NAMESPACE>]/<APPNAME>' or '${project}/<APPNAME>', not '${object}'`);
  if (effect !== 'allow' && effect !== 'deny') fail("effect must be: 'allow' or 'deny'");
}

function checkGroup(group: string): void {
  if (group.trim() === '') throw invalid(`group '${group}' is empty`);
  if (group.includes(',') && !/^".*"$/.test(group)) throw invalid(`group '${group}' must be quoted`);
  if (/[\n\r\t]/.test(group)) throw invalid(`group '${group}' contains invalid characters`);
  if (group.startsWith(' ')) throw invalid(`group '${group}' contains a leading space`);
  if (group.endsWith(' ')) throw invalid(`group '${group}' contains a trailing space`);
}

function invalid(message: string): ApiError {
  return new ApiError(Code.InvalidArgument, message);
}
