import { configMap, documents, type CorpusCase } from './corpus-case.ts';

const IN_CLUSTER = 'https://kubernetes.default.svc';

/** Applications that make applications, and applications that are elsewhere. */
export function groupCases(repositoryUrl: string): readonly CorpusCase[] {
  return [...parents(repositoryUrl), ...elsewhere(), ...watched(), ...onSecond()];
}

export interface CorpusSet {
  readonly object: object;
  readonly files: Readonly<Record<string, string>>;
  /** The names of the applications that it makes. */
  readonly makes: readonly string[];
  readonly isSmall?: boolean;
}

function parents(repositoryUrl: string): CorpusCase[] {
  const child = (name: string, path: string, more: object = {}): object => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: repositoryUrl, path, targetRevision: 'HEAD' },
      destination: { server: IN_CLUSTER, namespace: 'work' },
      syncPolicy: { automated: {} },
      ...more,
    },
  });
  const family = (name: string, ...children: readonly object[]): CorpusCase => ({
    name,
    target: 'argocd',
    files: {
      'all.yaml': documents(...children),
      '../family-child-a/all.yaml': documents(configMap('family-child-a')),
      '../family-child-b/all.yaml': documents(configMap('family-child-b')),
      '../family-child-c/all.yaml': documents(configMap('family-child-c')),
    },
  });
  return [
    { ...family('family', child('family-child-a', 'family-child-a'), child('family-child-b', 'family-child-b')), isSmall: true },
    {
      ...family('family-more', child('family-child-c', 'family-child-c', { syncPolicy: {} }), child('family-child-d', 'no/such/folder')),
      expects: '',
    },
    family('grandparents', child('grandparents-child', 'grandparents-child', { destination: { server: IN_CLUSTER, namespace: 'argocd' } })),
  ].map((one) =>
    one.name === 'grandparents'
      ? {
          ...one,
          files: {
            ...one.files,
            '../grandparents-child/all.yaml': documents(
              child('grandparents-grandchild', 'family-child-a', { destination: { server: IN_CLUSTER, namespace: 'work-elsewhere' } }),
            ),
          },
        }
      : one,
  );
}

function elsewhere(): CorpusCase[] {
  return ['a', 'b', 'c', 'd', 'e'].map((letter, index) => ({
    name: 'elsewhere',
    namespace: `team-${letter}`,
    files: { [`${letter}/all.yaml`]: documents(configMap(`elsewhere-${letter}`)) },
    source: { path: `elsewhere/${letter}` },
    spec: { project: index === 4 ? 'confined' : 'teams' },
    target: 'work-elsewhere',
    ...(index === 4 && { expects: 'Unknown Unknown' }),
    ...(index === 0 && { isSmall: true }),
  }));
}

/** In a project that wants to know what belongs to nobody. */
function watched(): CorpusCase[] {
  return [
    { name: 'watched-a', files: { 'all.yaml': documents(configMap('watched-a')) }, spec: { project: 'watched' }, target: 'work-watched' },
    {
      name: 'watched-b',
      files: { 'all.yaml': documents(configMap('watched-b')) },
      spec: { project: 'watched-silently' },
      target: 'work-watched',
    },
  ];
}

/** On a cluster that is registered by a Secret. */
function onSecond(): CorpusCase[] {
  const on = (name: string, destination: object, more: Partial<CorpusCase> = {}): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(configMap(name)) },
    spec: { destination },
    ...more,
  });
  return [
    on('second-by-name', { name: 'second', namespace: 'work-second' }, { isSmall: true }),
    on('second-elsewhere', { name: 'second', namespace: 'nowhere-on-second' }, { isManual: true, expects: 'OutOfSync Missing' }),
  ];
}

