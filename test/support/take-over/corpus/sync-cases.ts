import { annotated, configMap, custom, definition, deployment, documents, job, service, type CorpusCase } from './corpus-case.ts';

/** How things are synced, what is ignored, and what somebody did by hand afterwards. */
export function syncCases(): readonly CorpusCase[] {
  return [...hookCases(), ...optionCases(), ...customCases(), ...ignoreCases(), ...driftCases()];
}

const HOOK = 'argocd.argoproj.io/hook';
const WAVE = 'argocd.argoproj.io/sync-wave';
const OPTIONS = 'argocd.argoproj.io/sync-options';
const COMPARE = 'argocd.argoproj.io/compare-options';

function hookCases(): CorpusCase[] {
  const withHook = (name: string, hook: string, more: object = {}, command: readonly string[] = ['true']): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(configMap(name), job(`${name}-hook`, command, { annotations: { [HOOK]: hook, ...more } })) },
  });
  const policy = 'argocd.argoproj.io/hook-delete-policy';
  return [
    { ...withHook('hook-pre', 'PreSync'), isSmall: true },
    withHook('hook-sync', 'Sync'),
    withHook('hook-post', 'PostSync'),
    withHook('hook-fail', 'SyncFail'),
    withHook('hook-skip', 'Skip'),
    withHook('hook-two', 'PreSync,PostSync'),
    withHook('hook-succeeded', 'PostSync', { [policy]: 'HookSucceeded' }),
    withHook('hook-before', 'PreSync', { [policy]: 'BeforeHookCreation' }),
    withHook('hook-delete', 'PostDelete'),
    {
      name: 'waves',
      files: { 'all.yaml': documents(...[-1, 0, 2, 5].map((wave) => annotated(`waves-${wave + 1}`, { [WAVE]: String(wave) }))) },
      isSmall: true,
    },
    {
      name: 'waves-workloads',
      files: {
        'all.yaml': documents(
          annotated('waves-workloads-first', { [WAVE]: '-5' }),
          deployment('waves-workloads'),
          annotated('waves-workloads-last', { [WAVE]: '5' }),
        ),
      },
    },
    {
      name: 'hook-config',
      files: { 'all.yaml': documents(configMap('hook-config'), annotated('hook-config-hook', { [HOOK]: 'PreSync' })) },
    },
  ];
}

function optionCases(): CorpusCase[] {
  const withOptions = (name: string, ...syncOptions: readonly string[]): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(deployment(name), service(name), configMap(name)) },
    spec: { syncPolicy: { automated: {}, syncOptions } },
  });
  return [
    { ...withOptions('option-server-side', 'ServerSideApply=true'), isSmall: true },
    withOptions('option-replace', 'Replace=true'),
    withOptions('option-out-of-sync-only', 'ApplyOutOfSyncOnly=true'),
    withOptions('option-no-validation', 'Validate=false'),
    withOptions('option-prune-last', 'PruneLast=true'),
    { ...withOptions('option-namespace', 'CreateNamespace=true'), target: 'work-option-namespace' },
    {
      ...withOptions('option-namespace-metadata', 'CreateNamespace=true'),
      target: 'work-option-metadata',
      spec: {
        syncPolicy: {
          automated: {},
          syncOptions: ['CreateNamespace=true'],
          managedNamespaceMetadata: { labels: { team: 'corpus' }, annotations: { note: 'made' } },
        },
      },
    },
    { ...withOptions('option-heal'), spec: { syncPolicy: { automated: { prune: true, selfHeal: true }, retry: { limit: 2 } } } },
    {
      name: 'option-object',
      files: {
        'all.yaml': documents(
          annotated('option-object-a', { [OPTIONS]: 'ServerSideApply=true' }),
          annotated('option-object-b', { [OPTIONS]: 'Prune=false,Delete=false' }),
        ),
      },
    },
    {
      ...withOptions('option-server-diff', 'ServerSideApply=true'),
      metadata: { annotations: { [COMPARE]: 'ServerSideDiff=true' } },
      isSmall: true,
    },
    {
      ...withOptions('option-server-diff-client'),
      metadata: { annotations: { [COMPARE]: 'ServerSideDiff=true,IncludeMutationWebhook=true' } },
    },
    { name: 'option-history', files: { 'all.yaml': documents(configMap('option-history')) }, spec: { revisionHistoryLimit: 1 } },
    {
      name: 'option-finalizer',
      files: { 'all.yaml': documents(configMap('option-finalizer')) },
      metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    },
    {
      name: 'option-skip',
      files: { 'all.yaml': documents(configMap('option-skip')) },
      metadata: { annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
      expects: ' ',
    },
    {
      name: 'option-links',
      files: { 'all.yaml': documents(configMap('option-links')) },
      metadata: { annotations: { 'link.argocd.argoproj.io/external-link': 'https://wiki.example.com' } },
      spec: { info: [{ name: 'Owner', value: 'corpus' }] },
    },
  ];
}

