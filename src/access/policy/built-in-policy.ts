import type { GroupingLine, RuleLine } from './parse-policy.ts';

type Grant = readonly [resource: string, actions: readonly string[], object: string];

const readonlyGrants: readonly Grant[] = [
  ['applications', ['get'], '*/*'],
  ['applicationsets', ['get'], '*/*'],
  ['certificates', ['get'], '*'],
  ['clusters', ['get'], '*'],
  ['repositories', ['get'], '*'],
  ['write-repositories', ['get'], '*'],
  ['projects', ['get'], '*'],
  ['accounts', ['get'], '*'],
  ['gpgkeys', ['get'], '*'],
  ['logs', ['get'], '*/*'],
];

/** Beyond what it has from `role:readonly`. It may not invoke extensions. */
const adminGrants: readonly Grant[] = [
  ['applications', ['create', 'update', 'update/*', 'delete', 'delete/*', 'sync', 'override', 'action/*'], '*/*'],
  ['applicationsets', ['get', 'create', 'update', 'delete'], '*/*'],
  ['certificates', ['create', 'update', 'delete'], '*'],
  ['clusters', ['create', 'update', 'delete'], '*'],
  ['repositories', ['create', 'update', 'delete'], '*'],
  ['write-repositories', ['create', 'update', 'delete'], '*'],
  ['projects', ['create', 'update', 'delete'], '*'],
  ['accounts', ['update'], '*'],
  ['gpgkeys', ['create', 'delete'], '*'],
  ['exec', ['create'], '*/*'],
];

export const builtInRules: readonly RuleLine[] = [...grant('role:readonly', readonlyGrants), ...grant('role:admin', adminGrants)];

export const builtInGroupings: readonly GroupingLine[] = [
  { member: 'role:admin', role: 'role:readonly' },
  { member: 'admin', role: 'role:admin' },
];

function grant(subject: string, grants: readonly Grant[]): RuleLine[] {
  return grants.flatMap(([resource, actions, object]) =>
    actions.map((action) => ({ subject, resource, action, object, effect: 'allow' as const, origin: 'built-in' as const })),
  );
}
