/** ApplicationSets as somebody would write them to files: every generator, and what can be said beside them. */

export interface ManifestSurroundings {
  readonly controlNamespace: string;
  /** With folders below `apps` and files `env/<name>/config.json`. */
  readonly repositoryUrl: string;
  /** The addresses of stubs. */
  readonly hosts: Readonly<Record<'github' | 'gitlab' | 'gitea' | 'bitbucketServer' | 'bitbucketCloud' | 'azure' | 'plugin', string>>;
}

/** What a set is called, what it says, and the applications that it leads to, without the name of the set in front. */
export interface SetManifest {
  readonly name: string;
  readonly spec: object;
  readonly makes: readonly string[];
}

export const tokenSecret = { secretName: 'as-provider-token', key: 'token' };
const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
const listOf = (...names: readonly string[]) => ({ list: { elements: names.map((n) => ({ n })) } });
const go = { goTemplate: true, goTemplateOptions: ['missingkey=error'] };

/** Names are the name of the set and what the text comes to. */
function set(name: string, text: string, makes: readonly string[], spec: object, template: object = {}): SetManifest {
  const source = { repoURL: 'https://git.example.com/shop.git', path: 'x', targetRevision: 'HEAD' };
  const base = { metadata: { name: `${name}-${text}` }, spec: { project: 'default', source, destination, ...template } };
  return { name, makes, spec: { template: base, ...spec } };
}

export function createManifests({ repositoryUrl, hosts }: ManifestSurroundings): readonly SetManifest[] {
  return [...plainManifests(repositoryUrl), ...combinedManifests(repositoryUrl), ...templateManifests(), ...providerManifests(hosts)];
}

function plainManifests(repoURL: string): readonly SetManifest[] {
  const git = (more: object) => ({ git: { repoURL, revision: 'main', ...more } });
  return [
    set('as-list', '{{n}}', ['a', 'b'], { generators: [listOf('a', 'b')] }),
    set('as-list-values', '{{values.v}}', ['x'], { generators: [{ list: { elements: [{ n: 'a', values: { v: 'x' } }] } }] }),
    set('as-list-yaml', '{{ .k }}', ['1', '2'], { ...go, generators: [{ list: { elements: [], elementsYaml: '- k: 1\n- k: 2\n' } }] }),
    set('as-two', '{{n}}', ['a', 'b'], { generators: [listOf('a'), listOf('b')] }),
    set('as-clusters', '{{nameNormalized}}', ['as-east', 'as-west', 'in-cluster'], { generators: [{ clusters: {} }] }),
    set('as-clusters-selected', '{{metadata.labels.as-side}}', ['left'], {
      generators: [{ clusters: { selector: { matchLabels: { 'as-side': 'left' } } } }],
    }),
    set('as-clusters-values', '{{ .values.v }}', ['as-east-left', 'as-west-right'], {
      ...go,
      generators: [
        {
          clusters: {
            selector: { matchExpressions: [{ key: 'as-side', operator: 'Exists' }] },
            values: { v: '{{ .name }}-{{ index .metadata.labels "as-side" }}' },
          },
        },
      ],
    }),
    set('as-clusters-flat', '{{ len .clusters }}', ['3'], { ...go, generators: [{ clusters: { flatList: true } }] }),
    set('as-folders', '{{path.basename}}', ['api', 'web'], { generators: [git({ directories: [{ path: 'apps/*' }] })] }),
    set('as-folders-some', '{{p.path[1]}}', ['web'], {
      generators: [git({ directories: [{ path: 'apps/*' }, { path: 'apps/api', exclude: true }], pathParamPrefix: 'p' })],
    }),
    set('as-files', '{{path.basename}}-{{size}}', ['dev-small', 'prod-large'], {
      generators: [git({ files: [{ path: 'env/*/config.json' }] })],
    }),
    set('as-files-go', '{{ .path.basename }}-{{ .deep.n }}-{{ .values.v }}', ['dev-1-config.json', 'prod-2-config.json'], {
      ...go,
      generators: [git({ files: [{ path: 'env/*/config.json' }], values: { v: '{{ .path.filename }}' } })],
    }),
  ];
}

