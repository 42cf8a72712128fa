import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { formatKey, keyOf } from '../resource-key.ts';
import { defaultTrackingRules, withTracking } from '../tracking/tracking.ts';
import { compareApplication, toResourceStatus } from './compare-application.ts';
import type { ApplicationToCompare } from './compare-application.ts';
import { defaultCompareRules } from './compare-rules.ts';
import { findDifferences } from './find-differences.ts';
import { toResourceDiff } from './resource-diff.ts';

const HOOK = 'argocd.argoproj.io/hook';
const COMPARE = 'argocd.argoproj.io/compare-options';
const OPTIONS = 'argocd.argoproj.io/sync-options';
const RECORD = 'kubectl.kubernetes.io/last-applied-configuration';

function make(kind: string, name: string, data: JsonObject = { a: '1' }, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'ns', annotations }, data };
}
const mark = (object: KubeObject, instanceName = 'app') =>
  withTracking(object, { instanceName, destinationNamespace: 'ns', rules: defaultTrackingRules });

interface Sides {
  readonly desired?: readonly KubeObject[];
  readonly live?: readonly KubeObject[];
}

function compare({ desired = [], live = [] }: Sides, options: Partial<ApplicationToCompare> = {}) {
  return compareApplication({
    application: { namespace: 'argocd', name: 'app' },
    instanceName: 'app',
    desired: desired.map((object) => mark(object)),
    live: new Map(live.map((object) => [formatKey(keyOf(object)), object])),
    tracking: defaultTrackingRules,
    rules: defaultCompareRules,
    ...options,
  });
}

const map = (name: string, data?: JsonObject, annotations?: Record<string, string>) => make('ConfigMap', name, data, annotations);

