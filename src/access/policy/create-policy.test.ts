import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import type { Caller } from '../caller.ts';
import { createPolicy, type PolicySettings } from './create-policy.ts';

const admin: Caller = {
  username: 'admin',
  issuer: 'argocd',
  groups: [],
  capability: 'login',
  tokenId: 'x',
  issuedAt: 0,
  expiresAt: undefined,
};
const caller = (username: string, ...groups: string[]): Caller => ({ ...admin, username, groups });
const alice = caller('alice');

function setUp(lines: readonly string[], more: Partial<PolicySettings> = {}, projects: readonly KubeObject[] = []) {
  const problems: string[] = [];
  const world = {
    settings: { policy: lines.join('\n'), policyIncomplete: false, defaultRole: '', matchMode: 'glob', ...more } as PolicySettings,
    projects: new Map(projects.map((project) => [project.metadata.name ?? '', project])),
  };
  const policy = createPolicy({
    settings: () => world.settings,
    findProject: (name) => world.projects.get(name),
    listProjects: () => world.projects.values(),
    report: (problem) => problems.push(problem),
  });
  return { policy, world, problems };
}

function project(name: string, roles: readonly { name: string; policies?: string[]; groups?: string[] }[]): KubeObject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name }, spec: { roles: roles as never } };
}

describe('asked before an object is named', () => {
  const lines = [
    'p, alice, repositories, create, team/*, allow',
    'p, alice, clusters, create, team/*, allow',
    'p, alice, clusters, create, *, deny',
    'p, alice, projects, create, team-*, allow',
    'p, alice, projects, create, team-secret, deny',
  ];
  const roles = [{ name: 'crew', policies: ['p, proj:team:crew, applications, create, team/*, allow'], groups: ['sailors'] }];
  const { policy, world } = setUp(lines, {}, [project('other', []), project('team', roles)]);
  const asked = (who: Caller, resource: string, action: string): string => policy.explainSomewhere(who, resource, action).reason;

  it('says yes where a line allows it to some, unless others deny all of them', () => {
    expect(asked(alice, 'repositories', 'create')).toBe(
      'alice is allowed by: p, alice, repositories, create, team/*, allow (argocd-rbac-cm)',
    );
    expect(asked(alice, 'projects', 'create')).toContain('team-*, allow');
    expect(asked(alice, 'clusters', 'create')).toBe('no line allows it');
    expect(asked(alice, 'repositories', 'delete')).toBe('no line allows it');
    expect(asked(admin, 'certificates', 'create')).toContain('admin is allowed by');
  });

  it('counts roles in projects, for those who have them', () => {
    expect(asked(caller('bob', 'sailors'), 'applications', 'create')).toContain('(project team)');
    expect(asked(alice, 'applications', 'create')).toBe('no line allows it');
  });

  it('says no while a part of the policy cannot be read', () => {
    world.settings = { ...world.settings, policyIncomplete: true };
    expect(policy.explainSomewhere(alice, 'repositories', 'create').allowed).toBe(false);
  });
});

describe('asked about everything', () => {
  const lines = [
    'g, alice, role:readonly',
    'g, sailors, role:readonly',
    'p, bob, applications, get, */*, allow',
    'p, bob, applications, get, secret/*, deny',
    'p, carol, applications, get, shop/*, allow',
    'p, dave, applications, get, */*, allow',
    'p, dave, applications, sync, secret/*, deny',
    'p, proj:shop:dev, applications, get, */*, allow',
  ];
  const roles = [{ name: 'crew', policies: ['p, proj:secret:crew, applications, get, secret/*, deny'], groups: ['sailors'] }];
  const { policy } = setUp(lines, {}, [project('shop', [{ name: 'dev' }]), project('secret', roles)]);

  it.each([
    ['who may read all', alice, true],
    ['who is denied something else', caller('dave'), true],
    ['who may read a part', caller('carol'), false],
    ['who is denied a part', caller('bob'), false],
    ['who is denied a part by a role of a project', caller('eve', 'sailors'), false],
    ['a token of a project for which the policy speaks', caller('proj:shop:dev'), false],
    ['anybody else', caller('mallory'), false],
  ])('ENUM-07: answers %s', (_name, who, expected) => {
    expect(policy.isAllowedEverywhere(who, 'applications', 'get', '*/*')).toBe(expected);
  });
});

