import { describe, expect, it } from 'vitest';
import { expireTokenCookies, formatTokenCookies, readTokenCookie } from './token-cookie.ts';

const toHeader = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

describe('AUTH-40: the token cookie', () => {
  it('WEB-08: is out of reach for scripts and other sites, and secure over TLS', () => {
    expect(formatTokenCookies('a.b.c', { secure: false })).toEqual(['argocd.token=a.b.c; path=/; SameSite=lax; httpOnly']);
    expect(formatTokenCookies('a.b.c', { secure: true })).toEqual(['argocd.token=a.b.c; path=/; SameSite=lax; httpOnly; Secure']);
  });

  it('is split where a browser would drop it, and joined again', () => {
    const token = Array.from({ length: 10_000 }, (_, index) => String(index % 10)).join('');
    const cookies = formatTokenCookies(token, { secure: true });
    expect(cookies).toHaveLength(3);
    expect(cookies[0]).toMatch(/^argocd\.token=3:0123/);
    expect(cookies[1]).toMatch(/^argocd\.token-1=/);
    for (const cookie of cookies) expect(cookie.length).toBeLessThanOrEqual(4093);
    expect(readTokenCookie(`theme=dark; ${toHeader(cookies.toReversed())}`)).toBe(token);
  });

  it('does not take more than twenty cookies', () => {
    expect(() => formatTokenCookies('x'.repeat(90_000), { secure: false })).toThrow('does not fit');
  });

  it.each([
    ['argocd.token=a.b.c', 'a.b.c'],
    ['x=1; argocd.token=a.b.c;y=2', 'a.b.c'],
    ['argocd.token=first; argocd.token=second', 'first'],
    ['argocd.token=2:ab; argocd.token-1=cd', 'abcd'],
    ['argocd.token=3:ab; argocd.token-1=cd', undefined],
    ['argocd.token=99:ab', undefined],
    ['argocd.token=0:ab', undefined],
    ['argocd.token=', undefined],
    ['argocd.tokenx=a; =b; c', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (header, token) => {
    expect(readTokenCookie(header)).toBe(token);
  });

  it('is expired part by part, and nothing else is', () => {
    expect(expireTokenCookies('a=b; argocd.token=2:x; argocd.token-1=y; argocd.token-evil=z', { secure: true })).toEqual([
      'argocd.token=; Max-Age=0; path=/; SameSite=lax; httpOnly; Secure',
      'argocd.token-1=; Max-Age=0; path=/; SameSite=lax; httpOnly; Secure',
    ]);
  });
});
