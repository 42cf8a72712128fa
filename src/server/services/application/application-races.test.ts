import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { Code } from '../../../base/index.ts';
import type { ApplicationService } from '../../../contract/index.ts';
import type { KubeApi } from '../../../kube/index.ts';
import { applicationType, appProjectType, type Application } from '../../../model/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

const call = createServiceCall('/application.ApplicationService/Update');

let plane: ApplicationPlane;
let repository: GitRepository;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a') });
  plane = await openApplicationPlane();
  await plane.home.api.create(appProjectType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'second', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  });
  await waitUntil(() => plane.context.projects.size === 2);
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

const spec = (more: object = {}): Application['spec'] => ({
  project: 'default',
  source: { repoURL: repository.url, path: 'app' },
  destination,
  ...more,
});
const application = (name: string, more: object = {}, metadata: object = {}): Application => ({
  metadata: { name, ...metadata },
  spec: spec(more),
});

describe('Who writes to an application at the moment in which somebody else does', () => {
  /** What the other one does happens once, just before the first write. */
  const serveBeside = (name: string, body: JsonObject): ApplicationService<Call> => {
    const { api, embedded } = plane.home;
    let isDone = false;
    const first = async (): Promise<void> => {
      if (isDone) return;
      isDone = true;
      await embedded.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
    };
    const home: KubeApi = {
      ...api,
      update: async (...given) => (await first(), api.update(...given)),
      patch: async (...given) => (await first(), api.patch(...given)),
      delete: async (...given) => (await first(), api.delete(...given)),
    };
    return createApplicationService({ ...plane.service, home }) as ApplicationService<Call>;
  };
  const source = () => ({ repoURL: repository.url, path: 'app' });
  const running = () => ({
    operation: { sync: {} },
    status: { operationState: { phase: 'Running', operation: {}, startedAt: '2026-01-01T00:00:00Z' } },
  });
  const deployed = () => ({
    status: { history: [{ id: 1, revision: 'a'.repeat(40), deployedAt: '2026-01-01T00:00:00Z', source: source() }] },
  });
  /** What is done, what is there afterwards (undefined where nothing is), and what was there before. */
  const changes: readonly [string, (beside: ApplicationService<Call>, name: string) => unknown, object | undefined, (() => JsonObject)?][] =
    [
      [
        'an update',
        (beside, name) => beside.Update({ application: application(name, {}, { labels: { a: 'b' } }) }, call),
        { metadata: { labels: { a: 'b' } } },
      ],
      [
        'an update of the spec',
        (beside, name) => beside.UpdateSpec({ name, spec: spec({ revisionHistoryLimit: 3 }) }, call),
        { spec: { revisionHistoryLimit: 3 } },
      ],
      [
        'a patch',
        (beside, name) => beside.Patch({ name, patch: '{"metadata":{"labels":{"a":"b"}}}', patchType: 'merge' }, call),
        { metadata: { labels: { a: 'b' } } },
      ],
      [
        'a create that replaces',
        (beside, name) => beside.Create({ application: application(name, { revisionHistoryLimit: 3 }), upsert: true }, call),
        { spec: { revisionHistoryLimit: 3 } },
      ],
      ['a sync', (beside, name) => beside.Sync({ name }, call), { operation: { sync: {} } }],
      [
        'a rollback',
        (beside, name) => beside.Rollback({ name, id: 1 }, call),
        { operation: { sync: { revision: 'a'.repeat(40) } } },
        deployed,
      ],
      [
        'an end',
        (beside, name) => beside.TerminateOperation({ name }, call),
        { status: { operationState: { phase: 'Terminating' } } },
        running,
      ],
      ['a deletion', (beside, name) => beside.Delete({ name }, call), { metadata: { deletionTimestamp: expect.any(String) as string } }],
      ['a deletion that leaves all', (beside, name) => beside.Delete({ name, cascade: false }, call), undefined],
    ];

  const prepare = async (name: string, more?: () => JsonObject): Promise<void> => {
    await plane.create(name, spec());
    const body = more?.();
    if (body !== undefined) await plane.home.embedded.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
  };

  it.each(changes)('RACE-04: does nothing where it is in another project then: %s', async (what, change, _after, more) => {
    const name = `raced-${what.replaceAll(' ', '-')}`;
    await prepare(name, more);
    const beside = serveBeside(name, { spec: { project: 'second' } });
    await expect(Promise.resolve(change(beside, name))).rejects.toMatchObject({
      code: Code.Aborted,
      message: 'the application was moved or made anew meanwhile, please try again',
    });
    const { metadata, ...rest } = await plane.home.embedded.get(applicationType, { namespace: 'argocd', name });
    expect(metadata).not.toHaveProperty('deletionTimestamp');
    expect(metadata).not.toHaveProperty('finalizers');
    expect(metadata.labels).toBeUndefined();
    expect(rest).toMatchObject({ spec: { project: 'second' } });
    expect(rest['spec']).not.toHaveProperty('revisionHistoryLimit');
    expect(JSON.stringify(rest)).not.toMatch(/Terminating|initiatedBy/);
  });

  it.each(changes)('goes on where it is not, and keeps what it does not replace: %s', async (what, change, after, more) => {
    const name = `beside-${what.replaceAll(' ', '-')}`;
    await prepare(name, more);
    await change(serveBeside(name, { metadata: { annotations: { other: 'x' } } }), name);
    const written = plane.home.embedded.get(applicationType, { namespace: 'argocd', name });
    if (after === undefined) return await expect(written).rejects.toMatchObject({ status: { reason: 'NotFound' } });
    expect(await written).toMatchObject(after);
    // An update of all of it says which annotations there are; everything else leaves those of others.
    expect((await written).metadata.annotations?.['other']).toBe(what === 'an update' ? undefined : 'x');
  });
});
