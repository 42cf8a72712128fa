import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/objects/index.ts';
import type { ApplicationSet } from '../../src/model/index.ts';
import { applicationSetType } from '../../src/model/index.ts';
import { hasCondition, openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../support/application-set-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

let opened: ApplicationSetPlane | undefined;

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function openPlane(parameters?: Readonly<Record<string, string>>): Promise<ApplicationSetPlane> {
  opened = await openApplicationSetPlane();
  if (parameters) await opened.setParameters(parameters);
  opened.start();
  return opened;
}

const listOf = (...names: readonly string[]) => [{ list: { elements: names.map((name) => ({ name })) } }];
const isUpToDate = (set: ApplicationSet): boolean => hasCondition(set, 'ResourcesUpToDate', 'True');
/** Nothing of it holds an application back from going. */
const template = (path = 'apps') =>
  templateOf('{{name}}', { source: { repoURL: 'https://git.example.com/x.git', path } }, { finalizers: ['none.example.com/x'] });
/** Those that nobody is deleting. */
const staying = (sets: ApplicationSetPlane): readonly string[] =>
  sets
    .applications()
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata, spec }) => `${metadata.name} ${spec.source?.path}`);

async function settled(sets: ApplicationSetPlane, name: string, spec: object): Promise<void> {
  await sets.patch(name, {
    spec: JSON.parse(JSON.stringify(spec)) as JsonObject,
    metadata: { annotations: { ask: '1', 'argocd.argoproj.io/application-set-refresh': 'true' } },
  });
  await sets.waitFor(name, ({ metadata }) => metadata.annotations?.['argocd.argoproj.io/application-set-refresh'] === undefined);
}

describe('the policy of an application set', () => {
  it.each([
    ['sync', ['b other', 'c other']],
    ['create-update', ['a apps', 'b other', 'c other']],
    ['create-delete', ['b apps', 'c other']],
    ['create-only', ['a apps', 'b apps', 'c other']],
  ])('%s leaves %j', async (applicationsSync, left) => {
    const sets = await openPlane();
    await sets.create('web', { generators: listOf('a', 'b'), template: template(), syncPolicy: { applicationsSync } });
    await sets.waitFor('web', isUpToDate);
    await settled(sets, 'web', { generators: listOf('b', 'c'), template: template('other') });
    expect(staying(sets)).toEqual(left);
  });

  it('is that of the installation where this has one, unless sets may choose', async () => {
    const sets = await openPlane({ 'applicationsetcontroller.policy': 'create-only' });
    const spec = { template: template(), syncPolicy: { applicationsSync: 'sync' } };
    await sets.create('web', { generators: listOf('a', 'b'), ...spec });
    await sets.waitFor('web', isUpToDate);
    await settled(sets, 'web', { generators: listOf('b') });
    expect(staying(sets)).toEqual(['a apps', 'b apps']);
    await sets.setParameters({ 'applicationsetcontroller.enable.policy.override': 'true' });
    await waitUntil(() => staying(sets).length === 1);
  });
});

