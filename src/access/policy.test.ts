import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { createPolicy } from './policy.ts';

const policy = createPolicy({ isIncomplete: () => false });

const admin: Caller = {
  username: 'admin',
  issuer: 'argocd',
  groups: [],
  capability: 'login',
  tokenId: 'x',
  issuedAt: 0,
  expiresAt: undefined,
};

describe('the built-in policy', () => {
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

  it('allows nothing while a part of what is configured cannot be read', () => {
    let isIncomplete = true;
    const configured = createPolicy({ isIncomplete: () => isIncomplete });
    expect(configured.isAllowed(admin, 'applications', 'get', 'a/b')).toBe(false);
    isIncomplete = false;
    expect(configured.isAllowed(admin, 'applications', 'get', 'a/b')).toBe(true);
  });

  it('allows nobody else anything', () => {
    expect(policy.isAllowed({ ...admin, username: 'Admin' }, 'applications', 'get', 'a/b')).toBe(false);
  });
});