function customCases(): CorpusCase[] {
  const schema = {
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', default: 3 }, names: { type: 'array', items: { type: 'string' } } } },
    },
  };
  return [
    {
      name: 'custom-together',
      files: { 'all.yaml': documents(definition('widgets', 'Widget'), custom('Widget', 'one', { size: 1 })) },
      isSmall: true,
    },
    {
      name: 'custom-defaults',
      files: {
        'all.yaml': documents(definition('things', 'Thing', schema), custom('Thing', 'one', { names: ['a'] })),
      },
    },
    {
      name: 'custom-health',
      files: { 'all.yaml': documents(definition('probes', 'Probe'), custom('Probe', 'one', { fails: true })) },
      expects: 'Synced Degraded',
    },
    {
      name: 'custom-health-well',
      files: { 'all.yaml': documents(custom('Probe', 'two', { fails: false })) },
      spec: {
        syncPolicy: {
          automated: {},
          retry: { limit: 10, backoff: { duration: '3s', factor: 1 } },
          syncOptions: ['SkipDryRunOnMissingResource=true'],
        },
      },
    },
    {
      name: 'custom-missing',
      files: { 'all.yaml': documents(configMap('custom-missing'), custom('Nonsense', 'one')) },
      isManual: true,
      expects: 'OutOfSync Missing',
    },
  ];
}