describe('The sync status of an application', () => {
  const copied = { ...mark(map('original')), metadata: { ...mark(map('original')).metadata, name: 'copy' } };
  it.each<[string, Sides, string, readonly [status: string, requiresPruning: boolean][]]>([
    ['where all is as wanted', { desired: [map('a')], live: [mark(map('a'))] }, 'Synced', [['Synced', false]]],
    ['where something differs', { desired: [map('a', { a: '2' })], live: [mark(map('a'))] }, 'OutOfSync', [['OutOfSync', false]]],
    ['where something is missing', { desired: [map('a')] }, 'OutOfSync', [['OutOfSync', false]]],
    ['where something is too much', { live: [mark(map('a'))] }, 'OutOfSync', [['OutOfSync', true]]],
    [
      'where what is too much asks not to count',
      { live: [mark(map('a', {}, { [COMPARE]: 'IgnoreExtraneous' }))] },
      'Synced',
      [['OutOfSync', true]],
    ],
    ['where a mark was copied', { live: [copied] }, 'Synced', [['', false]]],
    ['where a hook is left over', { live: [mark(map('a', {}, { [HOOK]: 'PreSync' }))] }, 'Synced', [['', true]]],
    ['where a hook is wanted', { desired: [map('a', {}, { [HOOK]: 'PreSync' })] }, 'Synced', []],
    [
      'where something of somebody else has the name of a hook',
      { desired: [map('a', {}, { [HOOK]: 'PostDelete' })], live: [map('a')] },
      'Synced',
      [],
    ],
    [
      'where something of another application has the name of a hook',
      { desired: [map('a', {}, { [HOOK]: 'PostDelete' })], live: [mark(map('a'), 'team_other')] },
      'Synced',
      [],
    ],
    [
      'where something of somebody else has the name of a hook that nothing runs',
      { desired: [map('a', {}, { 'helm.sh/hook': 'test' })], live: [map('a', {}, { 'helm.sh/hook': 'test' })] },
      'Synced',
      [],
    ],
    [
      'where a hook is there',
      { desired: [map('a', {}, { [HOOK]: 'PreSync' })], live: [map('a', {}, { [HOOK]: 'PreSync' })] },
      'Synced',
      [['', true]],
    ],
    [
      'where something of ours became a hook',
      { desired: [map('a', {}, { [HOOK]: 'Sync' })], live: [mark(map('a'))] },
      'OutOfSync',
      [['OutOfSync', true]],
    ],
    ['where something is only to be skipped', { desired: [map('a', {}, { [HOOK]: 'Skip' })] }, 'Synced', [['', false]]],
    ['where there is nothing', {}, 'Synced', []],
  ])('%s', (_what, sides, status, resources) => {
    const result = compare(sides);
    expect(result.status).toBe(status);
    expect(result.resources.map((resource) => [resource.status, resource.requiresPruning])).toEqual(resources);
  });

  it('tells hooks from resources, and leaves those of deletion alone', () => {
    const result = compare({
      desired: [
        map('a'),
        map('h', {}, { [HOOK]: 'PostSync' }),
        map('d', {}, { [HOOK]: 'PreDelete' }),
        map('t', {}, { 'helm.sh/hook': 'test' }),
      ],
    });
    expect(result.hooks.map(({ metadata }) => metadata.name)).toEqual(['h']);
    expect(result.resources.map(({ name }) => name)).toEqual(['a']);
  });

  it('does not know what the project does not allow', () => {
    const isPermitted = ({ kind }: { kind: string }) => kind !== 'Secret';
    const result = compare(
      { desired: [make('Secret', 'a')], live: [mark(make('Secret', 'a')), mark(make('Secret', 'b'))] },
      { isPermitted },
    );
    expect(result.resources.map(({ name, status }) => [name, status])).toEqual([['a', 'Unknown']]);
    expect(result.status).toBe('Synced');
  });

  it.each([
    ['an object', map('a')],
    ['an object with the name of a hook', map('a', {}, { [HOOK]: 'PreSync' })],
  ])('warns of %s that another application claims', (_what, desired) => {
    const { conditions } = compare({ desired: [desired], live: [mark(map('a'), 'team_other')] });
    const message = 'ConfigMap/a is part of applications argocd/app and team/other';
    expect(conditions).toEqual([{ type: 'SharedResourceWarning', message }]);
  });

  it('ignores what a rule in jq points at', () => {
    const ignore = [{ group: '', kind: 'ConfigMap', jqPathExpressions: ['.data.a', '.spec.nowhere[]'] }];
    const live = [mark(map('a', { a: '1', b: '1' }))];
    const rules = { ...defaultCompareRules, ignore };
    expect(compare({ desired: [map('a', { a: '2', b: '1' })], live }, { rules })).toMatchObject({ status: 'Synced', conditions: [] });
    expect(compare({ desired: [map('a', { a: '2', b: '2' })], live }, { rules }).status).toBe('OutOfSync');
  });

  it('says which rule in jq it cannot read', () => {
    const ignore = [{ group: '', kind: 'ConfigMap', jqPathExpressions: ['.data['] }];
    const { conditions } = compare({ desired: [map('a')] }, { rules: { ...defaultCompareRules, ignore } });
    expect(conditions).toMatchObject([
      { type: 'ComparisonError', message: expect.stringContaining('ignoreDifferences: .data[: ') as string },
    ]);
  });
});

describe('The status of a resource', () => {
  it('says all that clients show', () => {
    const annotations = { 'argocd.argoproj.io/sync-wave': '3', [OPTIONS]: 'Prune=confirm' };
    const [resource] = compare({ live: [mark(map('a', {}, annotations))] }).resources;
    expect(resource && toResourceStatus(resource)).toEqual({
      version: 'v1',
      kind: 'ConfigMap',
      namespace: 'ns',
      name: 'a',
      status: 'OutOfSync',
      requiresPruning: true,
      syncWave: 3,
      requiresDeletionConfirmation: true,
    });
  });

  it('is missing where it is not there', () => {
    const [resource] = compare({ desired: [map('a')] }).resources;
    expect(resource && toResourceStatus(resource)).toMatchObject({ status: 'OutOfSync', health: { status: 'Missing' } });
  });
});