describe('the built-in policy', () => {
  const { policy } = setUp([]);

  it.each([
    ['applications', 'sync', 'default/guestbook', true],
    ['applications', 'get', '*/*', true],
    ['applications', 'delete/apps/Deployment/ns/name', 'team/ns/app', true],
    ['applications', 'action/apps/Deployment/restart', 'a/b', true],
    ['applications', 'get', 'no-slash', false],
    ['applications', 'action', 'a/b', false],
    ['applicationsets', 'sync', 'a/b', false],
    ['clusters', 'create', '*', true],
    ['certificates', 'delete', '', true],
    ['accounts', 'update', 'admin', true],
    ['accounts', 'delete', 'admin', false],
    ['gpgkeys', 'update', '', false],
    ['logs', 'get', 'a/b', true],
    ['exec', 'create', 'a/b', true],
    ['exec', 'get', 'a/b', false],
    ['extensions', 'invoke', 'x', false],
  ])('asked for %s, %s, %j by admin says %s', (resource, action, object, expected) => {
    expect(policy.isAllowed(admin, resource, action, object)).toBe(expected);
  });

  it('RBAC-01: allows nobody else anything', () => {
    for (const name of ['Admin', '', 'role:nothing', 'proj:default:x']) {
      expect(policy.isAllowed(caller(name, 'admins'), 'applications', 'get', 'a/b')).toBe(false);
    }
  });

  it('AUTH-37, SSO-15: means the account admin, and nobody whom a provider calls so or puts into a group of that name', () => {
    const foreign = { ...admin, issuer: 'https://sso.example.com' };
    expect(policy.isAllowed(foreign, 'applications', 'get', 'a/b')).toBe(false);
    expect(policy.isAllowed({ ...foreign, username: 'x', groups: ['admin'] }, 'applications', 'get', 'a/b')).toBe(false);
    // Whoever writes it down themselves means it.
    const { policy: bound } = setUp(['g, admin, role:readonly']);
    expect(bound.isAllowed({ ...foreign, username: 'x', groups: ['admin'] }, 'applications', 'get', 'a/b')).toBe(true);
  });

  it('lets readers read and do nothing else', () => {
    const { policy: reading } = setUp(['g, alice, role:readonly']);
    const verdicts = ['get', 'sync', 'delete', 'create'].map((action) => reading.isAllowed(alice, 'applications', action, 'a/b'));
    expect(verdicts).toEqual([true, false, false, false]);
    expect(reading.isAllowed(alice, 'exec', 'create', 'a/b')).toBe(false);
  });

  it('is matched as globs also where the configured policy is regular expressions', () => {
    expect(setUp([], { matchMode: 'regex' }).policy.isAllowed(admin, 'applications', 'sync', 'a/b')).toBe(true);
  });
});