describe('what others write to an application', () => {
  const apply = (sets: ApplicationSetPlane, body: JsonObject) =>
    sets.plane.home.api.patch(sets.plane.applications.type, { namespace: 'argocd', name: 'a' }, { type: 'merge', body });
  const first = (sets: ApplicationSetPlane) => sets.applications()[0];

  it('stays where it is preserved, by the set, by the installation or always', async () => {
    const sets = await openPlane({ 'applicationsetcontroller.global.preserved.labels': 'ours' });
    const spec = { generators: listOf('a'), template: template(), preservedFields: { annotations: ['mine'], labels: ['own'] } };
    await sets.create('web', spec);
    await sets.waitFor('web', isUpToDate);
    const kept = { mine: '1', 'notified.notifications.argoproj.io': '{}', 'argocd.argoproj.io/refresh': 'normal' };
    await apply(sets, { metadata: { annotations: { ...kept, gone: '1' }, labels: { own: '1', ours: '1', gone: '1' } } });
    await waitUntil(() => first(sets)?.metadata.labels?.['own'] === '1' && first(sets)?.metadata.labels?.['gone'] === undefined);
    expect(first(sets)?.metadata).toMatchObject({ labels: { own: '1', ours: '1' }, annotations: kept });
    expect(first(sets)?.metadata.annotations).not.toHaveProperty('gone');
  });

  it('keeps the finalizers of its hooks', async () => {
    const sets = await openPlane();
    await sets.create('web', { generators: listOf('a'), template: template() });
    await sets.waitFor('web', isUpToDate);
    const hook = 'post-delete-finalizer.argocd.argoproj.io/cleanup';
    await apply(sets, { metadata: { finalizers: ['none.example.com/x', hook, 'other.example.com/x'] } });
    await waitUntil(() => first(sets)?.metadata.finalizers?.length === 2);
    expect(first(sets)?.metadata.finalizers).toEqual(['none.example.com/x', hook]);
  });

  it('is not taken back where differences are ignored', async () => {
    const sets = await openPlane();
    const ignoreApplicationDifferences = [
      { jsonPointers: ['/spec/source/targetRevision'] },
      { name: 'a', jqPathExpressions: ['.spec.syncPolicy', '.metadata.labels.free'] },
    ];
    await sets.create('web', { generators: listOf('a', 'b'), template: template(), ignoreApplicationDifferences });
    await sets.waitFor('web', isUpToDate);
    const mine = { spec: { source: { targetRevision: 'v2' }, syncPolicy: { automated: {} } }, metadata: { labels: { free: '1' } } };
    await apply(sets, mine);
    await settled(sets, 'web', { template: template('other') });
    expect(first(sets)).toMatchObject({ ...mine, spec: { source: { path: 'other', targetRevision: 'v2' } } });
  });

  it('is told where what to ignore cannot be read', async () => {
    const sets = await openPlane();
    await sets.create('web', {
      generators: listOf('a'),
      template: template(),
      ignoreApplicationDifferences: [{ jqPathExpressions: ['.a['] }],
    });
    const { status } = await sets.waitFor('web', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.[0]).toMatchObject({
      reason: 'UpdateApplicationError',
      message: expect.stringContaining('".a["') as string,
    });
  });
});

describe('an application set that cannot make all its applications', () => {
  it('makes the others, and says why', async () => {
    const sets = await openPlane();
    const elements = [
      { name: 'a', project: 'default', server: 'https://kubernetes.default.svc' },
      { name: 'b', project: 'default', server: 'https://nowhere' },
      { name: 'c', project: 'nope', server: 'https://kubernetes.default.svc' },
      { name: 'd', project: 'default', server: 'https://kubernetes.default.svc' },
      { name: 'd', project: 'default', server: 'https://kubernetes.default.svc' },
    ];
    const spec = { project: '{{project}}', destination: { server: '{{server}}', namespace: 'x' } };
    await sets.create('web', { generators: [{ list: { elements } }], template: templateOf('{{name}}', spec) });
    const { status } = await sets.waitFor('web', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.[0]).toMatchObject({
      reason: 'ApplicationValidationError',
      message: 'ApplicationSet web contains applications with duplicate name: d (and 2 more)',
    });
    expect(status?.conditions?.[1]).toMatchObject({ type: 'ParametersGenerated', status: 'True' });
    expect(sets.names()).toEqual(['a']);
  });

  it('does not delete what it wants but cannot make any more', async () => {
    const sets = await openPlane();
    await sets.create('web', { generators: listOf('a', 'b'), template: template() });
    await sets.waitFor('web', isUpToDate);
    await settled(sets, 'web', { generators: listOf('a', 'a', 'b') });
    expect(sets.get('web')?.status?.conditions?.[0]?.message).toBe('ApplicationSet web contains applications with duplicate name: a');
    expect(staying(sets)).toEqual(['a apps', 'b apps']);
  });

  it('leaves an application alone that belongs to another, and takes one that belongs to nobody', async () => {
    const sets = await openPlane();
    await sets.create('one', { generators: listOf('a'), template: template() });
    await sets.waitFor('one', isUpToDate);
    await sets.plane.create('b', { project: 'default', source: { repoURL: 'https://x', path: 'p' }, destination: {} });
    await sets.create('two', { generators: listOf('a', 'b'), template: template('two') });
    const { status } = await sets.waitFor('two', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.[0]).toMatchObject({
      reason: 'UpdateApplicationError',
      message: 'error while wrapping using MutateFn: Object argocd/a is already owned by another ApplicationSet controller one',
    });
    await waitUntil(() => staying(sets).join() === 'a apps,b two');
  });

  it('says which name the API refuses', async () => {
    const sets = await openPlane();
    await sets.create('web', { generators: listOf('Not A Name', 'b'), template: template() });
    const { status } = await sets.waitFor('web', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.[0]).toMatchObject({
      reason: 'UpdateApplicationError',
      message: expect.stringContaining('Not A Name') as string,
    });
    await waitUntil(() => sets.names().includes('b'));
  });
});