function combinedManifests(repoURL: string): readonly SetManifest[] {
  const sized = {
    list: {
      elements: [
        { n: 'a', size: '1' },
        { n: 'b', size: '1' },
      ],
    },
  };
  const larger = {
    list: {
      elements: [
        { n: 'b', size: '2' },
        { n: 'c', size: '2' },
      ],
    },
  };
  const merge = { mergeKeys: ['n'], generators: [sized, larger] };
  const files = { git: { repoURL, revision: 'main', files: [{ path: 'env/{{e}}/config.json' }] } };
  return [
    set('as-matrix', '{{n}}-{{m}}', ['a-x', 'a-y', 'b-x', 'b-y'], {
      generators: [{ matrix: { generators: [listOf('a', 'b'), { list: { elements: [{ m: 'x' }, { m: 'y' }] } }] } }],
    }),
    set('as-matrix-clusters', '{{ .n }}-{{ .nameNormalized }}', ['a-as-east', 'a-as-west'], {
      ...go,
      generators: [
        {
          matrix: {
            generators: [listOf('a'), { clusters: { selector: { matchExpressions: [{ key: 'as-side', operator: 'Exists' }] } } }],
          },
        },
      ],
    }),
    set('as-matrix-files', '{{e}}-{{size}}', ['dev-small', 'prod-large'], {
      generators: [{ matrix: { generators: [{ list: { elements: [{ e: 'dev' }, { e: 'prod' }] } }, files] } }],
    }),
    set('as-matrix-merge', '{{m}}-{{n}}-{{size}}', ['x-a-1', 'x-b-2'], {
      generators: [{ matrix: { generators: [{ list: { elements: [{ m: 'x' }] } }, { merge }] } }],
    }),
    set('as-merge', '{{n}}-{{size}}', ['a-1', 'b-2'], { generators: [{ merge }] }),
    set('as-merge-go', '{{ .n }}-{{ .size }}', ['a-1', 'b-2'], { ...go, generators: [{ merge }] }),
    set('as-selected', '{{n}}-{{size}}', ['a-1'], { generators: [{ ...sized, selector: { matchLabels: { n: 'a' } } }] }),
  ];
}

function templateManifests(): readonly SetManifest[] {
  const patch = 'metadata:\n  annotations: {size: "{{ .n | upper }}"}\nspec:\n  syncPolicy:\n    automated: {prune: true}\n';
  const override = { metadata: { labels: { over: '{{n}}' } }, spec: { destination: { namespace: 'other' }, project: '' } };
  const step = (value: string) => ({ matchExpressions: [{ key: 'step', operator: 'In', values: [value] }], maxUpdate: '25%' });
  return [
    set('as-override', '{{n}}', ['a'], { generators: [{ list: { ...listOf('a').list, template: override } }] }),
    set('as-patch', '{{ .n | lower }}', ['a'], { ...go, templatePatch: patch, generators: [listOf('A')] }),
    set('as-policy', '{{n}}', ['a'], {
      generators: [listOf('a')],
      syncPolicy: { applicationsSync: 'create-only', preserveResourcesOnDeletion: true },
      preservedFields: { annotations: ['mine'], labels: ['mine'] },
      ignoreApplicationDifferences: [{ jsonPointers: ['/spec/source/targetRevision'], jqPathExpressions: ['.spec.syncPolicy'] }],
    }),
    set('as-steps', '{{n}}', ['a', 'b'], {
      generators: [listOf('a', 'b')],
      strategy: { type: 'RollingSync', rollingSync: { steps: [step('a'), step('b')] } },
    }),
    set(
      'as-helm',
      '{{ .n }}',
      ['a'],
      { ...go, generators: [listOf('a')] },
      {
        sources: [{ repoURL: 'https://git.example.com/{{ .n }}.git', path: 'c', helm: { valuesObject: { '{{ .n }}': ['{{ .n }}', 1] } } }],
      },
    ),
  ];
}

