import type { KubeObject } from '../../../../src/objects/index.ts';
import { brokenCases } from './broken-cases.ts';
import { definition, type CorpusCase, type Drift } from './corpus-case.ts';
import { corpusSets, groupCases } from './group-cases.ts';
import { packageCases, packageRepositories } from './package-cases.ts';
import { plainCases } from './plain-cases.ts';
import { syncCases } from './sync-cases.ts';
import { toolCases } from './tool-cases.ts';

export interface ExpectedApplication {
  /** `namespace/name`. */
  readonly key: string;
  /** Sync and health; empty where they are whatever they are. */
  readonly state: string;
  /** The same before anybody did anything by hand. */
  readonly deployedState: string;
}

/** Everything that the story of a take-over deploys. */
export interface Corpus {
  readonly files: Readonly<Record<string, string>>;
  /** Before anything else: namespaces, projects, settings. */
  readonly objects: readonly KubeObject[];
  readonly applications: readonly KubeObject[];
  readonly sets: readonly KubeObject[];
  /** With those that others make. */
  readonly expected: readonly ExpectedApplication[];
  readonly drift: readonly (Drift & { readonly namespace: string })[];
}

const IN_CLUSTER = 'https://kubernetes.default.svc';
const NAMESPACES = [
  'work',
  'work-in-cluster',
  'work-second',
  'work-limits',
  'work-elsewhere',
  'work-watched',
  'work-files',
  'team-a',
  'team-b',
  'team-c',
  'team-d',
  'team-e',
  'forbidden',
];
/** Made by applications of the corpus. */
const CHILDREN = ['family-child-a', 'family-child-b', 'family-child-c', 'family-child-d', 'grandparents-child', 'grandparents-grandchild'];
const SMALL_CHILDREN = ['family-child-a', 'family-child-b'];

/** What the corpus is about lives at these addresses. */
export interface CorpusAddresses {
  readonly repositoryUrl: string;
  /** Of a plugin for application sets. */
  readonly generatorUrl: string;
  /** Of a repository of charts. */
  readonly chartsUrl: string;
  /** Of a registry, `host:port`. */
  readonly registryHost: string;
}

/** The applications, all or a few of each sort. */
export function createCorpus(addresses: CorpusAddresses, size: 'whole' | 'small'): Corpus {
  const { repositoryUrl, generatorUrl } = addresses;
  const isTaken = ({ isSmall }: { readonly isSmall?: boolean }): boolean => size === 'whole' || isSmall === true;
  const written = [...plainCases(), ...toolCases(), ...syncCases(), ...brokenCases(), ...groupCases(repositoryUrl)];
  const cases = [...written, ...packageCases(addresses)].filter(isTaken);
  const sets = corpusSets(repositoryUrl).filter(isTaken);
  const children = size === 'whole' ? CHILDREN : SMALL_CHILDREN;
  return {
    files: Object.assign({}, ...cases.map(filesOf), ...sets.map((set) => set.files)) as Record<string, string>,
    objects: [
      ...NAMESPACES.map(namespace),
      ...projects(repositoryUrl),
      repository(repositoryUrl),
      ...packageRepositories(addresses),
      ...generatorObjects(generatorUrl),
    ],
    applications: cases.map((one) => toApplication(one, repositoryUrl)),
    sets: sets.map(({ object }) => object as KubeObject),
    expected: [
      ...cases.map(expectationOf),
      ...[...children, ...sets.flatMap(({ makes }) => makes)].map((name) => ({ key: `argocd/${name}`, state: '', deployedState: '' })),
    ],
    drift: cases.flatMap(({ drift = [], target = 'work' }) => drift.map((one) => ({ ...one, namespace: target }))),
  };
}

function expectationOf({ namespace = 'argocd', name, expects = 'Synced Healthy', drift }: CorpusCase): ExpectedApplication {
  return {
    key: `${namespace}/${name}`,
    state: expects,
    deployedState: drift === undefined || drift.length === 0 ? expects : 'Synced Healthy',
  };
}

function filesOf({ name, files = {} }: CorpusCase): Record<string, string> {
  const place = (path: string): string => (path.startsWith('../') ? path.slice(3) : `${name}/${path}`);
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [place(path), content]));
}

function toApplication(one: CorpusCase, repositoryUrl: string): KubeObject {
  const { name, namespace = 'argocd', target = 'work', source = {}, whole, sources, spec = {}, metadata = {}, isManual = false } = one;
  const only = { source: whole ?? { repoURL: repositoryUrl, path: name, targetRevision: 'HEAD', ...source } };
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, ...metadata },
    spec: {
      project: 'default',
      ...(sources === undefined ? only : { sources: sources(repositoryUrl) }),
      destination: { server: IN_CLUSTER, namespace: target },
      // What fails, fails at once: to try again takes minutes and changes nothing.
      ...(isManual ? {} : { syncPolicy: { automated: {}, retry: { limit: canFail(one) ? 0 : 5 } } }),
      ...spec,
    },
  };
  return JSON.parse(JSON.stringify(object)) as KubeObject;
}

/** What generators of application sets read. */
function generatorObjects(generatorUrl: string): KubeObject[] {
  const inHome = (name: string, more: object = {}): object => ({ name, namespace: 'argocd', ...more });
  const partOf = { labels: { 'app.kubernetes.io/part-of': 'argocd' } };
  const decisions = { apiVersion: 'corpus.example.com/v1', kind: 'placements', statusListKey: 'decisions', matchKey: 'clusterName' };
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: inHome('corpus-plugin', partOf), stringData: { token: 'plugin-token' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: inHome('corpus-plugin'),
      data: { baseUrl: generatorUrl, token: '$corpus-plugin:token' },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: inHome('corpus-decisions'), data: decisions },
    definition('placements', 'Placement'),
    {
      apiVersion: 'corpus.example.com/v1',
      kind: 'Placement',
      metadata: inHome('chosen'),
      status: { decisions: [{ clusterName: 'second' }] },
    },
  ] as KubeObject[];
}

function repository(url: string): KubeObject {
  const labels = { 'argocd.argoproj.io/secret-type': 'repository' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'corpus-repository', namespace: 'argocd', labels },
    stringData: { type: 'git', url },
  };
}

function canFail({ expects = 'Synced Healthy' }: CorpusCase): boolean {
  return !expects.startsWith('Synced');
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

function projects(repositoryUrl: string): KubeObject[] {
  const anywhere = [{ server: '*', namespace: '*' }];
  const project = (name: string, spec: object): KubeObject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: anywhere, ...spec },
  });
  return [
    project('confined', { sourceRepos: [repositoryUrl], destinations: [{ server: IN_CLUSTER, namespace: 'work' }] }),
    project('other-sources', { sourceRepos: ['https://git.example.com/*'] }),
    project('teams', { sourceNamespaces: ['team-*'] }),
    project('watched', { orphanedResources: { warn: true } }),
    project('watched-silently', { orphanedResources: { warn: false } }),
  ];
}
