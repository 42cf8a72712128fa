import { expect, it } from 'vitest';
import { Code } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { createProjectTokenCheck } from './project-tokens.ts';

const shop: KubeObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { roles: [{ name: 'ci' }] },
  status: { jwtTokensByRole: { ci: { items: [{ iat: 5, id: 'one' }] } } },
};

it('does not call a token gone while projects have not been read', () => {
  const projects = { synced: false, get: (): KubeObject | undefined => undefined };
  const isIssued = createProjectTokenCheck(projects, 'argocd');
  const token = { project: 'shop', role: 'ci', id: 'one', issuedAt: 5 };
  expect(() => isIssued(token)).toThrow(expect.objectContaining({ code: Code.Unavailable }));
  projects.synced = true;
  expect(isIssued(token)).toBe(false);
  projects.get = () => shop;
  expect([isIssued(token), isIssued({ ...token, id: 'two' })]).toEqual([true, false]);
});
