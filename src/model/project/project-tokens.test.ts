import { describe, expect, it } from 'vitest';
import type { AppProject } from '../../contract/index.ts';
import { findProjectToken, projectTokensOf, withOwnTokens, withProjectTokens, withTokensOf } from './project-tokens.ts';

const project = (roles: AppProject['spec']['roles'], byRole?: Record<string, { items: { iat: number; id?: string }[] }>): AppProject => ({
  metadata: { name: 'shop' },
  spec: { ...(roles && { roles }) },
  ...(byRole && { status: { jwtTokensByRole: byRole } }),
});
const ids = (given: AppProject, role: string) => projectTokensOf(given, role).map(({ id }) => id);

describe('The tokens of a role', () => {
  it('are those of the spec and of the status, newest first, each once', () => {
    const given = project([{ name: 'ci', jwtTokens: [{ iat: 1 }, { iat: 3, id: 'c' }] }], {
      ci: {
        items: [
          { iat: 2, id: 'b' },
          { iat: 3, id: 'c' },
        ],
      },
    });
    expect(ids(given, 'ci')).toEqual(['c', 'b', '1']);
  });

  it('go with their role, whatever the status remembers', () => {
    const given = project([{ name: 'other' }], { ci: { items: [{ iat: 2, id: 'b' }] } });
    expect(ids(given, 'ci')).toEqual([]);
    expect(withOwnTokens(given)).toEqual(project([{ name: 'other' }]));
  });

  it('are nobody’s where a role has the name of something that every object has', () => {
    expect(ids(project([{ name: 'constructor' }, { name: '__proto__' }]), 'constructor')).toEqual([]);
    expect(ids(project([{ name: '__proto__' }], {}), '__proto__')).toEqual([]);
    const kept = withProjectTokens(project([{ name: '__proto__' }]), '__proto__', [{ iat: 1, id: 'a' }]);
    expect(Object.keys(kept.status?.jwtTokensByRole ?? {})).toEqual(['__proto__']);
    expect(ids(kept, '__proto__')).toEqual(['a']);
  });

  it('are found by id before their time', () => {
    const given = project([
      {
        name: 'ci',
        jwtTokens: [
          { iat: 5, id: 'a' },
          { iat: 6, id: 'b' },
        ],
      },
    ]);
    expect(findProjectToken(given, 'ci', { id: 'b', issuedAt: 5 })?.id).toBe('b');
    expect(findProjectToken(given, 'ci', { id: 'gone', issuedAt: 5 })?.id).toBe('a');
    expect(findProjectToken(given, 'ci', { issuedAt: 6 })?.id).toBe('b');
    expect(findProjectToken(given, 'ci', { id: 'gone', issuedAt: 7 })).toBeUndefined();
    expect(findProjectToken(given, 'no', { id: 'a' })).toBeUndefined();
  });

  it('are kept in both places', () => {
    const kept = withProjectTokens(project([{ name: 'ci' }, { name: 'other', jwtTokens: [{ iat: 1, id: 'x' }] }]), 'ci', [
      { iat: 2, id: 'y' },
    ]);
    expect(kept.spec.roles).toEqual([
      { name: 'ci', jwtTokens: [{ iat: 2, id: 'y' }] },
      { name: 'other', jwtTokens: [{ iat: 1, id: 'x' }] },
    ]);
    expect(kept.status?.jwtTokensByRole).toEqual({ ci: { items: [{ iat: 2, id: 'y' }] }, other: { items: [{ iat: 1, id: 'x' }] } });
    expect(withProjectTokens(kept, 'ci', []).status?.jwtTokensByRole).toEqual({ other: { items: [{ iat: 1, id: 'x' }] } });
  });

  it('are those that there were, not those that somebody writes', () => {
    const existing = withOwnTokens(project([{ name: 'ci', jwtTokens: [{ iat: 1, id: 'real' }] }]));
    const written = project([
      { name: 'ci', jwtTokens: [{ iat: 9, id: 'forged' }] },
      { name: 'new', jwtTokens: [{ iat: 9, id: 'forged' }] },
    ]);
    const kept = withTokensOf(written, existing);
    expect(ids(kept, 'ci')).toEqual(['real']);
    expect(ids(kept, 'new')).toEqual([]);
  });
});
