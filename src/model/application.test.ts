import { describe, expect, it } from 'vitest';
import type { Application, ApplicationSpec, AppProject } from '../contract/index.ts';
import { describeProblems, findManagedByUrlProblem, findProjectProblems, findSpecProblems } from './application-conditions.ts';
import { findDestination } from './destination.ts';
import { applicationInstanceName, parseInstanceName } from './instance-name.ts';
import { normalizeRepositoryUrl } from './normalize-repository-url.ts';
import { normalizeSpec, sameApplication } from './normalize-application.ts';
import { applicationToObject, readApplication } from './read-objects.ts';
import { hasMultipleSources, sourcesOf } from './sources-of.ts';

const destination = { server: 'https://one', namespace: 'prod' };
const application = (spec: Partial<ApplicationSpec>, metadata: Application['metadata'] = {}): Application => ({
  metadata: { name: 'web', namespace: 'argocd', ...metadata },
  spec: { project: 'team', destination, ...spec },
});
const source = { repoURL: 'https://git/a', path: '.' };

describe('The spec of an application', () => {
  const missing = 'spec.source.repoURL and either spec.source.path or spec.source.chart are required';
  const hydrator = {
    drySource: { repoURL: 'https://git/dry', path: '.', targetRevision: 'HEAD' },
    syncSource: { targetBranch: 'env', path: 'out' },
  };
  it.each<[string, Partial<ApplicationSpec>, string[]]>([
    ['without a source', {}, [missing]],
    ['without a path', { source: { repoURL: 'https://git/a' } }, [missing]],
    ['without a path, for nobody to refer to', { source: { repoURL: 'https://git/a', ref: 'values' } }, [missing]],
    ['without a repository', { source: { repoURL: '', path: '.' } }, [missing]],
    [
      'with a chart of no version',
      { source: { repoURL: 'https://charts', chart: 'web' } },
      ['spec.source.targetRevision is required if the manifest source is a helm chart'],
    ],
    ['with a path', { source }, []],
    ['with a source for reference', { sources: [source, { repoURL: 'https://git/b', ref: 'values' }] }, []],
    [
      'with two sources of one name',
      {
        sources: [
          { ...source, name: 'a' },
          { ...source, name: 'a' },
        ],
      },
      ['application web has duplicate source name: a'],
    ],
    [
      'with two sources under one reference',
      { sources: [source, { repoURL: 'https://git/b', ref: 'a' }, { repoURL: 'https://git/c', ref: 'a' }] },
      ['invalid sources: multiple sources had the same `ref` key'],
    ],
    [
      'with a reference that could be a path',
      { sources: [source, { repoURL: 'https://git/b', ref: 'a/b' }] },
      ["sources.ref a/b cannot contain any special characters except '_' and '-'"],
    ],
    ['with a hydrator', { sourceHydrator: hydrator }, []],
    [
      'with half a hydrator',
      { sourceHydrator: { ...hydrator, syncSource: { targetBranch: '', path: '' }, hydrateTo: { targetBranch: '' } } },
      [
        'spec.sourceHydrator.syncSource.targetBranch is required',
        'when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required',
      ],
    ],
  ])('%s', (_what, spec, messages) => {
    expect(findSpecProblems(application(spec)).map(({ message }) => message)).toEqual(messages);
  });

  it.each([
    '..',
    '../x',
    'a/../../x',
    '/etc',
    '\\x',
    'C:/x',
    '.git/hooks',
    'a/.git/hooks',
    '.GIT/config',
    '.git./hooks',
    'git~1/hooks',
    'a\0b',
  ])('PATH-16: a hydrator is not led to %j', (path) => {
    const messages = (paths: { dry: string; sync: string }) =>
      findSpecProblems(
        application({
          sourceHydrator: {
            ...hydrator,
            drySource: { ...hydrator.drySource, path: paths.dry },
            syncSource: { ...hydrator.syncSource, path: paths.sync },
          },
        }),
      ).map(({ message }) => message);
    const refusal = (field: string) => [`spec.sourceHydrator.${field}.path must stay inside of the repository, and out of .git`];
    expect(messages({ dry: 'in', sync: path })).toEqual(refusal('syncSource'));
    expect(messages({ dry: path, sync: 'out' })).toEqual(refusal('drySource'));
    expect(messages({ dry: 'in/.github', sync: 'out/a..b/.gitops' })).toEqual([]);
  });

  it('is refused with all that is wrong', () => {
    const project: AppProject = { metadata: { name: 'team' }, spec: { sourceRepos: [], destinations: [] } };
    const one = application({ source });
    expect(describeProblems(one, findProjectProblems(one, project, { server: 'https://one', name: 'one' }))).toBe(
      "application spec for web is invalid: InvalidSpecError: application repo https://git/a is not permitted in project 'team';" +
        "InvalidSpecError: application destination server 'https://one' and namespace 'prod' do not match any of the allowed destinations in project 'team'",
    );
    expect(describeProblems(one, [])).toBe('');
  });

  it('knows a bad address of another control plane', () => {
    const url = (address: string) =>
      findManagedByUrlProblem(application({}, { annotations: { 'argocd.argoproj.io/managed-by-url': address } }));
    expect(url('https://argo.example.com')).toBeUndefined();
    expect(url('ftp://argo')?.message).toMatch(/^invalid managed-by URL: /);
    expect(url('nonsense')?.message).toMatch(/^invalid managed-by URL: /);
  });

  it('is kept without what says nothing', () => {
    const spec = {
      project: '',
      destination,
      source: { ...source, kustomize: {}, helm: { values: '' }, directory: { recurse: false, jsonnet: {} } },
      syncPolicy: {},
    };
    expect(normalizeSpec(spec)).toEqual({ project: 'default', destination, source });
    expect(normalizeSpec({ project: 'a', destination, syncPolicy: { automated: {} } }).syncPolicy).toEqual({ automated: {} });
  });

  it('is the same as another that means the same', () => {
    const one = application({ source });
    expect(sameApplication(one, application({ source: { ...source, helm: {} } }, { labels: {} }))).toBe(true);
    expect(sameApplication(one, application({ source: { ...source, path: 'b' } }))).toBe(false);
    expect(sameApplication(one, application({ source }, { finalizers: ['a'] }))).toBe(false);
  });

  it('names its sources, whichever way', () => {
    expect(sourcesOf(application({}))).toEqual([]);
    expect(sourcesOf(application({ source }))).toEqual([source]);
    expect(sourcesOf(application({ source, sources: [{ repoURL: 'b' }] }))).toEqual([{ repoURL: 'b' }]);
    expect(sourcesOf(application({ sourceHydrator: hydrator }))).toEqual([
      { repoURL: 'https://git/dry', path: 'out', targetRevision: 'env' },
    ]);
    expect(hasMultipleSources(application({ sources: [source] }))).toBe(true);
    expect(hasMultipleSources(application({ source }))).toBe(false);
  });
});

