import { describe, expect, it } from 'vitest';
import { emptyDraft, findNameProblem, findStepProblem, mergeApplication, openDraft, toApplication, type Draft } from './draft.ts';

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const withSource = (source: object): Draft => mergeApplication({ ...emptyDraft, name: 'web' }, { spec: { source } });

describe('a draft', () => {
  it('is there again after a reload, for the same person', () => {
    const storage = memory();
    openDraft(storage, 'ann').set(withSource({ repoURL: 'https://git.example/a', path: 'web' }));
    expect(openDraft(storage, 'ann').get()).toEqual(withSource({ repoURL: 'https://git.example/a', path: 'web' }));
    expect(openDraft(storage, 'bob').get()).toEqual(emptyDraft);
    openDraft(storage, 'ann').forget();
    expect(storage.kept.size).toBe(0);
  });

  it('is kept without passwords', () => {
    const storage = memory();
    openDraft(storage, 'ann').set(withSource({ repoURL: 'https://ann:hush@git.example/a' }));
    expect([...storage.kept.values()].join()).not.toContain('hush');
  });

  it.each(['{', '[]', '{"spec":7,"name":[]}', '{"spec":{"source":"x","destination":null}}'])('does not stumble over %s', (text) => {
    const storage = memory();
    storage.kept.set('fairway.new-application.ann', text);
    expect(openDraft(storage, 'ann').get()).toEqual(emptyDraft);
  });

  it('becomes an application', () => {
    const draft = { ...withSource({ repoURL: 'r', path: 'p' }), isFinalized: true };
    expect(toApplication(draft)).toMatchObject({
      metadata: { name: 'web', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: { project: 'default', source: { repoURL: 'r', path: 'p' } },
    });
  });
});

describe('what a step lacks', () => {
  it.each([
    [{ repoURL: '' }, 'Name a repository'],
    [{ repoURL: 'https://a:b@git.example/x', path: '.' }, 'Take the password out of the address of the repository'],
    [{ repoURL: 'https://git.example/x' }, 'Choose a path'],
    [{ repoURL: 'https://git.example/x', chart: '' }, 'Choose a chart'],
    [{ repoURL: 'https://git.example/x', chart: 'nginx' }, 'Choose a version of the chart'],
    [{ repoURL: 'https://git.example/x', chart: 'nginx', targetRevision: '1' }, undefined],
    [{ repoURL: 'oci://registry.example/x' }, 'Choose a path'],
    [{ repoURL: 'oci://registry.example/x', path: '.' }, undefined],
    [{ repoURL: 'https://git.example/x', path: '.' }, undefined],
  ])('%j', (source, problem) => expect(findStepProblem('source', withSource(source))).toBe(problem));

  it.each([
    ['', true],
    ['web', false],
    ['web.shop-2', false],
    ['Web', true],
    ['-web', true],
    ['a'.repeat(254), true],
  ])('%s is no name: %s', (name, isWrong) => expect(findNameProblem(name) !== undefined).toBe(isWrong));
});