describe('The states of a resource', () => {
  it('are JSON, and null where there is none', () => {
    const [resource] = compare({ desired: [map('a')] }).resources;
    const diff = resource && toResourceDiff(resource, defaultCompareRules);
    expect(diff).toMatchObject({ kind: 'ConfigMap', name: 'a', liveState: 'null', normalizedLiveState: 'null', modified: true });
    expect(JSON.parse(diff?.targetState ?? '')).toMatchObject({ data: { a: '1' } });
  });

  it('of a Secret show that it differs, and never what is in it', () => {
    const plain = { pw: 'aHVudGVyMg==' };
    const changed = { pw: 'c2VjcmV0MQ==', same: 'c2FtZXZhbA==' };
    const record = JSON.stringify(make('Secret', 'a', plain));
    const desired = make('Secret', 'a', { ...plain, same: 'c2FtZXZhbA==' });
    const live = mark(make('Secret', 'a', changed, { [RECORD]: record, token: 'dG9rZW4x' }));
    const rules = { ...defaultCompareRules, sensitiveAnnotations: ['token'] };
    const [resource] = compare({ desired: [desired], live: [live] }, { rules }).resources;
    const text = JSON.stringify(resource && toResourceDiff(resource, rules));
    for (const value of ['aHVudGVyMg', 'c2VjcmV0MQ', 'c2FtZXZhbA', 'dG9rZW4x']) expect(text).not.toContain(value);
    const diff = JSON.parse(text) as { normalizedLiveState: string; predictedLiveState: string; modified: boolean };
    expect(diff.modified).toBe(true);
    expect(JSON.parse(diff.normalizedLiveState)).toMatchObject({ data: { pw: '++++++++++++', same: '++++++++' } });
    expect(JSON.parse(diff.predictedLiveState)).toMatchObject({ data: { pw: '++++++++', same: '++++++++' } });
  });
});

describe('A difference', () => {
  const owner = (manager: string, fields: JsonObject, time: string): JsonObject => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  });
  const find = (desired: KubeObject | undefined, live: KubeObject | undefined) => {
    const [resource] = compare({ ...(desired && { desired: [desired] }), ...(live && { live: [live] }) }).resources;
    return resource ? findDifferences(resource) : [];
  };

  it('names its cause, its manager, and the rule that would silence it', () => {
    const live = mark(map('a', { a: 'drift' }, { [RECORD]: JSON.stringify(map('a')) }));
    const managedFields = [
      owner('argocd-controller', { 'f:data': { 'f:a': {} } }, '1'),
      owner('kubectl-edit', { 'f:data': { '.': {}, 'f:a': {} } }, '2'),
    ];
    expect(find(map('a'), { ...live, metadata: { ...live.metadata, managedFields } })).toEqual([
      {
        path: '/data/a',
        cause: 'LiveChanged',
        manager: 'kubectl-edit',
        ignoreRule: { group: '', kind: 'ConfigMap', name: 'a', namespace: 'ns', jsonPointers: ['/data/a'] },
      },
    ]);
  });

  it('of a field that we wrote as it is wanted was changed on the way', () => {
    const pod = (image: string, priority: number): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'ns' },
      spec: { priority, containers: [{ name: 'main', image }] },
    });
    const fields = {
      'f:spec': { 'f:priority': {}, 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
    };
    const live = mark(pod('mirror/web:1', 7));
    const annotations = { ...live.metadata.annotations, [RECORD]: JSON.stringify(pod('web:1', 0)) };
    const managedFields = [owner('argocd-controller', fields, '1')];
    expect(find(pod('web:1', 0), { ...live, metadata: { ...live.metadata, annotations, managedFields } })).toMatchObject([
      { path: '/spec/priority', cause: 'Defaulted', manager: 'argocd-controller' },
      { path: '/spec/containers/0/image', cause: 'Admission', manager: 'argocd-controller' },
    ]);
  });

  it.each<[string, KubeObject | undefined, KubeObject | undefined, readonly [path: string, cause: string][]]>([
    [
      'the source says something new',
      map('a', { 'x/y': 'new' }),
      mark(map('a', { 'x/y': 'old' }, { [RECORD]: JSON.stringify(map('a', { 'x/y': 'old' })) })),
      [['/data/x~1y', 'SourceChanged']],
    ],
    ['nobody can tell', map('a', { a: '2' }), mark(map('a')), [['/data/a', 'Unknown']]],
    ['it is missing', map('a'), undefined, [['', 'Missing']]],
    ['it is not wanted', undefined, mark(map('a')), [['', 'Pruned']]],
    ['there is none', map('a'), mark(map('a')), []],
  ])('%s', (_what, desired, live, differences) => {
    expect(find(desired, live).map(({ path, cause }) => [path, cause])).toEqual(differences);
  });
});