/** Rules of each form, with what they are to hide. */
function ignoreCases(): CorpusCase[] {
  const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', patch: { spec: { replicas: 3 } } };
  const ignoring = (name: string, rule: object, more: Partial<CorpusCase> = {}): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(deployment(name), configMap(name)) },
    spec: { ignoreDifferences: [rule] },
    drift: [{ ...scaled, name }],
    ...more,
  });
  return [
    ignoring('ignore-pointer', { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }, { isSmall: true }),
    ignoring('ignore-jq', { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec.replicas'] }),
    ignoring(
      'ignore-jq-select',
      { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "extra")'] },
      { drift: [], expects: '' },
    ),
    ignoring(
      'ignore-manager',
      { group: 'apps', kind: 'Deployment', managedFieldsManagers: ['corpus-scaler'] },
      { drift: [{ ...scaled, name: 'ignore-manager', fieldManager: 'corpus-scaler' }] },
    ),
    ignoring('ignore-name', { group: 'apps', kind: 'Deployment', name: 'ignore-name', jsonPointers: ['/spec/replicas'] }),
    ignoring(
      'ignore-other-name',
      { group: 'apps', kind: 'Deployment', name: 'somebody-else', jsonPointers: ['/spec/replicas'] },
      { expects: 'OutOfSync Healthy' },
    ),
    ignoring('ignore-namespace', { group: 'apps', kind: 'Deployment', namespace: 'work', jsonPointers: ['/spec/replicas'] }),
    ignoring('ignore-wild', { group: '*', kind: '*', jsonPointers: ['/spec/replicas'] }),
    ignoring(
      'ignore-data',
      { kind: 'ConfigMap', jsonPointers: ['/data/key'] },
      { drift: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ignore-data', patch: { data: { key: 'other' } } }] },
    ),
    ignoring(
      'ignore-escaped',
      { kind: 'ConfigMap', jsonPointers: ['/metadata/annotations/example.com~1note'] },
      {
        files: { 'all.yaml': documents(configMap('ignore-escaped', { key: 'value' }, { annotations: { 'example.com/note': 'a' } })) },
        drift: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: 'ignore-escaped',
            patch: { metadata: { annotations: { 'example.com/note': 'b' } } },
          },
        ],
      },
    ),
    ignoring(
      'ignore-respected',
      { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
      {
        spec: {
          ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
          syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
        },
      },
    ),
    {
      name: 'ignore-settings',
      files: { 'all.yaml': documents(configMap('ignore-settings', { volatile: 'a' }, { labels: { kept: 'yes' } })) },
      drift: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ignore-settings', patch: { data: { 'corpus-volatile': 'b' } } }],
    },
    {
      name: 'ignore-extraneous',
      files: { 'all.yaml': documents(configMap('ignore-extraneous')) },
      drift: [extra('ignore-extraneous', { [COMPARE]: 'IgnoreExtraneous' })],
      expects: 'Synced Healthy',
    },
  ];
}

function extra(application: string, annotations: Readonly<Record<string, string>> = {}): NonNullable<CorpusCase['drift']>[number] {
  const name = `${application}-extra`;
  // In both ways in which an installation may mark what is an application's.
  const metadata = {
    labels: { 'app.kubernetes.io/instance': application },
    annotations: { 'argocd.argoproj.io/tracking-id': `${application}:/ConfigMap:work/${name}`, ...annotations },
  };
  return { apiVersion: 'v1', kind: 'ConfigMap', name, patch: { metadata, data: { key: 'value' } }, isNew: true };
}

function driftCases(): CorpusCase[] {
  const drifted = (name: string, drift: CorpusCase['drift'], more: Partial<CorpusCase> = {}): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(deployment(name), service(name), configMap(name)) },
    drift: drift ?? [],
    expects: 'OutOfSync Healthy',
    ...more,
  });
  const at = (kind: string, name: string, patch: object) => ({ apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, name, patch });
  return [
    drifted('drift-replicas', [at('Deployment', 'drift-replicas', { spec: { replicas: 2 } })], { isSmall: true }),
    drifted('drift-image', [
      at('Deployment', 'drift-image', { spec: { template: { spec: { containers: [{ name: 'main', image: 'example.com/web:2' }] } } } }),
    ]),
    drifted('drift-data', [at('ConfigMap', 'drift-data', { data: { key: 'other' } })]),
    drifted('drift-added-data', [at('ConfigMap', 'drift-added-data', { data: { more: 'data' } })], { expects: '' }),
    drifted('drift-label', [at('ConfigMap', 'drift-label', { metadata: { labels: { somebody: 'else' } } })], { expects: 'Synced Healthy' }),
    drifted('drift-deleted', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'drift-deleted' }], { expects: 'OutOfSync Healthy' }),
    drifted('drift-extra', [extra('drift-extra')], { isSmall: true }),
    drifted('drift-confirm', [extra('drift-confirm', { [OPTIONS]: 'Prune=confirm' })], {}),
    drifted('drift-port', [at('Service', 'drift-port', { spec: { ports: [{ port: 81 }] } })]),
    drifted('drift-server-side', [at('ConfigMap', 'drift-server-side', { data: { key: 'other' } })], {
      spec: { syncPolicy: { automated: {}, syncOptions: ['ServerSideApply=true'] } },
    }),
    { ...drifted('never-synced', []), isManual: true, expects: 'OutOfSync Missing', isSmall: true },
    {
      ...drifted('never-synced-helm', []),
      files: { 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n', 'templates/a.yaml': documents(configMap('never-synced-helm')) },
      isManual: true,
      expects: 'OutOfSync Missing',
    },
    { name: 'shared-one', files: { 'all.yaml': documents(configMap('shared')) }, expects: '' },
    { name: 'shared-two', files: { 'all.yaml': documents(configMap('shared'), configMap('shared-two')) }, expects: '' },
  ];
}