function providerManifests(hosts: ManifestSurroundings['hosts']): readonly SetManifest[] {
  const scm = (name: string, block: object, makes: readonly string[]) =>
    set(name, '{{repository}}-{{branchNormalized}}', makes, {
      generators: [{ scmProvider: { ...block, filters: [{ labelMatch: 'team-a' }] } }],
    });
  const pulls = (name: string, block: object, makes: readonly string[] = ['1-ada', '2-grace', '3-ada', '5-alan']) =>
    set(name, '{{number}}-{{author}}', makes, { generators: [{ pullRequest: block }] });
  const byTopic = ['shop-main', 'worker-trunk'];
  const everything = ['api-main', 'attic-master', 'shop-main', 'tools-main', 'worker-trunk'];
  const whole = (name: string, block: object) =>
    set(name, '{{ .repository | lower }}-{{ .branchNormalized }}', everything, { ...go, generators: [{ scmProvider: block }] });
  const tokenRef = tokenSecret;
  return [
    scm('as-scm-github', { github: { organization: 'acme', api: hosts.github, tokenRef } }, byTopic),
    scm('as-scm-gitlab', { gitlab: { group: 'acme', api: hosts.gitlab, tokenRef, includeSubgroups: true } }, byTopic),
    scm('as-scm-gitea', { gitea: { owner: 'acme', api: hosts.gitea, tokenRef } }, byTopic),
    whole('as-scm-bitbucket', { bitbucketServer: { project: 'acme', api: hosts.bitbucketServer, bearerToken: { tokenRef } } }),
    whole('as-scm-azure', { azureDevOps: { organization: 'acme', teamProject: 'store', api: hosts.azure, accessTokenRef: tokenRef } }),
    // These two have no field for an address: the program is told in its environment where they are.
    whole('as-scm-bitbucket-cloud', { bitbucket: { owner: 'acme', user: 'robot', appPasswordRef: tokenRef } }),
    whole('as-scm-codecommit', { awsCodeCommit: {} }),
    set('as-scm-codecommit-tags', '{{repository}}-{{branch}}', byTopic, {
      generators: [{ scmProvider: { cloneProtocol: 'https', awsCodeCommit: { tagFilters: [{ key: 'team', value: 'team-a' }] } } }],
    }),
    pulls('as-pr-github', { github: { owner: 'acme', repo: 'shop', api: hosts.github, tokenRef, labels: ['preview'] } }, [
      '1-ada',
      '3-ada',
    ]),
    pulls('as-pr-gitlab', { gitlab: { project: '101', api: hosts.gitlab, tokenRef, pullRequestState: 'opened' } }),
    pulls('as-pr-gitea', { gitea: { owner: 'acme', repo: 'shop', api: hosts.gitea, tokenRef } }),
    pulls('as-pr-bitbucket-server', {
      bitbucketServer: { project: 'acme', repo: 'shop', api: hosts.bitbucketServer, bearerToken: { tokenRef } },
    }),
    pulls('as-pr-bitbucket', { bitbucket: { owner: 'acme', repo: 'shop', api: `${hosts.bitbucketCloud}/2.0`, bearerToken: { tokenRef } } }),
    pulls('as-pr-azure', { azuredevops: { organization: 'acme', project: 'store', repo: 'shop', api: hosts.azure, tokenRef } }),
    set('as-decision', '{{name}}-{{score}}', ['as-west-7'], {
      generators: [{ clusterDecisionResource: { configMapRef: 'as-decision', name: 'as-choice', requeueAfterSeconds: 60 } }],
    }),
    set('as-plugin', '{{ .key }}', ['one', 'two'], {
      ...go,
      generators: [{ plugin: { configMapRef: { name: 'as-plugin' }, input: { parameters: { wanted: ['one', 'two'] } } } }],
    }),
  ];
}
