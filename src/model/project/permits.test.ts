import { describe, expect, it } from 'vitest';
import type { ApplicationDestination, AppProject, AppProjectSpec } from '../../contract/index.ts';
import { permitsApplicationNamespace, permitsDestination, permitsKind, permitsLiveResource, permitsSource } from './permits.ts';

const project = (spec: AppProjectSpec): AppProject => ({ metadata: { name: 'team', namespace: 'argocd' }, spec });
const cluster = { server: 'https://one.example.com', name: 'one' };

describe('The sources of a project', () => {
  it.each<[string, string[], string, boolean]>([
    ['all', ['*'], 'https://git.example.com/a/b', true],
    ['none', [], 'https://git.example.com/a/b', false],
    ['the same address in another spelling', ['https://Git.example.com/A/b.git'], 'https://git.example.com/a/B', true],
    ['SSH in both forms', ['git@git.example.com:a/b.git'], 'ssh://git@git.example.com/a/b', true],
    ['one level', ['https://git.example.com/*'], 'https://git.example.com/a/b', false],
    ['every level', ['https://git.example.com/**'], 'https://git.example.com/a/b', true],
    ['all but one', ['*', '!https://git.example.com/secret'], 'https://git.example.com/secret', false],
    ['all but one, which allows the rest alone', ['!https://git.example.com/secret'], 'https://git.example.com/other', true],
  ])('may be %s', (_what, sourceRepos, repoURL, isPermitted) => {
    expect(permitsSource(project({ sourceRepos }), { repoURL })).toBe(isPermitted);
  });

  it('include the repositories that name the project', () => {
    expect(permitsSource(project({}), { repoURL: 'https://a/b' }, { scopedRepositories: ['https://a/b'] })).toBe(true);
  });
});

describe('The destinations of a project', () => {
  const all: ApplicationDestination = { server: '*', namespace: '*' };
  it.each<[string, ApplicationDestination[], string, boolean]>([
    ['none', [], 'default', false],
    ['all', [all], 'default', true],
    ['a server', [{ server: 'https://one.example.com', namespace: 'default' }], 'default', true],
    ['another server', [{ server: 'https://two.example.com', namespace: '*' }], 'default', false],
    ['a name', [{ name: 'on*', namespace: 'def*' }], 'default', true],
    ['a pattern across slashes', [{ server: 'https*', namespace: '*' }], 'default', true],
    ['not a namespace', [all, { server: '*', namespace: '!kube-system' }], 'kube-system', false],
    ['another than that namespace', [all, { server: '*', namespace: '!kube-system' }], 'default', true],
    ['not a server', [all, { server: '!https://one.example.com', namespace: '*' }], 'default', false],
    ['not a server in another namespace', [all, { server: '!https://one.example.com', namespace: 'prod' }], 'default', true],
    ['not a name', [all, { name: '!one', namespace: 'any' }], 'default', false],
  ])('may be %s', (_what, destinations, namespace, isPermitted) => {
    expect(permitsDestination(project({ destinations }), cluster, namespace)).toBe(isPermitted);
  });

  it('may be only the clusters that name the project, and are these too', () => {
    const scopedClusters = [{ ...cluster, namespaces: ['a'] }];
    expect(permitsDestination(project({}), cluster, 'a', { scopedClusters })).toBe(true);
    expect(permitsDestination(project({}), cluster, 'b', { scopedClusters })).toBe(false);
    expect(permitsDestination(project({ destinations: [all], permitOnlyProjectScopedClusters: true }), cluster, 'a')).toBe(false);
  });
});

describe('The kinds of a project', () => {
  const kind = (text: string, namespaced: boolean, name = 'one') => {
    const [group = '', own = ''] = text.split('/');
    return { group, kind: own, name, namespaced };
  };
  const any = { group: '*', kind: '*' };
  it.each<[string, AppProjectSpec, ReturnType<typeof kind>, boolean]>([
    ['with a namespace: all without lists', {}, kind('apps/Deployment', true), true],
    ['with a namespace: none with an empty list', { namespaceResourceWhitelist: [] }, kind('apps/Deployment', true), false],
    [
      'with a namespace: those in the list',
      { namespaceResourceWhitelist: [{ group: 'apps', kind: 'Dep*' }] },
      kind('apps/Deployment', true),
      true,
    ],
    ['with a namespace: not those denied', { namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] }, kind('/Secret', true), false],
    ['without a namespace: none without lists', {}, kind('/Namespace', false), false],
    ['without a namespace: those in the list', { clusterResourceWhitelist: [any] }, kind('/Namespace', false), true],
    [
      'without a namespace: not those denied',
      { clusterResourceWhitelist: [any], clusterResourceBlacklist: [{ group: '', kind: 'Node' }] },
      kind('/Node', false),
      false,
    ],
    [
      'without a namespace: by name',
      { clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'team-*' }] },
      kind('/Namespace', false, 'team-a'),
      true,
    ],
    [
      'without a namespace: not by another name',
      { clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'team-*' }] },
      kind('/Namespace', false, 'other'),
      false,
    ],
  ])('%s', (_what, spec, resource, isPermitted) => expect(permitsKind(project(spec), resource)).toBe(isPermitted));

  it('are asked of what exists, and where it is', () => {
    const team = project({ destinations: [{ server: '*', namespace: 'team' }] });
    const map = { group: '', kind: 'ConfigMap', name: 'a' };
    expect(permitsLiveResource(team, { ...map, namespace: 'team' }, cluster)).toBe(true);
    expect(permitsLiveResource(team, { ...map, namespace: 'other' }, cluster)).toBe(false);
    expect(permitsLiveResource(team, { group: '', kind: 'Node', namespace: '', name: 'n' }, cluster)).toBe(false);
  });
});

describe('The namespaces whose applications may use a project', () => {
  it.each([
    ['argocd', [], true],
    ['team-a', [], false],
    ['team-a', ['team-*'], true],
    ['team-a', ['/^team-[a-c]$/'], true],
    ['team-x', ['/^team-[a-c]$/'], false],
    ['team-a', ['/(/'], false],
    // Held against this, it would be tried for longer than anybody waits.
    [`${'a'.repeat(62)}!`, ['/^(a+)+$/'], false],
    // Nothing is repeated in these, and they would take as long (JQ-03).
    ['team-a-of-many', [`/^${'.?'.repeat(120)}!$/`], false],
    ['a'.repeat(63), [`/^${'(a|a)'.repeat(50)}!$/`], false],
    ['team-a-b', ['/^team(-[a-z]){1,2}$/', '/^team-[a-z]+-.*$/'], true],
  ])('%s with %j: %s', (namespace, sourceNamespaces, isPermitted) => {
    expect(permitsApplicationNamespace(project({ sourceNamespaces }), namespace, 'argocd')).toBe(isPermitted);
  });
});