describe('a policy', () => {
  it('allows nothing while a part of what is configured cannot be read', () => {
    const { policy, world } = setUp([], { policyIncomplete: true });
    expect(policy.isAllowed(admin, 'applications', 'get', 'a/b')).toBe(false);
    expect(policy.explain(admin, 'applications', 'get', 'a/b').allowed).toBe(false);
    world.settings = { ...world.settings, policyIncomplete: false };
    expect(policy.isAllowed(admin, 'applications', 'get', 'a/b')).toBe(true);
  });

  it('RBAC-02: denies to all who have a role what the role is denied, whatever else allows it to them', () => {
    const { policy } = setUp([
      'p, alice, applications, *, */*, allow',
      'p, role:guests, applications, delete, */*, deny',
      'g, alice, role:guests',
    ]);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'a/b')).toBe(true);
    expect(policy.isAllowed(alice, 'applications', 'delete', 'a/b')).toBe(false);
  });

  it('RBAC-02: asks about the default role, the caller and each group by itself', () => {
    const lines = [
      'p, role:all, applications, get, */*, allow',
      'p, alice, applications, *, */*, deny',
      'p, role:dev, applications, sync, */*, allow',
      'g, devs, role:dev',
    ];
    const { policy } = setUp(lines, { defaultRole: 'role:all' });
    expect(policy.isAllowed(alice, 'applications', 'get', 'a/b')).toBe(true);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'a/b')).toBe(false);
    expect(policy.isAllowed(caller('alice', 'devs'), 'applications', 'sync', 'a/b')).toBe(true);
  });

  it('knows a group only where a line gives it a role', () => {
    const lines = ['p, devs, applications, get, */*, allow'];
    expect(setUp(lines).policy.isAllowed(caller('x', 'devs'), 'applications', 'get', 'a/b')).toBe(false);
    expect(setUp([...lines, 'g, devs, role:none']).policy.isAllowed(caller('x', 'devs'), 'applications', 'get', 'a/b')).toBe(true);
  });

  it('RBAC-03: uses what it can of a policy with bad lines, unknown roles and circles, and says what it cannot', () => {
    const { policy, problems } = setUp([
      '# a comment',
      '',
      'p, alice, applications, get, "shop/*", allow',
      'p, alice, applications, sync, shop/*',
      'p, alice, applications, sync, shop/*, perhaps',
      'p, alice, applications, "sync, shop/*, allow',
      'g, alice, role:a',
      'g, role:a, role:b',
      'g, role:b, role:a',
      'g, alice, role:unknown',
      'p, role:b, logs, get, */*, allow',
      'p, alice, applications, delete, shop/[, allow',
      'nonsense',
    ]);
    expect(policy.isAllowed(alice, 'applications', 'get', 'shop/x')).toBe(true);
    expect(policy.isAllowed(alice, 'logs', 'get', 'shop/x')).toBe(true);
    for (const action of ['sync', 'delete', 'update']) expect(policy.isAllowed(alice, 'applications', action, 'shop/x')).toBe(false);
    expect(problems).toHaveLength(5);
  });

  it('RBAC-03: takes a policy of a megabyte', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `p, role:r${index % 50}, applications, sync, project-${index}/*, allow`);
    const { policy } = setUp([...lines, ...Array.from({ length: 50 }, (_, index) => `g, alice, role:r${index}`)]);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'project-19999/x')).toBe(true);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'project-20000/x')).toBe(false);
  });

  it('RBAC-06, RBAC-07: takes an action of a part of an application for what it is', () => {
    const { policy } = setUp([
      'p, alice, applications, update, */*, allow',
      'p, alice, applications, delete/*/Pod/*/*, shop/*, allow',
      'p, alice, applications, action/apps/Deployment/restart, shop/*, allow',
    ]);
    const may = (action: string) => policy.isAllowed(alice, 'applications', action, 'shop/api');
    expect(['update', 'delete/core/Pod/ns/x', 'action/apps/Deployment/restart'].map(may)).toEqual([true, true, true]);
    expect(['update/apps/Deployment/ns/x', 'delete', 'delete/apps/Deployment/ns/x', 'action/batch/CronJob/create-job'].map(may)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('RBAC-21: lets nobody read logs or open a shell who may only see the application', () => {
    const { policy } = setUp([
      'p, alice, applications, *, */*, allow',
      'p, bob, logs, get, shop/*, allow',
      'p, bob, exec, create, */*, allow',
    ]);
    expect(policy.isAllowed(alice, 'logs', 'get', 'shop/api')).toBe(false);
    expect(policy.isAllowed(alice, 'exec', 'create', 'shop/api')).toBe(false);
    expect(policy.isAllowed(caller('bob'), 'logs', 'get', 'shop/api')).toBe(true);
    expect(policy.isAllowed(caller('bob'), 'logs', 'get', 'web/api')).toBe(false);
    expect(policy.isAllowed(caller('bob'), 'exec', 'create', 'web/api')).toBe(true);
  });

  it('finds regular expressions anywhere in the text, and denies with one that cannot be read', () => {
    const { policy, problems } = setUp(
      ['p, alice, applications, ^(get|sync)$, ^shop/, allow', 'p, bob, applications, .*, .*, allow', 'p, bob, applications, .*, (, deny'],
      { matchMode: 'regex' },
    );
    expect(policy.isAllowed(alice, 'applications', 'sync', 'shop/x')).toBe(true);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'my-shop/x')).toBe(false);
    expect(policy.isAllowed(caller('bob'), 'applications', 'get', 'shop/x')).toBe(false);
    expect(problems).toHaveLength(1);
  });

  it('follows changes of settings at once', () => {
    const { policy, world } = setUp([]);
    expect(policy.isAllowed(alice, 'applications', 'get', 'a/b')).toBe(false);
    world.settings = { ...world.settings, policy: 'g, alice, role:readonly' };
    expect(policy.isAllowed(alice, 'applications', 'get', 'a/b')).toBe(true);
    world.settings = { ...world.settings, policy: '' };
    expect(policy.isAllowed(alice, 'applications', 'get', 'a/b')).toBe(false);
    world.settings = { ...world.settings, defaultRole: 'role:readonly' };
    expect(policy.isAllowed(alice, 'applications', 'get', 'a/b')).toBe(true);
  });
});

