import { describe, expect, it } from 'vitest';
import { createGenerations } from './generations.ts';
import type { RenderRequest } from './sources.ts';

/** A revision whose folder `app` has some contents. */
function placeWith(contents: string) {
  const entries = new Map([['app', { kind: 'folder' as const, id: contents, sizeBytes: 0 }]]);
  return {
    folder: 'app',
    listing: { tree: `tree-${contents}`, parts: [], entries, links: new Map<string, string>(), fileCount: 0, sizeBytes: 0 },
  };
}

const request = (revision: string, more: Partial<RenderRequest> = {}): RenderRequest => ({
  source: { repoURL: 'a', path: 'app' },
  revision,
  application: { name: 'web', namespace: 'argocd', project: 'default' },
  destinationNamespace: '',
  manifestGeneratePaths: '.',
  isLook: true,
  ...more,
});

describe('the commit that manifests are made for', () => {
  it('stays while nothing changes of what the application says that it is made from', () => {
    const generationOf = createGenerations();
    expect(generationOf(request('r1'), placeWith('a'))).toBe('r1');
    expect(generationOf(request('r2'), placeWith('a'))).toBe('r1');
    expect(generationOf(request('r3'), placeWith('b'))).toBe('r3');
    expect(generationOf(request('r4'), placeWith('b'))).toBe('r3');
    expect(generationOf(request('r4', { manifestGeneratePaths: '' }), placeWith('b'))).toBe('r4');
  });

  it('is a new one where a commit brings back what was there before', () => {
    const generationOf = createGenerations();
    const seen = ['a', 'b', 'a', 'a'].map((contents, index) => generationOf(request(`r${index + 1}`), placeWith(contents)));
    expect(seen).toEqual(['r1', 'r2', 'r3', 'r3']);
  });

  it('is that of the time of a hard refresh', () => {
    const generationOf = createGenerations();
    generationOf(request('r1'), placeWith('a'));
    expect(generationOf(request('r2', { hard: true }), placeWith('a'))).toBe('r2');
    expect(generationOf(request('r3'), placeWith('a'))).toBe('r2');
  });

  it('does not change because somebody asks for what another commit gives', () => {
    const generationOf = createGenerations();
    const aside = { isLook: false };
    expect(generationOf(request('r1', aside), placeWith('a'))).toBe('r1');
    expect(generationOf(request('r2'), placeWith('a'))).toBe('r2');
    expect(generationOf(request('r3', aside), placeWith('b'))).toBe('r3');
    expect(generationOf(request('r4', { isLook: false, hard: true }), placeWith('a'))).toBe('r4');
    expect(generationOf(request('r5'), placeWith('a'))).toBe('r2');
    // What a sync does is what was compared.
    expect(generationOf(request('r5', aside), placeWith('a'))).toBe('r2');
  });
});