describe('A destination', () => {
  const clusters = [
    { server: 'https://one/', name: 'one' },
    { server: 'https://two', name: 'same' },
    { server: 'https://three', name: 'same' },
  ];
  it.each([
    [{ name: 'a', server: 'b' }, "application destination can't have both name and server defined: a b"],
    [{}, 'Destination server missing from app spec'],
    [{ name: 'none' }, 'there are no clusters with this name: none'],
    [{ name: 'same' }, 'there are 2 clusters with the same name: [https://two https://three]'],
    [
      { server: 'https://x' },
      'error getting cluster by server "https://x": rpc error: code = NotFound desc = cluster "https://x" not found',
    ],
    [
      { server: 'https://kubernetes.default.svc' },
      'error getting cluster by server "https://kubernetes.default.svc": rpc error: code = NotFound desc = cluster "https://kubernetes.default.svc" is disabled',
    ],
  ])('%j is refused', (given, message) => expect(() => findDestination(given, clusters)).toThrow(message));

  it('is found by server with or without a slash, and by name', () => {
    expect(findDestination({ server: 'https://one' }, clusters).name).toBe('one');
    expect(findDestination({ name: 'one' }, clusters).server).toBe('https://one/');
  });
});

describe('Names', () => {
  it('of instances have the namespace in front outside the control plane', () => {
    expect(applicationInstanceName(application({}), 'argocd')).toBe('web');
    expect(applicationInstanceName(application({}, { namespace: 'team' }), 'argocd')).toBe('team_web');
    expect(parseInstanceName('team_web', 'argocd')).toEqual({ namespace: 'team', name: 'web' });
    expect(parseInstanceName('web', 'argocd')).toEqual({ namespace: 'argocd', name: 'web' });
  });

  it.each([
    ['https://Git.example.com/A.git', 'https://git.example.com/a'],
    ['git@git.example.com:a/b.git', 'git@git.example.com/a/b'],
    ['ssh://git@git.example.com/a/b', 'git@git.example.com/a/b'],
    [' https://a/b ', 'https://a/b'],
  ])('of repositories: %s', (address, normalized) => expect(normalizeRepositoryUrl(address)).toBe(normalized));
});

describe('An application', () => {
  it('goes into the home API and comes back', () => {
    const object = applicationToObject(application({ source }));
    expect(object).toMatchObject({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' });
    expect(readApplication(object).spec).toEqual(application({ source }).spec);
    expect(readApplication({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: {} }).spec).toEqual({
      destination: {},
      project: '',
    });
  });
});