it('DOS-08: a policy of 50,000 lines with globs decides about a list of 5,000 applications at once', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => {
    const [team, place] = [index % 500, index % 97];
    return `p, role:team-${team}, applications, "{get,sync}", team-${team}-*/app-${place}?*, ${index % 11 === 0 ? 'deny' : 'allow'}`;
  });
  const groupings = Array.from({ length: 40 }, (_, index) => `g, group-${index}, role:team-${index * 7}`);
  const { policy } = setUp([...lines, ...groupings]);
  const member = caller('somebody', ...Array.from({ length: 40 }, (_, index) => `group-${index}`));
  const objects = Array.from({ length: 5_000 }, (_, index) => `team-${index % 500}-x/app-${index % 97}1`);
  // Reading the policy is not part of a list: it is done once for each change.
  expect(policy.isAllowed(member, 'applications', 'delete', objects[0] ?? '')).toBe(false);
  const startMs = performance.now();
  const visible = objects.filter((object) => policy.isAllowed(member, 'applications', 'get', object));
  expect(performance.now() - startMs).toBeLessThan(2_000);
  expect(visible.length).toBeGreaterThan(100);
  expect(visible.length).toBeLessThan(1_000);
});

describe('the roles of a project', () => {
  const policies = ['p, proj:shop:dev, applications, sync, shop/*, allow'];
  const shop = project('shop', [{ name: 'dev', policies, groups: ['devs'] }]);
  const token = caller('proj:shop:dev');

  it('count for their tokens and groups, in their project', () => {
    const { policy } = setUp([], {}, [shop, project('web', [])]);
    for (const who of [token, caller('x', 'devs')]) {
      expect(policy.isAllowed(who, 'applications', 'sync', 'shop/api')).toBe(true);
      expect(policy.isAllowed(who, 'projects', 'get', 'shop')).toBe(true);
      expect(policy.isAllowed(who, 'applications', 'get', 'shop/api')).toBe(false);
      expect(policy.isAllowed(who, 'projects', 'get', 'web')).toBe(false);
    }
  });

  it('count for a group with a comma in its name, which is in quotes', () => {
    const group = 'cn=devs,ou="eu"';
    const quoted = project('shop', [{ name: 'dev', policies, groups: ['"cn=devs,ou=""eu"""', '"plain"', 'a, b', 'o"k'] }]);
    const { policy } = setUp([], {}, [quoted]);
    const may = (of: string): boolean => policy.isAllowed(caller('x', of), 'applications', 'sync', 'shop/api');
    expect([group, 'plain', 'o"k', 'a, b'].map(may)).toEqual([true, true, true, true]);
    expect(['cn=devs', '"plain"', 'a', 'b'].map(may)).toEqual([false, false, false, false]);
  });

  it('AUTH-34: do not count in another project, also where the policy speaks for them', () => {
    const { policy } = setUp(['p, proj:shop:dev, *, *, *, allow', 'p, proj:shop:dev, *, *, */*, allow'], {}, [shop, project('web', [])]);
    for (const resource of ['applications', 'repositories', 'clusters', 'logs']) {
      expect(policy.isAllowed(token, resource, 'get', 'web/x')).toBe(false);
    }
    expect(policy.isAllowed(token, 'applications', 'get', 'shop/x')).toBe(true);
  });

  it('ENUM-07: do not tell their tokens which other projects there are', () => {
    const { policy } = setUp(['p, role:all, *, get, nothing, allow'], { defaultRole: 'role:all' }, [shop, project('web', [])]);
    for (const resource of ['applications', 'repositories', 'logs', 'projects']) {
      const [there, absent] = ['web', 'void'].map((name) =>
        policy.explain(token, resource, 'get', resource === 'projects' ? name : `${name}/x`),
      );
      expect(there).toEqual(absent);
      expect(there).toMatchObject({ allowed: false, steps: [{}, {}, { subject: 'proj:shop:dev', allowed: false }] });
    }
  });

  it('are not those of somebody whom a provider calls by their name, or puts into a group of it', () => {
    const { policy } = setUp(['g, proj:shop:dev, role:other'], {}, [shop]);
    const stranger = { ...token, issuer: 'https://sso.example.com' };
    expect(policy.isAllowed(stranger, 'applications', 'sync', 'shop/api')).toBe(false);
    expect(policy.isAllowed({ ...stranger, username: 'x', groups: ['proj:shop:dev'] }, 'applications', 'sync', 'shop/api')).toBe(false);
    expect(policy.isAllowed(token, 'applications', 'sync', 'shop/api')).toBe(true);
  });

  it('cannot have expressions that take long', () => {
    const slow = ['(a+)+action/', '(.*)*x', 'action/.*.*.*x'];
    const foreign = [String.raw`(a)\1action/`, '(?=a)action/'];
    const policies = [...slow, ...foreign].map((action) => `p, proj:shop:dev, applications, ${action}, shop/.*, allow`);
    const dev = { name: 'dev', policies: [...policies, 'p, proj:shop:dev, applications, ^(get|sync)$, ^shop/[a-z]+[0-9]*$, allow'] };
    const { policy, problems } = setUp([], { matchMode: 'regex' }, [project('shop', [dev])]);
    const startMs = performance.now();
    expect(policy.isAllowed(token, 'applications', 'a'.repeat(400), 'shop/x')).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(2_000);
    expect(policy.isAllowed(token, 'applications', 'sync', 'shop/api1')).toBe(true);
    expect(policy.isAllowed(token, 'applications', 'sync', 'shop/API')).toBe(false);
    expect(problems).toHaveLength(foreign.length);
  });

  it('are denied by an expression that cannot be asked to its end, and allowed nothing by one', () => {
    const endless = '((a{1,90}b?){1,20}c?){1,9}$';
    const object = `shop/${'ab'.repeat(2_000)}`;
    const setUpWith = (effect: string) =>
      setUp(['p, bob, applications, ^get$, ^shop/, allow', `p, bob, applications, ^get$, "${endless}", ${effect}`], { matchMode: 'regex' });
    expect(setUpWith('deny').policy.isAllowed(caller('bob'), 'applications', 'get', object)).toBe(false);
    const allowing = setUp([`p, bob, applications, ^get$, "${endless}", allow`], { matchMode: 'regex' });
    expect(allowing.policy.isAllowed(caller('bob'), 'applications', 'get', object)).toBe(false);
  });

  it('cannot speak for anybody else', () => {
    const evil = project('shop', [
      { name: 'dev', policies: ['p, alice, *, *, *, allow', 'p, role:readonly, *, *, *, allow', 'g, alice, role:admin'] },
    ]);
    const { policy, problems } = setUp(['g, alice, role:readonly'], {}, [evil]);
    expect(policy.isAllowed(alice, 'applications', 'sync', 'shop/x')).toBe(false);
    expect(problems).not.toEqual([]);
  });

  it('follow changes of the project at once', () => {
    const { policy, world } = setUp([], {}, [shop]);
    expect(policy.isAllowed(token, 'applications', 'sync', 'shop/api')).toBe(true);
    world.projects.set('shop', project('shop', [{ name: 'dev', policies: [`${policies[0]}`.replace('allow', 'deny')] }]));
    expect(policy.isAllowed(token, 'applications', 'sync', 'shop/api')).toBe(false);
    world.projects.delete('shop');
    expect(policy.isAllowed(token, 'projects', 'get', 'shop')).toBe(false);
  });
});

