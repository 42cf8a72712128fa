import { configMap, deployment, documents, job, type CorpusCase } from './corpus-case.ts';

/** Applications that do not work, each for a reason of its own. */
export function brokenCases(): readonly CorpusCase[] {
  return [...unreadable(), ...invalid(), ...unwell()];
}

const UNKNOWN = 'Unknown Unknown';

function unreadable(): CorpusCase[] {
  const ok = { 'all.yaml': documents(configMap('broken')) };
  const of = (name: string, files: Readonly<Record<string, string>>, more: Partial<CorpusCase> = {}): CorpusCase => ({
    name,
    files,
    expects: '',
    ...more,
  });
  const chart = 'apiVersion: v2\nname: broken\nversion: 1.0.0\n';
  return [
    of('broken-path', ok, { source: { path: 'no/such/folder' }, isSmall: true }),
    of('broken-revision', ok, { source: { targetRevision: 'no-such-branch' }, isSmall: true }),
    of('broken-commit', ok, { source: { targetRevision: '0123456789012345678901234567890123456789' } }),
    of('broken-range', ok, { source: { targetRevision: '99.x' } }),
    of('broken-yaml', { 'all.yaml': 'apiVersion: v1\nkind: ConfigMap\n  metadata: [unclosed\n' }, { isSmall: true }),
    of('broken-json', { 'all.json': '{"apiVersion": "v1", ' }),
    of('broken-object', { 'all.yaml': 'kind: ConfigMap\nmetadata:\n  name: broken-object\n' }),
    of('broken-name', { 'all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n' }),
    of('broken-template', { 'Chart.yaml': chart, 'templates/a.yaml': '{{ .Values.missing.deep }}\n' }),
    of('broken-required', { 'Chart.yaml': chart, 'templates/a.yaml': '{{ required "a name is required" .Values.name }}\n' }),
    of(
      'broken-values-file',
      { 'Chart.yaml': chart, 'templates/a.yaml': documents(configMap('broken-values')) },
      { source: { helm: { valueFiles: ['absent.yaml'] } } },
    ),
    of('broken-chart', { 'Chart.yaml': 'name: broken\n', 'templates/a.yaml': documents(configMap('broken-chart')) }),
    of('broken-kustomization', { 'kustomization.yaml': 'resources: [absent.yaml]\n' }),
    of('broken-jsonnet', { 'main.jsonnet': '{ a: ' }),
    of('broken-jsonnet-error', { 'main.jsonnet': 'error "on purpose"' }),
    of('broken-repository', ok, { source: { repoURL: 'http://127.0.0.1:1/nowhere.git' } }),
    of('broken-helm-repository', ok, {
      source: { repoURL: 'http://127.0.0.1:1/charts', chart: 'web', path: undefined, targetRevision: '1.0.0' },
    }),
    of('broken-tool', ok, { source: { kustomize: { namePrefix: 'a-' } } }),
    of('broken-outside', ok, { source: { path: '../outside' } }),
  ];
}

function invalid(): CorpusCase[] {
  const of = (name: string, spec: object, more: Partial<CorpusCase> = {}): CorpusCase => ({
    name,
    files: { 'all.yaml': documents(configMap(name)) },
    spec,
    expects: UNKNOWN,
    ...more,
  });
  return [
    of('invalid-server', { destination: { server: 'https://nowhere.example.com', namespace: 'work' } }, { isSmall: true }),
    of('invalid-cluster-name', { destination: { name: 'nobody', namespace: 'work' } }),
    of(
      'invalid-both',
      { destination: { name: 'in-cluster', server: 'https://kubernetes.default.svc', namespace: 'work' } },
      { expects: '' },
    ),
    of('invalid-project', { project: 'no-such-project' }),
    of(
      'invalid-destination',
      { project: 'confined', destination: { server: 'https://kubernetes.default.svc', namespace: 'forbidden' } },
      { isSmall: true },
    ),
    of('invalid-source', { project: 'other-sources' }),
    of(
      'invalid-kind',
      { project: 'confined', destination: { server: 'https://kubernetes.default.svc', namespace: 'work' } },
      {
        files: {
          'all.yaml': documents(configMap('invalid-kind'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'work-forbidden' } }),
        },
        expects: 'OutOfSync Missing',
      },
    ),
    of('invalid-namespace', {}, { target: 'no-such-namespace', expects: 'OutOfSync Missing' }),
    of(
      'invalid-object',
      {},
      {
        files: {
          'all.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'invalid-object' }, spec: { ports: [] } }),
        },
        expects: 'OutOfSync Missing',
      },
    ),
    of(
      'invalid-unknown-kind',
      {},
      {
        files: { 'all.yaml': documents({ apiVersion: 'nowhere.example.com/v1', kind: 'Ghost', metadata: { name: 'ghost' } }) },
        expects: 'OutOfSync Missing',
      },
    ),
  ];
}

function unwell(): CorpusCase[] {
  const image = { image: 'example.com/invalid:1' };
  return [
    {
      name: 'unwell-image',
      files: { 'all.yaml': documents(deployment('unwell-image', { progressDeadlineSeconds: 2 }, image)) },
      expects: 'Synced Degraded',
      isSmall: true,
    },
    {
      name: 'unwell-progressing',
      files: { 'all.yaml': documents(deployment('unwell-progressing', { progressDeadlineSeconds: 36_000 }, image)) },
      expects: 'Synced Progressing',
    },
    { name: 'unwell-job', files: { 'all.yaml': documents(job('unwell-job', ['false'])) }, expects: 'Synced Degraded' },
    {
      name: 'unwell-pod',
      files: {
        'all.yaml': documents({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'unwell-pod' },
          spec: { containers: [{ name: 'main', ...image }] },
        }),
      },
      expects: '',
    },
    {
      name: 'unwell-hook',
      files: {
        'all.yaml': documents(
          configMap('unwell-hook'),
          job('unwell-hook-job', ['false'], { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }),
        ),
      },
      expects: 'OutOfSync Missing',
    },
    {
      name: 'unwell-mixed',
      files: { 'all.yaml': documents(deployment('unwell-mixed'), deployment('unwell-mixed-bad', { progressDeadlineSeconds: 2 }, image)) },
      expects: 'Synced Degraded',
    },
    {
      name: 'unwell-unschedulable',
      files: {
        'all.yaml': documents(
          deployment('unwell-unschedulable', { progressDeadlineSeconds: 36_000 }, { resources: { requests: { cpu: '100000' } } }),
        ),
      },
      expects: 'Synced Progressing',
    },
  ];
}
