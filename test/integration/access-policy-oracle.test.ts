import type { Enforcer } from 'casbin';
import { expect, it } from 'vitest';
import { createPolicy, type Caller } from '../../src/access/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { createCasbin, type OracleMode } from '../support/casbin-oracle.ts';
import { SeededRandom } from '../support/seeded-random.ts';

/** As many as the issue asks for with `POLICY_ORACLE_REQUESTS=100000`; every run looks at some of them. */
const requestCount = Number(process.env['POLICY_ORACLE_REQUESTS'] ?? 5_000);
const requestsPerPolicy = 25;

const users = ['alice', 'bob', 'admin', 'carol'];
const groups = ['team-a', 'team-b', 'ops', 'role:dev'];
const roles = ['role:dev', 'role:ops', 'role:readonly', 'role:admin', 'role:r1', 'role:r2'];
const projects = ['shop', 'web', 'data'];
const resources = ['applications', 'applicationsets', 'projects', 'repositories', 'clusters', 'logs', 'exec', 'accounts', 'extensions'];
const actions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'update/apps/Deployment/ns/x', 'action/apps/Deployment/restart'];
const objects = ['shop/api', 'shop/ns/api', 'web/front', 'data/etl', 'shop', 'web', '*', '', 'other/x', 'https://example.com/a.git'];
const patterns = {
  glob: {
    resource: ['*', 'applications', 'application*', 'projects', 'repositories', '{logs,exec}', 'cluster?', 'accounts'],
    action: ['*', 'get', 'sync', 'update', 'update/*', 'action/*', 'action/apps/*/restart', '*e*', '[a-g]et', 'delete'],
    object: ['*', '*/*', 'shop/*', 'shop/api', 'web/*', '*/api', 'sh*/a?i', '[!s]*/*', '{shop,web}/*', 'shop', 'web', 'h*://*/*.git'],
  },
  regex: {
    resource: ['.*', '^applications$', 'app', 'projects', '(logs|exec)', 'cluster.', '^accounts$'],
    action: ['.*', '^get$', 'sync', '^update', '^action/.+', 'e', '[a-g]et', '^(update|delete)$'],
    object: ['.*', '.+/.+', '^shop/', '^shop/api$', 'web', '/api$', '^[^s]', '^(shop|web)/', '^https?://', '^$'],
  },
};

class World {
  readonly random: SeededRandom;
  readonly mode: OracleMode;
  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.mode = this.random.chance(0.75) ? 'glob' : 'regex';
  }

  rule(subject: string): string {
    const { resource, action, object } = patterns[this.mode];
    const fields = [subject, this.random.pick(resource), this.random.pick(action), this.random.pick(object)];
    return ['p', ...fields.map((field) => (field.includes(',') ? `"${field}"` : field)), this.random.chance(0.3) ? 'deny' : 'allow'].join(
      ', ',
    );
  }

  lines(): string[] {
    const rules = Array.from({ length: this.random.below(12) }, () => this.rule(this.random.pick([...users, ...groups, ...roles])));
    const groupings = Array.from(
      { length: this.random.below(8) },
      () => `g, ${this.random.pick([...users, ...groups, ...roles])}, ${this.random.pick(roles)}`,
    );
    return [...rules, ...groupings];
  }

  project(name: string): { readonly object: KubeObject; readonly lines: readonly string[] } {
    const made = Array.from({ length: this.random.below(3) }, (_, index) => {
      const subject = `proj:${name}:role${index}`;
      const policies = Array.from({ length: this.random.below(4) }, () => this.rule(subject));
      return { name: `role${index}`, policies, groups: this.random.sample([...groups, 'alice', 'role:dev'], this.random.below(3)) };
    });
    const lines = made.flatMap((role) => [
      // Casbin knows only one way to match; in both, this is the name itself.
      `p, proj:${name}:${role.name}, ${this.mode === 'glob' ? 'projects, get' : '^projects$, ^get$'}, ${this.mode === 'glob' ? name : `^${name}$`}, allow`,
      ...role.policies,
      ...role.groups.map((group) => `g, ${group}, proj:${name}:${role.name}`),
    ]);
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name }, spec: { roles: made } };
    return { object, lines };
  }
}

