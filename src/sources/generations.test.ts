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
  ...more,
});

/** An application, of which each answer is the commit that manifests are made for. */
function openApplication() {
  const generationOf = createGenerations();
  const find = (revision: string, contents: string, more: Partial<RenderRequest> = {}) =>
    generationOf(request(revision, more), placeWith(contents));
  /** It is compared with a revision from now on. */
  const look = (...given: Parameters<typeof find>): string => {
    const { revision, begin } = find(...given);
    begin?.();
    return revision;
  };
  /** Somebody wants to see what a revision gives, or it gives nothing. */
  const ask = (...given: Parameters<typeof find>): string => find(...given).revision;
  return { look, ask };
}

describe('the commit that manifests are made for', () => {
  it('stays while nothing changes of what the application says that it is made from', () => {
    const { look } = openApplication();
    expect(look('r1', 'a')).toBe('r1');
    expect(look('r2', 'a')).toBe('r1');
    expect(look('r3', 'b')).toBe('r3');
    expect(look('r4', 'b')).toBe('r3');
    expect(look('r4', 'b', { manifestGeneratePaths: '' })).toBe('r4');
  });

  it('is a new one where a commit brings back what was there before', () => {
    const { look } = openApplication();
    const seen = ['a', 'b', 'a', 'a'].map((contents, index) => look(`r${index + 1}`, contents));
    expect(seen).toEqual(['r1', 'r2', 'r3', 'r3']);
  });

  it('is that of the time of a hard refresh', () => {
    const { look } = openApplication();
    look('r1', 'a');
    expect(look('r2', 'a', { hard: true })).toBe('r2');
    expect(look('r3', 'a')).toBe('r2');
  });

  it('does not change because somebody asks for what another commit gives', () => {
    const { look, ask } = openApplication();
    expect(ask('r1', 'a')).toBe('r1');
    expect(look('r2', 'a')).toBe('r2');
    expect(ask('r3', 'b')).toBe('r3');
    expect(ask('r4', 'a', { hard: true })).toBe('r4');
    expect(look('r5', 'a')).toBe('r2');
    // What a sync does is what was compared.
    expect(ask('r5', 'a')).toBe('r2');
  });
});
