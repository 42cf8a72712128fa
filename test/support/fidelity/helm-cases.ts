import type { FidelityCase } from './fidelity-case.ts';

const CHART = 'apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: "7"\n';
/** Shows everything that a chart knows. */
const SHOW = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-show
  labels: {chart: "{{ .Chart.Name }}-{{ .Chart.Version }}", app: {{ .Chart.AppVersion | quote }}}
data:
  namespace: {{ .Release.Namespace | quote }}
  service: {{ .Release.Service | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1/Widget" | quote }}
  values: {{ .Values | toJson | quote }}
`;
const VALUES = 'who: chart\nlist: [{name: a}, {name: b}]\nimage: {tag: v1, pull: null}\n';
const BASE = ['--name-template', 'web', '--namespace', 'prod'];
const ALL = [...BASE, '--include-crds'];
const show = { 'Chart.yaml': CHART, 'values.yaml': VALUES, 'templates/show.yaml': SHOW };

type Helm = NonNullable<NonNullable<FidelityCase['source']>['helm']>;
interface More {
  readonly helm?: Helm;
  readonly files?: FidelityCase['files'];
  readonly args?: readonly string[];
  readonly base?: readonly string[];
  readonly request?: FidelityCase['request'];
}

function chart(name: string, { helm, files = {}, args = [], base = ALL, request }: More = {}): FidelityCase {
  return {
    name: `helm-${name}`,
    files: { ...show, ...files },
    ...(helm && { source: { helm } }),
    ...(request && { request }),
    byHand: { tool: 'helm', args: [...base, ...args] },
  };
}

const hook = (name: string, type: string, weight: number): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  annotations: {helm.sh/hook: "${type}", helm.sh/hook-weight: "${weight}"}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}\n`;
const CRD = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: NAME.example.com}\n';
const library = 'apiVersion: v2\nname: common-parts\nversion: 0.1.0\ntype: library\n';
const sub = (name: string): FidelityCase['files'] => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 0.3.0\n`,
  [`charts/${name}/values.yaml`]: 'who: sub\nglobal: {zone: sub}\n',
  [`charts/${name}/templates/show.yaml`]: SHOW.replace('-show', `-${name}-{{ .Chart.Name }}`),
});

export const helmCases: readonly FidelityCase[] = [
  chart('plain'),
  chart('value-files', {
    files: { 'a.yaml': 'who: a\nimage: {tag: a}\n', 'b.yaml': 'who: b\n' },
    helm: { valueFiles: ['a.yaml', 'b.yaml'] },
    args: ['--values', 'a.yaml', '--values', 'b.yaml'],
  }),
  chart('value-files-glob', {
    files: { 'env/1.yaml': 'who: one\nx: 1\n', 'env/2.yaml': 'who: two\n' },
    helm: { valueFiles: ['env/*.yaml'] },
    args: ['--values', 'env/1.yaml', '--values', 'env/2.yaml'],
  }),
  chart('value-file-of-the-root', {
    files: { '/shared/helm.yaml': 'who: shared\n' },
    helm: { valueFiles: ['/shared/helm.yaml'] },
    args: ['--values', '../shared/helm.yaml'],
  }),
  chart('value-file-missing', { helm: { valueFiles: ['nope.yaml'], ignoreMissingValueFiles: true } }),
  chart('value-file-deletes', {
    files: { 'null.yaml': 'image: null\nlist: null\n' },
    helm: { valueFiles: ['null.yaml'] },
    args: ['--values', 'null.yaml'],
  }),
  chart('values', { helm: { values: 'who: inline\nimage: {tag: 1.10}\n' }, args: ['--set-json', '{"who":"inline","image":{"tag":1.1}}'] }),
  chart('values-object', {
    helm: { valuesObject: { who: 'object', list: [1, 'two'] } },
    args: ['--set-json', '{"who":"object","list":[1,"two"]}'],
  }),
  chart('parameters', {
    helm: {
      parameters: [
        { name: 'who', value: 'set' },
        { name: 'image.tag', value: '7' },
        { name: 'on', value: 'true' },
      ],
    },
    args: ['--set', 'who=set', '--set', 'image.tag=7', '--set', 'on=true'],
  }),
  chart('parameters-as-text', {
    helm: {
      parameters: [
        { name: 'image.tag', value: '7', forceString: true },
        { name: 'on', value: 'true', forceString: true },
      ],
    },
    args: ['--set-string', 'image.tag=7', '--set-string', 'on=true'],
  }),
  chart('parameters-with-commas', {
    helm: {
      parameters: [
        { name: 'who', value: 'a,b' },
        { name: 'list', value: '{x,y}' },
        { name: 'c', value: 'x\\,y' },
      ],
    },
    args: ['--set', 'who=a\\,b', '--set', 'list={x,y}', '--set', 'c=x\\,y'],
  }),
  chart('parameters-deep', {
    helm: {
      parameters: [
        { name: 'list[1].name', value: 'z' },
        { name: 'a\\.b/c', value: '1' },
        { name: 'x.y.z', value: 'null' },
      ],
    },
    args: ['--set', 'list[1].name=z', '--set', 'a\\.b/c=1', '--set', 'x.y.z=null'],
  }),
  chart('parameters-with-variables', {
    helm: { parameters: [{ name: 'who', value: '$ARGOCD_APP_NAME in ${ARGOCD_APP_NAMESPACE} $$' }] },
    args: ['--set', 'who=web in prod $'],
  }),
  chart('file-parameters', {
    files: { 'text.txt': 'one,two\nthree\n' },
    helm: { fileParameters: [{ name: 'text', path: 'text.txt' }] },
    args: ['--set-file', 'text=text.txt'],
  }),
  chart('strength', {
    files: { 'a.yaml': 'who: file\nb: file\nc: file\n' },
    helm: { valueFiles: ['a.yaml'], valuesObject: { b: 'object', c: 'object' }, parameters: [{ name: 'c', value: 'parameter' }] },
    args: ['--values', 'a.yaml', '--set', 'b=object', '--set', 'c=parameter'],
  }),
  chart('release-and-namespace', {
    helm: { releaseName: 'other', namespace: 'elsewhere' },
    base: ['--name-template', 'other', '--namespace', 'elsewhere', '--include-crds'],
  }),
  chart('kube-version', { request: { kubeVersion: '1.31.2' }, args: ['--kube-version', '1.31.2'] }),
  chart('kube-version-of-the-source', {
    helm: { kubeVersion: '1.29.0' },
    request: { kubeVersion: '1.31.2' },
    args: ['--kube-version', '1.29.0'],
  }),
  chart('api-versions', {
    request: { apiVersions: ['example.com/v1', 'example.com/v1/Widget'] },
    args: ['--api-versions', 'example.com/v1', '--api-versions', 'example.com/v1/Widget'],
  }),
  chart('api-versions-of-the-source', {
    helm: { apiVersions: ['example.com/v1/Widget'] },
    args: ['--api-versions', 'example.com/v1/Widget'],
  }),
  chart('definitions', {
    files: {
      'crds/a.yaml': `${CRD.replace('NAME', 'a')}---\n${CRD.replace('NAME', 'b')}`,
      'crds/c.json': '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"c.example.com"}}',
    },
  }),
  chart('definitions-skipped', { files: { 'crds/a.yaml': CRD.replace('NAME', 'a') }, helm: { skipCrds: true }, base: BASE }),
  chart('tests-skipped', {
    files: { 'templates/tests/t.yaml': hook('t', 'test', 1), 'templates/h.yaml': hook('h', 'pre-install', 1) },
    helm: { skipTests: true },
    args: ['--skip-tests'],
  }),
  chart('hooks', {
    files: {
      'templates/a.yaml': hook('late', 'post-install,post-upgrade', 5),
      'templates/b.yaml': hook('early', 'pre-install', -5),
      'templates/tests/t.yaml': hook('t', 'test', 0),
    },
  }),
  chart('schema', { files: { 'values.schema.json': '{"type":"object","required":["who"],"properties":{"who":{"type":"string"}}}' } }),
  chart('schema-not-checked', {
    files: { 'values.schema.json': '{"type":"object","required":["missing"]}' },
    helm: { skipSchemaValidation: true },
    args: ['--skip-schema-validation'],
  }),
  chart('subcharts', { files: { ...sub('db'), ...sub('cache'), 'values.yaml': 'who: top\nglobal: {zone: top}\ndb: {who: told}\n' } }),
  chart('subcharts-by-condition', {
    files: {
      'Chart.yaml': `${CHART}dependencies:\n- {name: db, version: 0.x.x, alias: first, condition: first.enabled}\n- {name: db, version: 0.x.x, alias: second, condition: second.enabled}\n- {name: cache, version: 0.x.x, tags: [extra]}\n`,
      ...sub('db'),
      ...sub('cache'),
      'values.yaml': 'first: {enabled: true, who: one}\nsecond: {enabled: false}\ntags: {extra: false}\n',
    },
  }),
  chart('library', {
    files: {
      'charts/common-parts/Chart.yaml': library,
      'charts/common-parts/templates/_map.tpl':
        '{{- define "common-parts.map" }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .name }}}\n{{- end }}\n',
      'templates/own.yaml':
        '{{ include "common-parts.map" (dict "name" "from-library") }}\n---\n{{ template "common-parts.map" (dict "name" "again") }}\n',
    },
  }),
  chart('functions', {
    files: {
      'templates/_x.tpl': '{{- define "x" }}{{ .who | upper | b64enc }}{{ end -}}',
      'templates/f.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f}\ndata:\n  a: {{ include "x" .Values | quote }}\n  b: {{ tpl "{{ .Values.who }}!" . | quote }}\n  c: {{ .Values.nope | default "d" | trunc 1 }}\n  sum: {{ .Values.who | sha256sum }}\n  yaml: |\n{{ .Values.list | toYaml | indent 4 }}\n  more: {{ dict "k" (list 1 2) | toYaml | quote }}\n`,
    },
  }),
  chart('files', {
    files: {
      'config/a.conf': 'a = 1\n',
      'config/b.conf': 'b = {{ not a template }}\n',
      'templates/f.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f}\ndata:\n{{ (.Files.Glob "config/*").AsConfig | indent 2 }}\n  one: {{ .Files.Get "config/a.conf" | quote }}\n  none: {{ .Files.Get "../nope" | quote }}\n',
    },
  }),
  chart('ignored-files', {
    files: {
      '.helmignore': 'templates/ignored.yaml\n*.bak\n',
      'templates/ignored.yaml': '{{ fail "never read" }}',
      'templates/x.bak': '{{ fail "nor this" }}',
    },
  }),
  chart('odd-templates', {
    files: {
      'templates/NOTES.txt': 'Thank you',
      'templates/empty.yaml': '{{ if false }}x: y{{ end }}\n---\n# only a comment\n---\n',
      'templates/_hidden.yaml': '{{ fail "a part" }}',
      'templates/sub/deep.yml': SHOW.replace('-show', '-deep'),
    },
  }),
  chart('order-of-kinds', {
    files: {
      'templates/z.yaml': ['Deployment/apps/v1', 'Service/v1', 'ServiceAccount/v1', 'Namespace/v1', 'Widget/example.com/v1']
        .map((text) => {
          const [kind = '', ...version] = text.split('/');
          return `apiVersion: ${version.join('/')}\nkind: ${kind}\nmetadata: {name: ${kind.toLowerCase()}}\n`;
        })
        .join('---\n'),
    },
  }),
  chart('scalars', {
    files: {
      'templates/s.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: s}\nspec:\n  yes: no\n  on: "on"\n  octal: 0644\n  hex: 0x1F\n  big: 9007199254740991\n  float: 1e3\n  text: "1e3"\n  nothing: ~\n  date: 2001-12-14\n  long: |-\n    two\n    lines\n  folded: >\n    one\n    line\n  under: 1_000\n  inf: "."\n',
    },
  }),
  chart('anchors', {
    files: { 'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: &l {x: why}}\ndata: {<<: *l, z: "1"}\n' },
  }),
  chart('list', {
    files: {
      'templates/l.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n',
    },
  }),
];