/** The order in which the reference asks casbin. */
function askCasbin(options: {
  readonly base: Enforcer;
  readonly own: Enforcer | undefined;
  readonly project: string | undefined;
  readonly defaultRole: string;
  readonly caller: Caller;
  readonly request: readonly [string, string, string];
}): boolean {
  const { base, own, project, defaultRole, caller, request } = options;
  const enforcer = own ?? base;
  const ask = (asked: Enforcer, subject: string) => asked.enforceSync(subject, ...request);
  if (defaultRole !== '' && (ask(base, defaultRole) || ask(enforcer, defaultRole))) return true;
  const [type, ofProject] = caller.username.split(':');
  if (type === 'proj' && project !== undefined && ofProject !== project) return false;
  if (ask(enforcer, caller.username)) return true;
  if (type === 'proj') return false;
  const members = new Set(
    enforcer
      .getModel()
      .model.get('g')
      ?.get('g')
      ?.policy.map(([member]) => member),
  );
  return caller.groups.some((group) => members.has(group) && ask(enforcer, group));
}

const WRITTEN = ['certificates', 'clusters', 'repositories', 'write-repositories', 'projects'];
/** What the built-in roles may do: resources, actions, object. */
const BUILT_IN: readonly (readonly [role: string, resources: readonly string[], actions: readonly string[], object: string])[] = [
  ['readonly', ['applications', 'applicationsets', 'logs'], ['get'], '*/*'],
  ['readonly', [...WRITTEN, 'accounts', 'gpgkeys'], ['get'], '*'],
  ['admin', ['applications'], ['create', 'update', 'update/*', 'delete', 'delete/*', 'sync', 'override', 'action/*'], '*/*'],
  ['admin', ['applicationsets'], ['get', 'create', 'update', 'delete'], '*/*'],
  ['admin', WRITTEN, ['create', 'update', 'delete'], '*'],
  ['admin', ['accounts'], ['update'], '*'],
  ['admin', ['gpgkeys'], ['create', 'delete'], '*'],
  ['admin', ['exec'], ['create'], '*/*'],
];

/** As they are, or where regular expressions are asked for as such. */
function builtInLines(mode: OracleMode): string[] {
  const toPattern = (text: string) => (mode === 'glob' ? text : `^${text.replaceAll('*', '.*')}$`);
  const rules = BUILT_IN.flatMap(([role, resources, actions, object]) =>
    resources.flatMap((resource) =>
      actions.map((action) => `p, role:${role}, ${toPattern(resource)}, ${toPattern(action)}, ${toPattern(object)}, allow`),
    ),
  );
  return [...rules, 'g, role:admin, role:readonly', 'g, admin, role:admin'];
}

it(`decides as casbin does, in ${requestCount} random requests`, { timeout: 3_600_000 }, async () => {
  const counts = { allowed: 0, refused: 0 };
  for (let seed = 0; seed < requestCount / requestsPerPolicy; seed += 1) {
    const world = new World(seed);
    const { random, mode } = world;
    const lines = world.lines();
    const defaultRole = random.chance(0.3) ? random.pick(roles) : '';
    const known = new Map(random.sample(projects, random.below(4)).map((name) => [name, world.project(name)]));
    const settings = { policy: lines.join('\n'), policyIncomplete: false, defaultRole, matchMode: mode };
    const policy = createPolicy({ settings: () => settings, findProject: (name) => known.get(name)?.object });
    const all = [...builtInLines(mode), ...lines];
    const base = await createCasbin(all, mode);
    const enforcers = new Map<string, Enforcer>();
    for (const [name, project] of known) enforcers.set(name, await createCasbin([...all, ...project.lines], mode));
    for (let count = 0; count < requestsPerPolicy; count += 1) {
      const username = random.chance(0.2) ? `proj:${random.pick(projects)}:role0` : random.pick([...users, 'mallory']);
      const caller = { ...nobody, username, groups: random.sample(groups, random.below(3)) };
      const request = [random.pick(resources), random.pick(actions), random.pick(objects)] as const;
      const [resource, , object] = request;
      const first = resource === 'projects' ? object : object.includes('/') ? object.split('/')[0] : undefined;
      const isOfProject = !['accounts', 'extensions'].includes(resource) && first !== undefined && known.has(first);
      const project = isOfProject ? first : undefined;
      const expected = askCasbin({ base, own: enforcers.get(project ?? ''), project, defaultRole, caller, request });
      const allowed = policy.isAllowed(caller, ...request);
      counts[allowed ? 'allowed' : 'refused'] += 1;
      if (allowed !== expected) expect({ seed, mode, lines, defaultRole, caller, request, allowed }).toMatchObject({ allowed: expected });
      if (policy.explain(caller, ...request).allowed !== allowed) expect.fail(`the explanation differs, seed ${seed}`);
    }
  }
  // A test in which everything is refused would say little.
  expect(Math.min(counts.allowed, counts.refused)).toBeGreaterThan(requestCount / 10);
});

const nobody: Caller = { username: '', issuer: 'argocd', groups: [], capability: 'login', tokenId: 'x', issuedAt: 0, expiresAt: undefined };
