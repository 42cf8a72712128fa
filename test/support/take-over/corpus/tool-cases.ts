import { configMap, deployment, documents, service, type CorpusCase } from './corpus-case.ts';

/** Helm, Kustomize, Jsonnet, and several sources at once. */
export function toolCases(): readonly CorpusCase[] {
  return [...helmCases(), ...kustomizeCases(), ...jsonnetCases(), ...severalSources()];
}

const CHART = 'apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: "4.5"\n';
const TEMPLATE = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata:',
  '  name: {{ .Release.Name }}-web',
  '  labels: {chart: "{{ .Chart.Name }}-{{ .Chart.Version }}", heritage: "{{ .Release.Service }}"}',
  'spec:',
  '  replicas: {{ .Values.replicas }}',
  '  selector: {matchLabels: {app: "{{ .Release.Name }}"}}',
  '  template:',
  '    metadata: {labels: {app: "{{ .Release.Name }}"}, annotations: {sum: "{{ .Values.note | sha256sum | trunc 8 }}"}}',
  '    spec: {containers: [{name: main, image: "example.com/web:{{ .Values.tag }}"}]}',
  '---',
  'apiVersion: v1',
  'kind: ConfigMap',
  'metadata: {name: "{{ .Release.Name }}-facts"}',
  'data:',
  '  namespace: {{ .Release.Namespace }}',
  '  kube: {{ .Capabilities.KubeVersion.Major | quote }}',
  '  note: {{ .Values.note | quote }}',
  '  secret: {{ .Values.secret | default "none" | quote }}',
  '  install: {{ .Release.IsInstall | quote }}',
  '',
].join('\n');
const VALUES = 'replicas: 1\ntag: "1"\nnote: from the chart\n';

function chart(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'Chart.yaml': CHART, 'values.yaml': VALUES, 'templates/all.yaml': TEMPLATE, ...more };
}

function helm(
  name: string,
  options: object = {},
  files: Readonly<Record<string, string>> = {},
  more: Partial<CorpusCase> = {},
): CorpusCase {
  return { name, files: chart(files), source: { helm: options }, ...more };
}

function hook(kind: string, name: string, command = 'true'): string {
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    `metadata: {name: "{{ .Release.Name }}-${name}", annotations: {helm.sh/hook: "${kind}", helm.sh/hook-delete-policy: before-hook-creation}}`,
    `spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1, command: ["${command}"]}]}}}`,
    '',
  ].join('\n');
}

