import { describe, expect, it } from 'vitest';
import { findKubernetesToken } from './find-token.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the token of a request', () => {
  it.each([
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer  a.b.c', 'a.b.c'],
    [basic('token:a.b.c'), 'a.b.c'],
    [basic('token:'), undefined],
    ['Digest x', undefined],
    [undefined, undefined],
  ])('is found in %s', (authorization, token) => {
    expect(findKubernetesToken({ headers: { authorization } })).toBe(token);
  });

  it('is never taken from a cookie', () => {
    expect(findKubernetesToken({ headers: { cookie: 'argocd.token=a.b.c' } })).toBeUndefined();
  });
});
