import { describe, expect, it } from 'vitest';
import type { AppProject, AppProjectSpec } from '../../contract/index.ts';
import { validateProject, withNormalizedPolicies } from './validate-project.ts';

const project = (spec: AppProjectSpec): AppProject => ({ metadata: { name: 'shop' }, spec });
const role = (name: string, more: object = {}): AppProject => project({ roles: [{ name, ...more }] });
const policy = (...parts: readonly string[]): AppProject => role('ci', { policies: [`p, ${parts.join(', ')}`] });
const window = { kind: 'allow', schedule: '0 22 * * *', duration: '1h', applications: ['*'] };

describe('A project', () => {
  it.each<[string, AppProject]>([
    ['nothing', project({})],
    ['everything', project({ sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] })],
    ['a name, a server and a namespace that are not meant', project({ destinations: [{ server: '!a', name: '!b', namespace: '!c' }] })],
    [
      'the same namespace on two clusters',
      project({
        destinations: [
          { server: 'a', namespace: 'x' },
          { server: 'b', namespace: 'x' },
        ],
      }),
    ],
    [
      'a role with a line of each resource',
      role('ci', { policies: lines('applications', 'applicationsets', 'repositories', 'exec', 'logs', 'clusters') }),
    ],
    ['a role with every character that a name may have', role('a-b_C9')],
    ['an action on a kind', policy('proj:shop:ci', 'applications', 'action/apps/Deployment/restart', 'shop/*', 'allow')],
    ['an update of a resource', policy('proj:shop:ci', 'applications', 'update/*/Pod/*/*', 'shop/team/web', 'deny')],
    ['namespaces by expression', project({ sourceNamespaces: ['/^(dev|prod)-[a-z]+(-.*)?$/', 'team-*'] })],
    ['a quoted group', role('ci', { groups: ['"cn=a,ou=b"', 'plain'] })],
    [
      'an account for a destination',
      project({ destinationServiceAccounts: [{ server: 'https://*', namespace: 'x', defaultServiceAccount: 'ns:deployer' }] }),
    ],
    [
      'windows that differ in what they speak about',
      project({ syncWindows: [window, { ...window, applications: ['web'] }, { ...window, timeZone: 'Asia/Tokyo' }] }),
    ],
    [
      'a window of each dimension',
      project({
        syncWindows: [
          { ...window, applications: [], namespaces: ['x'] },
          { ...window, applications: [], clusters: ['y'] },
        ],
      }),
    ],
  ])('may have %s', (_what, given) => expect(() => validateProject(given)).not.toThrow());

  const subject = 'proj:shop:ci';
  it.each<[number, string, AppProject]>([
    [3, "name has an invalid format, '!*'", project({ destinations: [{ name: '!*', namespace: 'x' }] })],
    [3, "server has an invalid format, '!*'", project({ destinations: [{ server: '!*', namespace: 'x' }] })],
    [3, "namespace has an invalid format, '!*'", project({ destinations: [{ server: '*', namespace: '!*' }] })],
    [
      3,
      "destination 'a/x' already added",
      project({
        destinations: [
          { server: 'a', namespace: 'x' },
          { server: 'a', namespace: 'x' },
        ],
      }),
    ],
    [3, "source namespace 'x' already added", project({ sourceNamespaces: ['x', 'x'] })],
    [3, "source namespace '/(a+)+$/' is no regular expression that is quick to match", project({ sourceNamespaces: ['/(a+)+$/'] })],
    [3, "source namespace '/(/' is no regular expression", project({ sourceNamespaces: ['/(/'] })],
    [3, "source repository has an invalid format, '!*'", project({ sourceRepos: ['*', '!*'] })],
    [3, "source repository 'r' already added", project({ sourceRepos: ['r', 'r'] })],
    [3, "server has an invalid format, '!a'", account('!a', 'x', 'y')],
    [3, "namespace has an invalid format, '!x'", account('a', '!x', 'y')],
    [3, "defaultServiceAccount has an invalid format, ' '", account('a', 'x', ' ')],
    [3, "defaultServiceAccount has an invalid format, 'a*'", account('a', 'x', 'a*')],
    [3, "defaultServiceAccount has an invalid format, 'a/b'", account('a', 'x', 'a/b')],
    [3, "destinationServiceAccount 'a/x' already added", account('a', 'x', 'y', 2)],
    [6, "role 'ci' already exists", project({ roles: [{ name: 'ci' }, { name: 'ci' }] })],
    ...['', '-a', 'a-', 'a b', 'a:b', 'a,b', 'a\nb', '*', '__proto__'].map((name): [number, string, AppProject] => [
      3,
      `invalid role name '${name}'. Must consist of alphanumeric characters, '-' or '_', and must start and end with an alphanumeric character`,
      role(name),
    ]),
    [3, "invalid policy rule 'p, a': must be of the form: 'p, sub, res, act, obj, eft'", policy('a')],
    [
      3,
      "policy subject must be: 'proj:shop:ci', not 'proj:shop:other'",
      policy('proj:shop:other', 'applications', 'get', 'shop/*', 'allow'),
    ],
    [3, "policy subject must be: 'proj:shop:ci', not 'role:admin'", policy('role:admin', 'applications', 'get', 'shop/*', 'allow')],
    [
      3,
      "project resource must be: 'applications', 'applicationsets', 'repositories', 'exec', 'logs' or 'clusters', not 'projects'",
      policy(subject, 'projects', 'get', 'shop/*', 'allow'),
    ],
    [3, "invalid action 'read'", policy(subject, 'applications', 'read', 'shop/*', 'allow')],
    [3, "not 'other/*'", policy(subject, 'applications', 'get', 'other/*', 'allow')],
    [
      3,
      "object must be of form 'shop/*', 'shop[/<NAMESPACE>]/<APPNAME>' or 'shop/<APPNAME>', not '*'",
      policy(subject, 'applications', 'get', '*', 'allow'),
    ],
    [3, "not 'shop'", policy(subject, 'applications', 'get', 'shop', 'allow')],
    [3, "effect must be: 'allow' or 'deny'", policy(subject, 'applications', 'get', 'shop/*', 'maybe')],
    [6, `already exists for role 'ci'`, role('ci', { policies: [...lines('logs'), ...lines('logs')] })],
    [6, "group 'g' already exists for role 'ci'", role('ci', { groups: ['g', 'g'] })],
    [3, "group '' is empty", role('ci', { groups: [''] })],
    [3, "group 'a,b' must be quoted", role('ci', { groups: ['a,b'] })],
    [3, 'contains invalid characters', role('ci', { groups: ['a\nb'] })],
    [3, "group ' a' contains a leading space", role('ci', { groups: [' a'] })],
    [3, "group 'a ' contains a trailing space", role('ci', { groups: ['a '] })],
    [2, "kind 'perhaps' mismatch: can only be allow or deny", project({ syncWindows: [{ ...window, kind: 'perhaps' }] })],
    [2, "cannot parse schedule 'x': expected exactly 5 fields, found 1: [x]", project({ syncWindows: [{ ...window, schedule: 'x' }] })],
    [2, `cannot parse duration '1': time: missing unit in duration "1"`, project({ syncWindows: [{ ...window, duration: '1' }] })],
    [2, `cannot parse duration 'x': time: invalid duration "x"`, project({ syncWindows: [{ ...window, duration: 'x' }] })],
    [2, 'description must not exceed 255 characters', project({ syncWindows: [{ ...window, description: 'x'.repeat(256) }] })],
    [
      11,
      "window 'allow':'0 22 * * *':'1h' requires one of application, cluster or namespace",
      project({ syncWindows: [{ ...window, applications: [] }] }),
    ],
    [
      6,
      "sync window with kind 'allow', schedule '0 22 * * *', and duration '1h' already exists (hash=",
      project({ syncWindows: [window, { ...window, manualSync: true, description: 'again', syncOverrun: true, timeZone: 'UTC' }] }),
    ],
  ])('is refused with %i: %s', (code, message, given) => {
    expect(() => validateProject(given)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) as string }));
  });

  it('has its policies written in one way, so that none is there twice', () => {
    const written = withNormalizedPolicies(role('ci', { policies: ['p,proj:shop:ci,  logs,get ,shop/*,allow'] }));
    expect(written.spec.roles?.[0]?.policies).toEqual(lines('logs'));
  });

  it('has all its objects written as its own', () => {
    const written = withNormalizedPolicies(
      role('ci', { policies: ['p, proj:shop:ci, logs, get, *, allow', 'p, proj:shop:ci, exec, *, *, deny'] }),
    );
    expect(written.spec.roles?.[0]?.policies).toEqual([...lines('logs'), 'p, proj:shop:ci, exec, *, shop/*, deny']);
    expect(() => validateProject(written)).not.toThrow();
  });
});

function lines(...resources: readonly string[]): string[] {
  return resources.map((resource) => `p, proj:shop:ci, ${resource}, get, shop/*, allow`);
}

function account(server: string, namespace: string, defaultServiceAccount: string, times = 1): AppProject {
  return project({ destinationServiceAccounts: Array.from({ length: times }, () => ({ server, namespace, defaultServiceAccount })) });
}
