import { describe, expect, it } from 'vitest';
import { pullPolicyOf } from './pod-spec.ts';

describe('pod specs', () => {
  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.2', 'IfNotPresent'],
    ['registry:5000/nginx', 'Always'],
    ['registry:5000/nginx:1', 'IfNotPresent'],
    [`nginx@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
  ])('says when to pull %s: %s', (image, policy) => expect(pullPolicyOf(image)).toBe(policy));
});
