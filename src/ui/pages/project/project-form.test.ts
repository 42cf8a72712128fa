import { describe, expect, it } from 'vitest';
import type { AppProject, AppProjectSpec } from '../../../contract/gen/types.ts';
import { listChanges, mergeOnto, projectText, projectToSend, readProjectText, withField, withoutEmptyRows } from './project-form.ts';

/** Everything that a project can have. */
const FULL: Required<AppProjectSpec> = {
  description: 'A shop',
  sourceRepos: ['https://git.example/shop', '!https://git.example/old'],
  sourceNamespaces: ['team-*'],
  destinations: [
    { server: 'https://one', namespace: 'shop' },
    { name: 'prod', namespace: '!kube-system' },
  ],
  destinationServiceAccounts: [{ server: '*', namespace: 'shop', defaultServiceAccount: 'deployer' }],
  permitOnlyProjectScopedClusters: true,
  clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'shop' }],
  clusterResourceBlacklist: [{ group: '*', kind: 'ClusterRole' }],
  namespaceResourceWhitelist: [{ group: 'apps', kind: '*' }],
  namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }],
  orphanedResources: { warn: true, ignore: [{ kind: 'ConfigMap', name: 'left-*' }] },
  signatureKeys: [{ keyID: '4AEE18F83AFDEB23' }],
  sourceIntegrity: {
    git: { policies: [{ repos: [{ url: 'https://git.example/*' }], gpg: { mode: 'strict', keys: ['4AEE18F83AFDEB23'] } }] },
  },
  roles: [{ name: 'ci', description: 'Robots', policies: ['p, proj:shop:ci, applications, sync, shop/*, allow'], groups: ['team'] }],
  syncWindows: [
    { kind: 'deny', schedule: '0 22 * * *', duration: '1h', applications: ['*'], manualSync: true, syncOverrun: true, timeZone: 'UTC' },
  ],
};

const project = (spec: AppProjectSpec, version = '1', labels?: Record<string, string>): AppProject => ({
  metadata: { name: 'shop', namespace: 'argocd', resourceVersion: version, uid: 'u', ...(labels && { labels }) },
  spec,
});

describe('A project as text', () => {
  it('loses nothing on the way to YAML and back', () => {
    const labels = Object.fromEntries([
      ['team', 'blue'],
      ['__proto__', 'yes'],
    ]);
    const full = project(FULL, '1', labels);
    expect(readProjectText(projectText(full), full)).toEqual(full);
    expect(listChanges(full, readProjectText(projectText(full), full))).toEqual([]);
    expect(JSON.stringify(projectToSend(full, full).metadata.labels)).toBe('{"team":"blue","__proto__":"yes"}');
  });

  it('keeps what this version does not know', () => {
    const odd = project({ ...FULL, later: { deep: [1] } } as AppProjectSpec);
    expect(readProjectText(projectText(odd), odd).spec).toEqual(odd.spec);
    expect(projectToSend(odd, withField(odd, 'description', 'new')).spec).toMatchObject({ later: { deep: [1] }, description: 'new' });
  });

  it('has no tokens in it, and sends none', () => {
    const issued = project({ roles: [{ name: 'ci', jwtTokens: [{ iat: 1, id: 'nightly' }] }] });
    expect(projectText(issued)).not.toContain('nightly');
    expect(projectToSend(issued, issued).spec.roles).toEqual([{ name: 'ci' }]);
  });

  it.each([
    ['{', /./],
    ['text', /no project/],
    ['metadata: {name: other}\nspec: {}', /cannot be changed/],
    ['metadata: {name: shop, labels: {a: 1}}\nspec: {}', /must be texts/],
  ])('%j is refused', (text, reason) => expect(() => readProjectText(text, project({}))).toThrow(reason));
});

describe('What would change', () => {
  it('is told in words, field by field', () => {
    const next = project(
      {
        ...FULL,
        destinations: [{ server: 'https://one', namespace: 'shop' }, { name: 'test' }],
        description: 'Another',
        roles: [{ ...FULL.roles[0]!, groups: [] }],
      },
      '1',
      { team: 'blue' },
    );
    expect(listChanges(project(FULL), next)).toEqual([
      { title: 'Labels', details: ['added team'] },
      { title: 'Description', details: [] },
      { title: 'Destinations', details: ['added test', 'removed prod / !kube-system'] },
      { title: 'Roles', details: ['changed ci'] },
    ]);
    const turned = project({ sourceRepos: ['b', 'a'] });
    expect(listChanges(project({ sourceRepos: ['a', 'b'] }), turned)).toEqual([
      { title: 'Source repositories', details: ['put in another order'] },
    ]);
  });

  it('is nothing for empty lists, other orders of fields, and rows that were left empty', () => {
    const odd = withoutEmptyRows(project({ destinations: [{}], sourceRepos: [''], orphanedResources: { ignore: [{ kind: '' }] } }));
    expect(listChanges(project({ orphanedResources: {} }), odd)).toEqual([]);
  });
});

describe('Two who change the same project', () => {
  const base = project({ description: 'old', sourceRepos: ['a'], destinations: [{ server: 'x' }] }, '1', { team: 'blue' });
  const theirs = project({ description: 'theirs', sourceRepos: ['a', 'b'] }, '2', { team: 'red' });

  it('keep both where they changed different things', () => {
    const mine = withField(base, 'signatureKeys', [{ keyID: 'k' }]);
    const { merged, clashes } = mergeOnto(base, mine, theirs);
    expect(clashes).toEqual([]);
    expect(merged.spec).toEqual({ ...theirs.spec, signatureKeys: [{ keyID: 'k' }] });
    expect(merged.metadata).toMatchObject({ resourceVersion: '2', labels: { team: 'red' } });
  });

  it('learn of what both changed, where the later one wins', () => {
    const { merged, clashes } = mergeOnto(base, withField(withField(base, 'description', 'mine'), 'sourceRepos', ['a', 'b']), theirs);
    expect(clashes).toEqual(['Description']);
    expect(merged.spec).toEqual({ description: 'mine', sourceRepos: ['a', 'b'] });
  });
});