/** Sets of several kinds, each with applications of its own. */
export function corpusSets(repositoryUrl: string): readonly CorpusSet[] {
  const template = (name: string, path: string, more: object = {}): object => ({
    metadata: { name, labels: { made: 'by-a-set' } },
    spec: {
      project: 'default',
      source: { repoURL: repositoryUrl, path, targetRevision: 'HEAD' },
      destination: { server: IN_CLUSTER, namespace: 'work' },
      syncPolicy: { automated: {} },
      ...more,
    },
  });
  const set = (name: string, spec: object): object => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec,
  });
  const folders = (family: string, ...names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [`${family}/${name}/all.yaml`, documents(configMap(`${family}-${name}`))]));
  const go = { goTemplate: true, goTemplateOptions: ['missingkey=error'] };
  const git = (more: object): object => ({ git: { repoURL: repositoryUrl, revision: 'HEAD', ...more } });
  const list = (...elements: readonly object[]): object => ({ list: { elements } });
  return [
    {
      object: set('set-list', {
        ...go,
        generators: [list({ name: 'a' }, { name: 'b' }, { name: 'c' })],
        template: template('set-list-{{.name}}', 'set-list/{{.name}}'),
      }),
      files: folders('set-list', 'a', 'b', 'c'),
      makes: ['set-list-a', 'set-list-b', 'set-list-c'],
      isSmall: true,
    },
    {
      object: set('set-plain', {
        generators: [list({ name: 'a' }, { name: 'b' })],
        template: template('set-plain-{{name}}', 'set-plain/{{name}}'),
      }),
      files: folders('set-plain', 'a', 'b'),
      makes: ['set-plain-a', 'set-plain-b'],
    },
    {
      object: set('set-folders', {
        ...go,
        generators: [git({ directories: [{ path: 'set-folders/*' }, { path: 'set-folders/not', exclude: true }] })],
        template: template('set-folders-{{.path.basename}}', '{{.path.path}}'),
      }),
      files: folders('set-folders', 'a', 'b', 'c', 'not'),
      makes: ['set-folders-a', 'set-folders-b', 'set-folders-c'],
    },
    {
      object: set('set-files', {
        ...go,
        generators: [git({ files: [{ path: 'set-files/*/config.json' }] })],
        template: template('set-files-{{.who}}', '{{.path.path}}', {
          source: { repoURL: repositoryUrl, path: '{{.path.path}}', targetRevision: 'HEAD', directory: { exclude: 'config.json' } },
        }),
      }),
      files: {
        ...folders('set-files', 'a', 'b'),
        'set-files/a/config.json': '{"who": "ada"}',
        'set-files/b/config.json': '{"who": "bob"}',
      },
      makes: ['set-files-ada', 'set-files-bob'],
    },
    {
      object: set('set-matrix', {
        ...go,
        generators: [{ matrix: { generators: [list({ name: 'a' }, { name: 'b' }), list({ stage: 'x' }, { stage: 'y' })] } }],
        template: template('set-matrix-{{.name}}-{{.stage}}', 'set-matrix/{{.name}}{{.stage}}'),
      }),
      files: folders('set-matrix', 'ax', 'ay', 'bx', 'by'),
      makes: ['set-matrix-a-x', 'set-matrix-a-y', 'set-matrix-b-x', 'set-matrix-b-y'],
    },
    {
      object: set('set-merge', {
        ...go,
        generators: [
          {
            merge: {
              mergeKeys: ['name'],
              generators: [list({ name: 'a', path: 'a' }, { name: 'b', path: 'a' }), list({ name: 'b', path: 'b' })],
            },
          },
        ],
        template: template('set-merge-{{.name}}', 'set-merge/{{.path}}'),
      }),
      files: folders('set-merge', 'a', 'b'),
      makes: ['set-merge-a', 'set-merge-b'],
    },
    {
      object: set('set-clusters', {
        ...go,
        generators: [{ clusters: {} }],
        template: template('set-clusters-{{.name}}', 'set-clusters/all', {
          destination: { server: '{{.server}}', namespace: 'work-{{.name}}' },
        }),
      }),
      files: folders('set-clusters', 'all'),
      makes: ['set-clusters-in-cluster', 'set-clusters-second'],
    },
    {
      object: set('set-plugin', {
        ...go,
        generators: [{ plugin: { configMapRef: { name: 'corpus-plugin' }, input: { parameters: { who: 'ada' } } } }],
        template: template('set-plugin-{{.name}}', 'set-plugin/{{.name}}'),
      }),
      files: folders('set-plugin', 'a', 'b'),
      makes: ['set-plugin-a', 'set-plugin-b'],
      isSmall: true,
    },
    {
      object: set('set-decisions', {
        ...go,
        generators: [{ clusterDecisionResource: { configMapRef: 'corpus-decisions', name: 'chosen' } }],
        template: template('set-decisions-{{.name}}', 'set-decisions/all', {
          destination: { name: '{{.name}}', namespace: 'work-second' },
        }),
      }),
      files: folders('set-decisions', 'all'),
      makes: ['set-decisions-second'],
      isSmall: true,
    },
    {
      object: set('set-patch', {
        ...go,
        generators: [list({ name: 'a' })],
        template: template('set-patch-{{.name}}', 'set-patch/a'),
        templatePatch: 'metadata: {annotations: {patched: "yes"}}',
      }),
      files: folders('set-patch', 'a'),
      makes: ['set-patch-a'],
    },
    {
      object: set('set-policy', {
        ...go,
        syncPolicy: { applicationsSync: 'create-only', preserveResourcesOnDeletion: true },
        generators: [list({ name: 'a' })],
        template: template('set-policy-{{.name}}', 'set-policy/a'),
      }),
      files: folders('set-policy', 'a'),
      makes: ['set-policy-a'],
    },
    {
      object: set('set-broken', { ...go, generators: [list({ name: 'a' })], template: template('set-broken-{{.absent}}', 'set-policy/a') }),
      files: {},
      makes: [],
    },
    {
      object: set('set-rolling', {
        ...go,
        strategy: {
          type: 'RollingSync',
          rollingSync: { steps: [{ matchExpressions: [{ key: 'made', operator: 'In', values: ['by-a-set'] }] }] },
        },
        generators: [list({ name: 'a' })],
        template: template('set-rolling-{{.name}}', 'set-rolling/a', { syncPolicy: {} }),
      }),
      files: folders('set-rolling', 'a'),
      makes: ['set-rolling-a'],
    },
  ];
}