describe('why', () => {
  const lines = ['p, role:dev, applications, *, shop/*, allow', 'p, role:dev, applications, delete, */*, deny', 'g, devs, role:dev'];
  const shop = project('shop', [{ name: 'ops', policies: ['p, proj:shop:ops, applications, sync, shop/*, allow'], groups: ['operators'] }]);
  const { policy } = setUp(lines, { defaultRole: 'role:readonly' }, [shop]);

  it('is told with the line that decided and where it stands', () => {
    expect(policy.explain(caller('alice', 'devs'), 'applications', 'sync', 'shop/api')).toMatchObject({
      allowed: true,
      reason: 'devs is allowed by: p, role:dev, applications, *, shop/*, allow (argocd-rbac-cm)',
    });
    expect(policy.explain(caller('alice', 'devs'), 'applications', 'delete', 'shop/api')).toMatchObject({
      allowed: false,
      reason: 'devs is denied by: p, role:dev, applications, delete, */*, deny (argocd-rbac-cm)',
    });
    expect(policy.explain(alice, 'applications', 'get', 'shop/api').steps).toEqual([
      {
        subject: 'role:readonly',
        isDefaultRole: true,
        allowed: true,
        line: 'p, role:readonly, applications, get, */*, allow',
        origin: 'built-in',
      },
    ]);
    expect(policy.explain(alice, 'exec', 'create', 'shop/api').reason).toBe('no line allows it');
    expect(policy.explain(caller('proj:shop:ops'), 'applications', 'sync', 'shop/api').steps.at(-1)?.origin).toBe('project shop');
  });

  it('is told the other way round: who can', () => {
    const { everyone, subjects } = policy.whoCan('applications', 'sync', 'shop/api');
    expect(everyone).toBe(false);
    expect(subjects.map(({ subject }) => subject)).toEqual(['admin', 'devs', 'operators', 'proj:shop:ops', 'role:admin', 'role:dev']);
    expect(policy.whoCan('applications', 'get', 'shop/api').everyone).toBe(true);
    expect(policy.whoCan('applications', 'delete', 'shop/api').subjects.map(({ subject }) => subject)).toEqual(['admin', 'role:admin']);
  });
});