function helmCases(): CorpusCase[] {
  const crd = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gauges.corpus.example.com' },
    spec: {
      group: 'corpus.example.com',
      scope: 'Namespaced',
      names: { plural: 'gauges', singular: 'gauge', kind: 'Gauge', listKind: 'GaugeList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const subchart = {
    'charts/part/Chart.yaml': 'apiVersion: v2\nname: part\nversion: 0.1.0\n',
    'charts/part/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-part"}\ndata: {from: "{{ .Values.from }}"}\n',
    'charts/part/values.yaml': 'from: part\n',
  };
  return [
    helm('helm-plain', {}, {}, { isSmall: true }),
    helm('helm-release', { releaseName: 'renamed' }),
    helm('helm-parameters', {
      parameters: [
        { name: 'replicas', value: '2' },
        { name: 'tag', value: '1.10', forceString: true },
        { name: 'note', value: 'with, comma' },
      ],
    }),
    helm('helm-values', { values: 'replicas: 2\nnote: inline\n' }),
    helm('helm-values-object', { valuesObject: { replicas: 2, note: 'object' } }),
    helm('helm-files', { valueFiles: ['more.yaml'] }, { 'more.yaml': 'note: from a file\n' }),
    helm('helm-files-missing', { valueFiles: ['absent.yaml'], ignoreMissingValueFiles: true }),
    helm(
      'helm-files-order',
      { valueFiles: ['one.yaml', 'two.yaml'], values: 'tag: "3"\n' },
      { 'one.yaml': 'note: one\ntag: "2"\n', 'two.yaml': 'note: two\n' },
    ),
    helm('helm-file-parameter', { fileParameters: [{ name: 'secret', path: 'word.txt' }] }, { 'word.txt': 'from a file' }),
    helm('helm-crds', {}, { 'crds/gauges.yaml': crd }),
    helm('helm-skip-crds', { skipCrds: true }, { 'crds/gauges.yaml': crd }),
    helm('helm-subchart', {}, subchart),
    helm('helm-subchart-values', { valuesObject: { part: { from: 'above' } } }, subchart),
    helm('helm-pre', {}, { 'templates/pre.yaml': hook('pre-install,pre-upgrade', 'pre') }, { isSmall: true }),
    helm('helm-post', {}, { 'templates/post.yaml': hook('post-install,post-upgrade', 'post') }),
    helm('helm-test', {}, { 'templates/test.yaml': hook('test', 'test', 'false') }),
    helm('helm-skip-tests', { skipTests: true }, { 'templates/test.yaml': hook('test', 'test', 'false') }),
    helm('helm-kube-version', { kubeVersion: '1.31.0', apiVersions: ['corpus.example.com/v9'] }),
    helm('helm-namespace', { namespace: 'elsewhere' }),
    helm(
      'helm-helpers',
      {},
      {
        'templates/_names.tpl': '{{- define "web.name" -}}{{ .Release.Name | trunc 20 | trimSuffix "-" }}{{- end -}}',
        'templates/b.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ include "web.name" . }}-named}\ndata:\n{{ toYaml (dict "a" "1" "b" "2") | indent 2 }}\n',
      },
    ),
    helm('helm-notes', {}, { 'templates/NOTES.txt': 'Thank you for {{ .Chart.Name }}.\n' }),
    helm(
      'helm-lookup',
      {},
      {
        'templates/c.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-lookup"}\ndata: {found: "{{ (lookup "v1" "Namespace" "" "work") | len }}"}\n',
      },
    ),
  ];
}

function kustomize(name: string, kustomization: object, options: object = {}, files: Readonly<Record<string, string>> = {}): CorpusCase {
  return {
    name,
    files: {
      'kustomization.yaml': JSON.stringify({ resources: ['all.yaml'], ...kustomization }),
      'all.yaml': documents(deployment(name), service(name), configMap(`${name}-config`)),
      ...files,
    },
    source: { kustomize: options },
  };
}

function kustomizeCases(): CorpusCase[] {
  const patch = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'kustomize-patches' }, spec: { replicas: 2 } };
  return [
    { ...kustomize('kustomize-plain', {}), isSmall: true },
    kustomize('kustomize-prefix', { namePrefix: 'pre-' }),
    kustomize('kustomize-suffix', { nameSuffix: '-post' }),
    kustomize('kustomize-option-prefix', {}, { namePrefix: 'given-', nameSuffix: '-given' }),
    kustomize('kustomize-labels', { labels: [{ pairs: { team: 'corpus' }, includeSelectors: true }] }),
    kustomize('kustomize-option-labels', {}, { commonLabels: { team: 'given' }, commonAnnotations: { note: 'given' } }),
    kustomize('kustomize-images', { images: [{ name: 'example.com/web', newTag: '2' }] }),
    kustomize('kustomize-option-images', {}, { images: ['example.com/web=example.com/other:3'] }),
    kustomize('kustomize-replicas', { replicas: [{ name: 'kustomize-replicas', count: 2 }] }),
    kustomize('kustomize-option-replicas', {}, { replicas: [{ name: 'kustomize-option-replicas', count: 2 }] }),
    kustomize('kustomize-patches', { patches: [{ patch: JSON.stringify(patch) }] }),
    kustomize(
      'kustomize-option-patches',
      {},
      { patches: [{ target: { kind: 'Deployment' }, patch: '[{"op": "replace", "path": "/spec/replicas", "value": 2}]' }] },
    ),
    kustomize('kustomize-namespace', { namespace: 'work' }),
    kustomize('kustomize-generators', {
      configMapGenerator: [{ name: 'generated', literals: ['a=1', 'b=two'] }],
      secretGenerator: [{ name: 'generated', literals: ['word=canary'] }],
    }),
    kustomize(
      'kustomize-component',
      { components: ['component'] },
      {},
      {
        'component/kustomization.yaml': JSON.stringify({
          apiVersion: 'kustomize.config.k8s.io/v1alpha1',
          kind: 'Component',
          commonAnnotations: { component: 'yes' },
        }),
      },
    ),
    {
      name: 'kustomize-overlay',
      files: {
        'base/kustomization.yaml': JSON.stringify({ resources: ['all.yaml'] }),
        'base/all.yaml': documents(deployment('kustomize-overlay')),
        'overlay/kustomization.yaml': JSON.stringify({ resources: ['../base'], namePrefix: 'over-' }),
      },
      source: { path: 'kustomize-overlay/overlay' },
    },
  ];
}

