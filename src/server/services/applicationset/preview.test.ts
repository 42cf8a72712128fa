import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../../../../test/support/application-set-plane.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { Code } from '../../../base/index.ts';
import { applicationType, appProjectType, type ApplicationSet } from '../../../model/index.ts';
import { previewChanges, type PreviewedChange } from './preview.ts';

let sets: ApplicationSetPlane;
/** Lines such as `applications get shop/web`; a star stands for all. */
let allowed: readonly string[] = ['*'];

beforeAll(async () => {
  sets = await openApplicationSetPlane();
  const { api } = sets.plane.home;
  await api.create(appProjectType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {},
  });
  await waitUntil(() => sets.context.projects.get({ namespace: 'argocd', name: 'shop' }));
  sets.start();
  await sets.create('web', specOf(['a', 'b', 'c']));
  await waitUntil(() => sets.names().join() === 'a,b,c');
  await sets.waitFor(
    'web',
    ({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'ResourcesUpToDate' && is === 'True') === true,
  );
}, 60_000);
afterAll(() => sets.close());

function specOf(names: readonly string[], more: object = {}, template: object = {}): ApplicationSet['spec'] {
  return {
    generators: [{ list: { elements: names.map((name) => ({ name })) } }],
    template: templateOf('{{name}}', template),
    ...more,
  } as unknown as ApplicationSet['spec'];
}

async function preview(
  name: string,
  spec: ApplicationSet['spec'],
  permissions: readonly string[] = ['*'],
): Promise<readonly PreviewedChange[]> {
  allowed = permissions;
  const isAllowed = (_caller: unknown, resource: string, action: string, object: string): boolean =>
    allowed.includes('*') || allowed.includes(`${resource} ${action} ${object}`);
  const call = createServiceCall('/applicationset.ApplicationSetService/Generate');
  return (await previewChanges({ ...sets.service, policy: { isAllowed } }, { metadata: { name }, spec }, call)).changes;
}

const kindsOf = (changes: readonly PreviewedChange[]): readonly string[] => changes.map(({ kind, name }) => `${kind} ${name}`);

describe('what storing an application set would do', () => {
  it('is nothing where nothing is different', async () => {
    expect(kindsOf(await preview('web', specOf(['a', 'b', 'c'])))).toEqual(['keep a', 'keep b', 'keep c']);
  });

  it('is told for each application: made, changed with what it was and will be, and deleted', async () => {
    const spec = specOf(['a', 'b', 'd']);
    const changed = { ...spec, template: { ...spec.template, metadata: { name: '{{name}}', labels: { for: '{{name}}' } } } };
    const changes = await preview('web', changed);
    expect(kindsOf(changes)).toEqual(['update a', 'update b', 'delete c', 'create d']);
    expect(changes[0]?.before?.['metadata']).not.toHaveProperty('labels');
    expect(changes[0]?.after).toMatchObject({ metadata: { labels: { for: 'a' } } });
    expect(changes[3]?.after).toMatchObject({ metadata: { labels: { for: 'd' } }, spec: { project: 'default' } });
    expect(sets.names()).toEqual(['a', 'b', 'c']);
  });

  it('follows the policy of the set', async () => {
    const spec = specOf(['a', 'd'], { syncPolicy: { applicationsSync: 'create-only' } }, { project: 'default' });
    const changed = { ...spec, template: { ...spec.template, metadata: { name: '{{name}}', labels: { x: 'y' } } } };
    const changes = await preview('web', changed);
    expect(kindsOf(changes)).toEqual(['keep a', 'keep b', 'keep c', 'create d']);
    expect(changes.map(({ message }) => message)).toEqual([
      'the policy create-only leaves it as it is',
      'nothing generates it any more, and the policy create-only leaves it there',
      'nothing generates it any more, and the policy create-only leaves it there',
      undefined,
    ]);
  });

  it('says what would not work: a name twice, and one that belongs to another set', async () => {
    const changes = await preview('other', specOf(['a', 'x', 'x']));
    expect(kindsOf(changes)).toEqual(['refuse a', 'refuse x']);
    expect(changes[0]?.message).toMatch(/already owned by another ApplicationSet controller web/);
    expect(changes[1]?.message).toMatch(/duplicate name: x/);
  });

  it('fails with the reason where nothing can be generated', async () => {
    const broken = { ...specOf([]), generators: [{ list: { elements: [{ name: 1 }] } }] };
    await expect(preview('web', broken)).rejects.toMatchObject({
      code: Code.Unknown,
      message: expect.stringMatching(/error parsing value as string/) as string,
    });
  });

  it('is for those who may create it, and see the one that is there', async () => {
    await expect(preview('web', specOf(['a']), ['applicationsets get default/web'])).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(preview('web', specOf(['a']), ['applicationsets create default/web'])).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(preview('nope', specOf(['z']), ['applicationsets create default/nope'])).resolves.toMatchObject([
      { kind: 'create', name: 'z' },
    ]);
  });

  it('tells nothing about applications that the caller may not see', async () => {
    await sets.plane.home.api.create(applicationType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'secret', namespace: 'argocd', labels: { hidden: 'thing' } },
      spec: { project: 'shop', source: { repoURL: 'https://hidden.example/x.git' }, destination: { name: 'in-cluster' } },
    });
    await waitUntil(() => sets.context.applications.get({ namespace: 'argocd', name: 'secret' }));
    const mine = ['applicationsets create default/mine'];
    expect(await preview('mine', specOf(['a', 'secret']), mine)).toEqual([
      { name: 'a', kind: 'refuse', message: 'the name is taken' },
      { name: 'secret', kind: 'refuse', message: 'the name is taken' },
    ]);
  });
});
