import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './session.ts';

const ORIGIN = 'https://fairway.example';

describe('the way back after signing in', () => {
  it.each([
    ['/applications/argocd/web?view=tree#top', '/applications/argocd/web?view=tree#top'],
    ['https://fairway.example/settings/repos', '/settings/repos'],
    ['', '/applications'],
    ['https://evil.example/applications', '/applications'],
    ['//evil.example/applications', '/applications'],
    [String.raw`/\evil.example`, '/applications'],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['javascript:alert(1)', '/applications'],
    ['data:text/html,x', '/applications'],
    ['/login?return_url=/login', '/applications'],
  ])('%j leads to %s', (wanted, path) => {
    expect(safeReturnPath(wanted, ORIGIN)).toBe(path);
  });
});