const CONFIG = "apiVersion: 'v1', kind: 'ConfigMap'";

function jsonnetCases(): CorpusCase[] {
  const jsonnet = (name: string, text: string, options: object = {}, files: Readonly<Record<string, string>> = {}): CorpusCase => ({
    name,
    files: { 'main.jsonnet': text, ...files },
    source: { directory: { jsonnet: options } },
  });
  return [
    { ...jsonnet('jsonnet-plain', `{${CONFIG}, metadata: {name: 'jsonnet-plain'}, data: {sum: std.toString(1 + 1)}}`), isSmall: true },
    jsonnet('jsonnet-list', `[{${CONFIG}, metadata: {name: 'jsonnet-list-' + n}} for n in ['a', 'b']]`),
    jsonnet(
      'jsonnet-external',
      `{${CONFIG}, metadata: {name: 'jsonnet-external'}, data: {who: std.extVar('who'), n: std.toString(std.extVar('n'))}}`,
      {
        extVars: [
          { name: 'who', value: 'ada' },
          { name: 'n', value: '1 + 2', code: true },
        ],
      },
    ),
    jsonnet('jsonnet-top', `function(who, n=1) {${CONFIG}, metadata: {name: 'jsonnet-top'}, data: {who: who, n: std.toString(n)}}`, {
      tlas: [
        { name: 'who', value: 'ada' },
        { name: 'n', value: '3', code: true },
      ],
    }),
    jsonnet(
      'jsonnet-import',
      `local lib = import 'lib.libsonnet'; lib.config('jsonnet-import')`,
      {},
      { 'lib.libsonnet': `{config(name): {${CONFIG}, metadata: {name: name}, data: {from: 'lib'}}}` },
    ),
    jsonnet(
      'jsonnet-library',
      `local lib = import 'shared.libsonnet'; lib.config('jsonnet-library')`,
      { libs: ['jsonnet-library/vendor'] },
      { 'vendor/shared.libsonnet': `{config(name): {${CONFIG}, metadata: {name: name}, data: {from: 'vendor'}}}` },
    ),
    jsonnet(
      'jsonnet-mixed',
      `{${CONFIG}, metadata: {name: 'jsonnet-mixed'}}`,
      {},
      { 'plain.yaml': documents(configMap('jsonnet-mixed-plain')) },
    ),
  ];
}

function severalSources(): CorpusCase[] {
  const at = (repoURL: string, path: string, more: object = {}): object => ({ repoURL, path, targetRevision: 'HEAD', ...more });
  const part = (name: string): Record<string, string> => ({
    'one/all.yaml': documents(configMap(`${name}-one`)),
    'two/all.yaml': documents(configMap(`${name}-two`)),
  });
  return [
    {
      name: 'several-plain',
      files: part('several-plain'),
      sources: (url) => [at(url, 'several-plain/one'), at(url, 'several-plain/two')],
      isSmall: true,
    },
    {
      name: 'several-named',
      files: part('several-named'),
      sources: (url) => [at(url, 'several-named/one', { name: 'first' }), at(url, 'several-named/two', { name: 'second' })],
    },
    { name: 'several-one', files: part('several-one'), sources: (url) => [at(url, 'several-one/one')] },
    {
      name: 'several-values',
      files: { ...chart(), 'values/prod.yaml': 'note: from elsewhere\n' },
      sources: (url) => [
        at(url, 'several-values', { helm: { valueFiles: ['$values/several-values/values/prod.yaml'] } }),
        { repoURL: url, targetRevision: 'HEAD', ref: 'values' },
      ],
    },
    {
      name: 'several-revisions',
      files: part('several-revisions'),
      sources: (url) => [at(url, 'several-revisions/one'), at(url, 'several-revisions/two', { targetRevision: 'v1.0.0' })],
    },
    {
      name: 'several-tools',
      files: {
        ...chart(),
        'kustomize/kustomization.yaml': JSON.stringify({ resources: ['a.yaml'] }),
        'kustomize/a.yaml': documents(configMap('several-tools-k')),
      },
      sources: (url) => [at(url, 'several-tools'), at(url, 'several-tools/kustomize')],
    },
    { name: 'several-same', files: part('several-same'), sources: (url) => [at(url, 'several-same/one'), at(url, 'several-same/one')] },
    {
      name: 'several-absent',
      files: part('several-absent'),
      sources: (url) => [at(url, 'several-absent/one'), at(`${url}-absent`, 'several-absent/two')],
      expects: '',
    },
  ];
}
