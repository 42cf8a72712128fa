import { describe, expect, it } from 'vitest';
import { parseSet, setToYaml } from './set-yaml.ts';

const set = {
  metadata: {
    name: 'shop',
    namespace: 'argocd',
    uid: '1',
    resourceVersion: '5',
    labels: { team: 'web' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'argocd.argoproj.io/application-set-refresh': 'true',
      note: 'kept',
    },
  },
  spec: { generators: [{ list: { elements: [] } }], template: { metadata: {}, spec: { project: 'default', destination: {} } } },
  status: { resourcesCount: 3 },
};

describe('the text of a set', () => {
  it('has what people write, and can be read again', () => {
    const text = setToYaml(set);
    expect(text).not.toMatch(/last-applied|set-refresh|resourceVersion|uid|resourcesCount/);
    expect(parseSet(text)).toEqual({
      metadata: { name: 'shop', namespace: 'argocd', labels: { team: 'web' }, annotations: { note: 'kept' } },
      spec: set.spec,
    });
  });

  it('leaves out templates that say nothing, and nothing that somebody wrote', () => {
    const empty = { metadata: {}, spec: { project: '', destination: {} } };
    const element = { template: empty };
    const generators = [
      { list: { elements: [element], template: empty } },
      { matrix: { generators: [{ clusters: { template: empty } }], template: { ...empty, metadata: { name: 'a' } } } },
    ];
    const shown = parseSet(setToYaml({ ...set, spec: { ...set.spec, generators } }));
    expect(shown.spec.generators).toEqual([
      { list: { elements: [element] } },
      { matrix: { generators: [{ clusters: {} }], template: { ...empty, metadata: { name: 'a' } } } },
    ]);
  });

  it.each([
    ['a: [', /not YAML/],
    ['- a', /not an object/],
    ['kind: Application', /This is of kind "Application", not ApplicationSet/],
    ['kind: ApplicationSet\nmetadata: {}', /has no name/],
    ['metadata: {name: a}', /has no spec/],
    ['metadata: {name: a}\nspec: {template: {}}', /no generators/],
    ['metadata: {name: a}\nspec: {generators: []}', /no template/],
  ])('says what is wrong: %s', (text, message) => expect(() => parseSet(text)).toThrow(message));
});
