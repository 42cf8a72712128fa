import type { FidelityCase } from './fidelity-case.ts';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {tier: front}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "example.com/web:1", envFrom: [{configMapRef: {name: settings}}]}, {name: side, image: side}]}
`;
const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const ROLE = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\n';
const BASE = 'resources: [web.yaml, service.yaml, role.yaml]\n';
const base = { 'kustomization.yaml': BASE, 'web.yaml': WEB, 'service.yaml': SERVICE, 'role.yaml': ROLE };

type Kustomize = NonNullable<NonNullable<FidelityCase['source']>['kustomize']>;
type Hand = Omit<Extract<FidelityCase['byHand'], { tool: 'kustomize' }>, 'tool'>;

function overlay(name: string, kustomize: Kustomize | undefined, hand: Hand = {}, files: FidelityCase['files'] = base): FidelityCase {
  return { name: `kustomize-${name}`, files, ...(kustomize && { source: { kustomize } }), byHand: { tool: 'kustomize', ...hand } };
}

const edit = (...args: string[]): readonly string[] => ['edit', ...args];
const inline = (name: string, kustomization: string, files: FidelityCase['files'] = {}): FidelityCase =>
  overlay(name, undefined, {}, { ...base, 'kustomization.yaml': `${BASE}${kustomization}`, ...files });

export const kustomizeCases: readonly FidelityCase[] = [
  overlay('plain', undefined),
  overlay('prefix', { namePrefix: 'a-' }, { edits: [edit('set', 'nameprefix', 'a-')] }),
  overlay('suffix', { nameSuffix: '-z' }, { edits: [edit('set', 'namesuffix', '--', '-z')] }),
  overlay('image-tag', { images: ['example.com/web:2'] }, { edits: [edit('set', 'image', 'example.com/web:2')] }),
  overlay(
    'image-name',
    { images: ['example.com/web=other.example.com/web:3'] },
    { edits: [edit('set', 'image', 'example.com/web=other.example.com/web:3')] },
  ),
  overlay(
    'image-digest',
    { images: [`side@sha256:${'a'.repeat(64)}`] },
    { edits: [edit('set', 'image', `side@sha256:${'a'.repeat(64)}`)] },
  ),
  overlay(
    'images',
    { images: ['example.com/web:2', 'side=side:9'] },
    { edits: [edit('set', 'image', 'example.com/web:2', 'side=side:9')] },
  ),
  overlay('replicas', { replicas: [{ name: 'web', count: 4 }] }, { edits: [edit('set', 'replicas', 'web=4')] }),
  overlay('labels', { commonLabels: { team: 'a', who: '$ARGOCD_APP_NAME' } }, { edits: [edit('add', 'label', 'team:a', 'who:web')] }),
  overlay(
    'labels-by-force',
    { commonLabels: { team: 'b' }, forceCommonLabels: true },
    { edits: [edit('add', 'label', '--force', 'team:b')] },
    { ...base, 'kustomization.yaml': `${BASE}commonLabels: {team: a}\n` },
  ),
  overlay(
    'labels-without-selectors',
    { commonLabels: { team: 'a' }, labelWithoutSelector: true },
    { edits: [edit('add', 'label', '--without-selector', 'team:a')] },
  ),
  overlay(
    'labels-in-templates',
    { commonLabels: { team: 'a' }, labelWithoutSelector: true, labelIncludeTemplates: true },
    { edits: [edit('add', 'label', '--without-selector', '--include-templates', 'team:a')] },
  ),
  overlay(
    'annotations',
    { commonAnnotations: { note: 'x y', who: '$ARGOCD_APP_NAME' } },
    { edits: [edit('add', 'annotation', 'note:x y', 'who:$ARGOCD_APP_NAME')] },
  ),
  overlay(
    'annotations-with-variables',
    { commonAnnotations: { who: '$ARGOCD_APP_NAME' }, commonAnnotationsEnvsubst: true },
    { edits: [edit('add', 'annotation', 'who:web')] },
  ),
  overlay('namespace', { namespace: 'team-a' }, { edits: [edit('set', 'namespace', 'team-a')] }),
  overlay(
    'patch',
    { patches: [{ patch: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {paused: true}\n' }] },
    {
      files: {
        'kustomization.yaml': `${BASE}patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {paused: true}\n`,
      },
    },
  ),
  overlay(
    'patch-with-target',
    { patches: [{ patch: '[{"op":"replace","path":"/spec/replicas","value":9}]', target: { kind: 'Deployment', name: 'w.*' } }] },
    {
      files: {
        'kustomization.yaml': `${BASE}patches:\n- target: {kind: Deployment, name: "w.*"}\n  patch: '[{"op":"replace","path":"/spec/replicas","value":9}]'\n`,
      },
    },
  ),
  overlay(
    'patch-file',
    { patches: [{ path: 'patch.yaml' }] },
    { files: { 'kustomization.yaml': `${BASE}patches: [{path: patch.yaml}]\n` } },
    { ...base, 'patch.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer}\n' },
  ),
  overlay(
    'components',
    { components: ['../kustomize-components-extra', '../nope'], ignoreMissingComponents: true },
    { edits: [edit('add', 'component', '../kustomize-components-extra')] },
    {
      ...base,
      '/kustomize-components-extra/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [more.yaml]\nnamePrefix: c-\n',
      '/kustomize-components-extra/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n',
    },
  ),
  overlay(
    'everything',
    {
      namePrefix: 'a-',
      nameSuffix: '-z',
      images: ['side:2'],
      replicas: [{ name: 'web', count: 2 }],
      commonLabels: { team: 'a' },
      commonAnnotations: { n: 'o' },
      namespace: 'ns',
    },
    {
      edits: [
        edit('set', 'nameprefix', 'a-'),
        edit('set', 'namesuffix', '--', '-z'),
        edit('set', 'image', 'side:2'),
        edit('set', 'replicas', 'web=2'),
        edit('add', 'label', 'team:a'),
        edit('add', 'annotation', 'n:o'),
        edit('set', 'namespace', 'ns'),
      ],
    },
  ),
  overlay('file-called-yml', undefined, {}, { 'kustomization.yml': 'resources: [web.yaml]\n', 'web.yaml': WEB }),
  overlay('file-called-Kustomization', undefined, {}, { Kustomization: 'resources: [web.yaml]\n', 'web.yaml': WEB }),
  overlay(
    'levels',
    undefined,
    {},
    {
      'kustomization.yaml': 'resources: [middle]\nnamePrefix: top-\n',
      'middle/kustomization.yaml': 'resources: [../lowest]\nnameSuffix: -mid\nnamespace: mid\n',
      'lowest/kustomization.yaml': 'resources: [web.yaml, service.yaml]\ncommonLabels: {from: lowest}\n',
      'lowest/web.yaml': WEB,
      'lowest/service.yaml': SERVICE,
    },
  ),
  inline(
    'generators',
    'configMapGenerator: [{name: settings, literals: [a=b], files: [file.txt]}]\nsecretGenerator: [{name: keys, literals: [k=v], type: Opaque}]\n',
    { 'file.txt': 'text\n' },
  ),
  inline(
    'generator-options',
    'generatorOptions: {disableNameSuffixHash: true, labels: {made: here}}\nconfigMapGenerator: [{name: settings, envs: [settings.env]}]\n',
    { 'settings.env': 'A=1\nB=2\n' },
  ),
  inline(
    'replacements',
    'replacements:\n- source: {kind: Service, fieldPath: spec.ports.0.port}\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.metadata.annotations.port], options: {create: true}}]\n',
  ),
  inline('labels-list', 'labels: [{pairs: {a: b}, includeSelectors: false, includeTemplates: true}]\n'),
  inline(
    'patches-of-its-own',
    'patches:\n- path: p.yaml\n- target: {kind: ClusterRole}\n  patch: |-\n    - {op: add, path: /rules, value: []}\n',
    {
      'p.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}\n',
    },
  ),
  inline('sorted', 'sortOptions: {order: legacy}\n'),
];
