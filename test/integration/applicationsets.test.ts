import { afterEach, describe, expect, it } from 'vitest';
import { applicationSetType } from '../../src/model/index.ts';
import {
  applicationSet,
  deleteApplication,
  hasCondition,
  openApplicationSetPlane,
  templateOf,
  type ApplicationSetPlane,
} from '../support/application-set-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

let opened: ApplicationSetPlane | undefined;

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function openPlane(): Promise<ApplicationSetPlane> {
  opened = await openApplicationSetPlane();
  return opened;
}

const listOf = (...names: readonly string[]) => [{ list: { elements: names.map((name) => ({ name })) } }];
const isUpToDate = (count: number) => (set: Parameters<typeof hasCondition>[0]) =>
  hasCondition(set, 'ResourcesUpToDate', 'True') && (set.status?.resourcesCount ?? 0) === count;

describe('an application set', () => {
  it('makes its applications, changes what differs, and deletes what it no longer yields', async () => {
    const sets = await openPlane();
    sets.start();
    await sets.create('web', { generators: listOf('a', 'b'), template: templateOf('{{name}}', {}, { labels: { tier: '{{name}}' } }) });
    const set = await sets.waitFor('web', isUpToDate(2));
    expect(sets.names()).toEqual(['a', 'b']);
    const [first] = sets.applications();
    expect(first).toMatchObject({
      metadata: {
        labels: { tier: 'a' },
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: 'web',
            uid: set.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { project: 'default', source: { path: 'apps' } },
    });
    await sets.patch('web', { spec: { generators: listOf('b', 'c') } });
    await waitUntil(() => sets.names().includes('c'));
    await waitUntil(() => sets.applications().find(({ metadata }) => metadata.name === 'a')?.metadata.deletionTimestamp);
  });

  it('says how it is in the words that clients know', async () => {
    const sets = await openPlane();
    sets.start();
    await sets.create('web', { generators: listOf('a'), template: templateOf('{{name}}') });
    const { status } = await sets.waitFor('web', isUpToDate(1));
    const text = 'All applications have been generated successfully';
    expect(status?.conditions?.map(({ type, status: state, reason, message }) => [type, state, reason, message])).toEqual([
      ['ErrorOccurred', 'False', 'ApplicationSetUpToDate', text],
      ['ParametersGenerated', 'True', 'ParametersGenerated', 'Successfully generated parameters for all Applications'],
      ['ResourcesUpToDate', 'True', 'ApplicationSetUpToDate', text],
    ]);
    expect(status).toMatchObject({
      health: { status: 'Healthy', message: text },
      resources: [{ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', name: 'a', namespace: 'argocd' }],
      resourcesCount: 1,
    });
  });

  it('shows how its applications are, without asking its generators for that', async () => {
    const sets = await openPlane();
    sets.plane.startController();
    sets.start();
    await sets.create('web', {
      generators: listOf('a', 'b'),
      template: templateOf('{{name}}', { source: { repoURL: 'file:///nowhere', path: 'x' } }),
    });
    const { status } = await sets.waitFor('web', (set) => set.status?.resources?.every(({ status: sync }) => sync === 'Unknown') === true);
    expect(status?.resources?.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('writes nothing where nothing changed', async () => {
    const sets = await openPlane();
    sets.start();
    await sets.create('web', { generators: listOf('a', 'b', 'c'), template: templateOf('{{name}}') });
    await sets.waitFor('web', isUpToDate(3));
    await sets.stop();
    sets.plane.takeRequests();
    sets.start();
    await sets.patch('web', { metadata: { annotations: { note: 'look again' } } });
    await sets.create('late', { generators: listOf('z'), template: templateOf('{{name}}') });
    await sets.waitFor('late', isUpToDate(1));
    const writes = sets.plane.takeRequests().filter((call) => /^(create|update|patch|delete) Application/.test(call));
    expect(writes).toEqual(['patch ApplicationSet web', 'create ApplicationSet late', 'create Application z', 'patch ApplicationSet late']);
  });

  it('with a generator that nobody knows changes nothing', async () => {
    const sets = await openPlane();
    sets.start();
    await sets.create('web', { generators: listOf('a'), template: templateOf('{{name}}') });
    await sets.waitFor('web', isUpToDate(1));
    await sets.patch('web', { spec: { generators: [{ selector: {} }] } });
    const { status } = await sets.waitFor('web', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.[0]?.message).toBe('ApplicationSet web contains unrecognized generators');
    expect(sets.applications().filter(({ metadata }) => !metadata.deletionTimestamp)).toHaveLength(1);
  });

  it('outside the namespaces that are permitted is left alone', async () => {
    const sets = await openPlane();
    sets.start();
    const spec = { generators: listOf('a'), template: templateOf('{{name}}') };
    const { api } = sets.plane.home;
    for (const namespace of ['elsewhere', 'team-a']) {
      const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
      await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await api.create(applicationSetType, applicationSet('web', spec, { namespace }));
    }
    const made = await waitUntil(() => sets.applications().find(({ metadata }) => metadata.namespace === 'team-a'));
    expect(made.metadata.name).toBe('a');
    expect(sets.applications().some(({ metadata }) => metadata.namespace === 'elsewhere')).toBe(false);
  });

  it('makes an application again that somebody deleted, and takes back what somebody changed', async () => {
    const sets = await openPlane();
    sets.start();
    await sets.create('web', { generators: listOf('a'), template: templateOf('{{name}}', {}, { finalizers: ['keep.example.com/x'] }) });
    await sets.waitFor('web', isUpToDate(1));
    const { api } = sets.plane.home;
    const type = sets.plane.applications.type;
    const ref = { namespace: 'argocd', name: 'a' };
    await api.patch(type, ref, { type: 'merge', body: { spec: { source: { path: 'elsewhere' } }, metadata: { labels: { mine: 'x' } } } });
    await waitUntil(() => sets.applications()[0]?.spec.source?.path === 'apps' && !sets.applications()[0]?.metadata.labels?.['mine']);
    const before = sets.applications()[0]?.metadata.uid;
    await deleteApplication(sets, 'a');
    await api.patch(type, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
    await waitUntil(() => sets.applications()[0] !== undefined && sets.applications()[0]?.metadata.uid !== before);
  });
});