describe('an application set that is deleted', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const remove = (sets: ApplicationSetPlane) => sets.plane.home.api.delete(applicationSetType, { namespace: 'argocd', name: 'web' });

  it('takes its applications with it', async () => {
    const sets = await openPlane();
    await sets.create('web', { generators: listOf('a'), template: template() });
    await sets.waitFor('web', isUpToDate);
    await remove(sets);
    await waitUntil(() => staying(sets).length === 0);
  });

  it('leaves them where it may delete none and is asked to see to it', async () => {
    const sets = await openPlane();
    await sets.create(
      'web',
      { generators: listOf('a', 'b'), template: template(), syncPolicy: { applicationsSync: 'create-update' } },
      { finalizers },
    );
    await sets.waitFor('web', isUpToDate);
    await remove(sets);
    await waitUntil(() => sets.get('web') === undefined);
    expect(sets.applications().map(({ metadata }) => [metadata.name, metadata.ownerReferences, metadata.deletionTimestamp])).toEqual([
      ['a', undefined, undefined],
      ['b', undefined, undefined],
    ]);
  });

  const step = (name: string) => ({ matchExpressions: [{ key: 'name', operator: 'In', values: [name] }] });
  const strategy = { type: 'RollingSync', deletionOrder: 'Reverse', rollingSync: { steps: [step('a'), step('b')] } };
  const labelled = templateOf('{{name}}', {}, { labels: { name: '{{name}}' }, finalizers: ['none.example.com/x'] });
  const inReverse = { generators: listOf('a', 'b'), template: labelled, strategy };
  const isHeld = (set: ApplicationSet): boolean => isUpToDate(set) && set.metadata.finalizers?.includes(finalizers[0] ?? '') === true;

  it('lets none of them go while sets may change nothing', async () => {
    const sets = await openPlane({ 'applicationsetcontroller.enable.progressive.syncs': 'true' });
    await sets.create('web', inReverse);
    const before = await sets.waitFor('web', isHeld);
    await sets.setParameters({ 'applicationsetcontroller.dryrun': 'true' });
    await settled(sets, 'web', { template: template('other') });
    expect(sets.get('web')?.status?.applicationStatus).toEqual(before.status?.applicationStatus);
    expect(staying(sets)).toEqual(['a apps', 'b apps']);
    await remove(sets);
    await sets.waitFor('web', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    const { api } = sets.plane.home;
    await wait(1_000);
    expect(staying(sets)).toEqual(['a apps', 'b apps']);
    await sets.setParameters({ 'applicationsetcontroller.dryrun': 'false' });
    await waitUntil(() => staying(sets).join() === 'a apps');
    for (const name of ['b', 'a']) {
      await waitUntil(() => sets.applications().find(({ metadata }) => metadata.name === name)?.metadata.deletionTimestamp);
      const letGo = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
      await api.patch(sets.plane.applications.type, { namespace: 'argocd', name }, letGo);
    }
    await waitUntil(() => sets.get('web') === undefined);
  });

  it('lets them go one after the other, the last step first', async () => {
    const sets = await openPlane({ 'applicationsetcontroller.enable.progressive.syncs': 'true' });
    await sets.create('web', inReverse);
    await sets.waitFor('web', isHeld);
    await remove(sets);
    await waitUntil(() => sets.applications().some(({ metadata }) => metadata.deletionTimestamp));
    expect(sets.applications().map(({ metadata }) => [metadata.name, metadata.deletionTimestamp !== undefined])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    const { api } = sets.plane.home;
    const letGo = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await api.patch(sets.plane.applications.type, { namespace: 'argocd', name: 'b' }, letGo);
    await waitUntil(() => sets.applications()[0]?.metadata.deletionTimestamp);
    await api.patch(sets.plane.applications.type, { namespace: 'argocd', name: 'a' }, letGo);
    await waitUntil(() => sets.get('web') === undefined);
  });
});
