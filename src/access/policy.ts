import { adminAccount } from './account.ts';
import type { Caller } from './caller.ts';

export const policyResources = [
  'clusters',
  'projects',
  'applications',
  'applicationsets',
  'repositories',
  'write-repositories',
  'certificates',
  'accounts',
  'gpgkeys',
  'logs',
  'exec',
  'extensions',
] as const;

export const policyActions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action', 'invoke'] as const;

type Rule = { readonly resources: readonly string[]; readonly actions: readonly string[]; readonly object: string };

/** What `role:admin` may do, with what it inherits from `role:readonly`. It may not invoke extensions. */
const adminRules: readonly Rule[] = [
  {
    resources: ['applications'],
    actions: ['get', 'create', 'update', 'update/*', 'delete', 'delete/*', 'sync', 'override', 'action/*'],
    object: '*/*',
  },
  { resources: ['applicationsets'], actions: ['get', 'create', 'update', 'delete'], object: '*/*' },
  {
    resources: ['certificates', 'clusters', 'repositories', 'write-repositories', 'projects'],
    actions: ['get', 'create', 'update', 'delete'],
    object: '*',
  },
  { resources: ['accounts'], actions: ['get', 'update'], object: '*' },
  { resources: ['gpgkeys'], actions: ['get', 'create', 'delete'], object: '*' },
  { resources: ['logs'], actions: ['get'], object: '*/*' },
  { resources: ['exec'], actions: ['create'], object: '*/*' },
];

/** Who may do what. */
export interface Policy {
  isAllowed(caller: Caller, resource: string, action: string, object: string): boolean;
}

/**
 * The built-in policy, the only one until policies can be configured. While `isIncomplete`, lines that may have denied something could
 * not be read, so everything is denied: whoever can edit the policy where it is stored can mend it.
 */
export function createPolicy({ isIncomplete }: { readonly isIncomplete: () => boolean }): Policy {
  return { isAllowed: (caller, ...request) => !isIncomplete() && isAllowed(caller, ...request) };
}

function isAllowed(caller: Caller, resource: string, action: string, object: string): boolean {
  if (caller.username !== adminAccount.name) return false;
  return adminRules.some(
    (rule) =>
      rule.resources.some((pattern) => matchesGlob(pattern, resource)) &&
      rule.actions.some((pattern) => matchesGlob(pattern, action)) &&
      matchesGlob(rule.object, object),
  );
}

/** `*` stands for any text, also across slashes. */
function matchesGlob(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === text;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let position = head.length;
  for (const middle of rest) {
    const found = text.indexOf(middle, position);
    if (found === -1 || found + middle.length > text.length - tail.length) return false;
    position = found + middle.length;
  }
  return true;
}
