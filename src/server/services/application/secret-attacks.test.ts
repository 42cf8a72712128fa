import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { definitionType, widget, widgetDefinition, widgetType } from '../../../../test/support/widget-definition.ts';
import type { ApplicationService } from '../../../contract/index.ts';
import { applicationType, appProjectType, type ResourceDiff } from '../../../model/index.ts';
import { statusError, type JsonObject, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

const NAMESPACE = 'vault';
const SERVER = 'https://kubernetes.default.svc';
const CANARY = 'canary-7f3a';
const WIDGETS = 'secrets-attacks.example';

/** Each step renders anew and syncs. */
const slow = { timeout: 90_000 };

let plane: ApplicationPlane;
let repository: GitRepository;
let service: ApplicationService<Call>;
const call = (): Call => createServiceCall('/application.ApplicationService/Get');

beforeAll(async () => {
  repository = await createGitRepository({ 'README.md': 'Manifests.' });
  plane = await openApplicationPlane({ settings: { 'resource.sensitive.mask.annotations': 'token,other-token' } });
  service = createApplicationService(plane.service) as ApplicationService<Call>;
  await plane.home.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  plane.startController();
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

const encode = (text: string): string => Buffer.from(text).toString('base64');

async function declare(
  name: string,
  objects: readonly JsonObject[],
  more: { project?: string; annotations?: JsonObject } = {},
): Promise<void> {
  await repository.commit({ [`${name}/all.yaml`]: objects.map((object) => JSON.stringify(object)).join('\n---\n') });
  const source = { repoURL: repository.url, path: name };
  const spec = { project: more.project ?? 'default', source, destination: { server: SERVER, namespace: NAMESPACE } };
  await plane.create(name, spec, { annotations: more.annotations ?? {} });
  await plane.waitFor(name, ({ status }) => status?.sync?.status !== undefined || (status?.conditions ?? []).length > 0);
}

async function sync(name: string, how: JsonObject = {}): Promise<void> {
  const body = { operation: { sync: how }, status: { operationState: null } };
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
  await plane.waitFor(name, ({ status, operation }) => status?.operationState?.finishedAt !== undefined && operation === undefined);
}

/** What a call answers, or why it does not. */
async function attempt<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer | string> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** All that an application shows to those who look at it, and what was logged and told meanwhile. */
async function everythingOf(name: string): Promise<string> {
  const shown: unknown[] = [
    await service.Get({ name, refresh: 'hard' }, call()),
    await attempt(() => service.ManagedResources({ applicationName: name }, call())),
    await attempt(() => service.ResourceTree({ applicationName: name }, call())),
    await attempt(() => service.GetManifests({ name }, call())),
    await attempt(() => service.ListResourceEvents({ name }, call())),
    await service.List({}, call()),
    (await plane.home.api.list({ group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true })).items,
    plane.home.logged,
  ];
  return JSON.stringify(shown);
}

function expectHidden(text: string, ...values: readonly string[]): void {
  for (const value of values)
    for (const form of [value, encode(value), encode(encode(value)).slice(0, -4)]) expect(text).not.toContain(form);
}

const secret = (name: string, more: JsonObject = {}): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...more });
const resource = (name: string, kind = 'Secret', group = '') => ({ resourceName: name, namespace: NAMESPACE, group, version: 'v1', kind });

describe('What is in a Secret', () => {
  it('SECR-02 is masked inside the record of what was applied, and a record that nobody can read is masked whole', slow, async () => {
    await declare('recorded', [secret('recorded', { stringData: { pw: `${CANARY}-git` } })]);
    await sync('recorded');
    const records = [
      JSON.stringify({ ...secret('recorded'), data: { pw: encode(`${CANARY}-data`) }, stringData: { other: `${CANARY}-text` } }),
      `{"broken": "${CANARY}-broken"`,
      `"${CANARY}-no-object"`,
    ];
    for (const record of records) {
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': record };
      const ref = { namespace: NAMESPACE, name: 'recorded' };
      await plane.home.api.patch(kinds.secret, ref, { type: 'merge', body: { metadata: { annotations } } });
      const live = await service.GetResource({ name: 'recorded', ...resource('recorded') }, call());
      const text = `${await everythingOf('recorded')}${live.manifest}`;
      expectHidden(text, `${CANARY}-git`, `${CANARY}-data`, `${CANARY}-text`, `${CANARY}-broken`, `${CANARY}-no-object`);
      expect(live.manifest).toContain('++++++++');
    }
  });

  it('SECR-03 is in no message about a Secret that is refused', slow, async () => {
    const bad: readonly (readonly [string, JsonObject])[] = [
      ['number', { stringData: { pw: 424_242_424_242 } }],
      ['broken', { data: { pw: `${CANARY}!not base64` } }],
      ['nested', { data: { pw: { deep: `${CANARY}-deep` } } }],
      ['list', { data: [`${CANARY}-list`] }],
      ['odd', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': `${CANARY}-docker` } }],
    ];
    for (const [name, more] of bad) {
      await declare(`refused-${name}`, [secret(`refused-${name}`, more)]);
      await sync(`refused-${name}`).catch(() => undefined);
      expectHidden(await everythingOf(`refused-${name}`), CANARY, '424242424242');
    }
  });

  it('SECR-03 is in no message about a change that a cluster refuses and quotes', slow, async () => {
    const value = (name: string): JsonObject => secret(name, { stringData: { pw: `${CANARY}-before` } });
    await declare('changed', [value('one'), value('two')]);
    await sync('changed');
    const before = plane.home.disturb;
    plane.home.disturb = async (asked) => {
      await before(asked);
      const dump = `map[data:map[pw:${encode(`${CANARY}-after`)}] metadata:map[annotations:map[${CANARY}-before]]]`;
      if (/^(?:patch|delete) Secret (?:one|two)$/.test(asked))
        throw statusError('Invalid', ` "" is invalid: patch: Invalid value: "${dump}": json: cannot unmarshal`, {
          causes: [{ reason: 'FieldValueInvalid', message: `Invalid value: "${dump}"`, field: 'patch' }],
        });
    };
    try {
      await repository.commit({ 'changed/all.yaml': JSON.stringify(secret('one', { stringData: { pw: `${CANARY}-after` } })) });
      await sync('changed', { prune: true });
      const { status } = await plane.waitFor('changed', (one) => one.status?.operationState?.phase === 'Failed');
      const { operationState } = status ?? {};
      expect(JSON.stringify(operationState?.syncResult?.resources)).toContain(`the cluster refuses the Secret ${NAMESPACE}/`);
      const removal = await attempt(() => service.DeleteResource({ name: 'changed', ...resource('one') }, call()));
      expect(removal).toBe(`the cluster refuses the Secret ${NAMESPACE}/one (Invalid: patch)`);
      expectHidden(await everythingOf('changed'), CANARY);
    } finally {
      plane.home.disturb = before;
    }
  });

  it('SECR-05 cannot be seen by asking about what is not the application’s own', slow, async () => {
    await declare('asking', [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' }, data: { a: '1' } }]);
    await sync('asking');
    const foreign = secret('foreign', { data: { pw: encode(`${CANARY}-foreign`) } });
    await plane.home.api.create(kinds.secret, { ...foreign, metadata: { name: 'foreign', namespace: NAMESPACE } } as unknown as KubeObject);
    const target = JSON.stringify({ ...secret('foreign'), metadata: { name: 'foreign', namespace: NAMESPACE } });
    const live = (more: Partial<ResourceDiff> = {}): ResourceDiff => ({
      kind: 'Secret',
      namespace: NAMESPACE,
      name: 'foreign',
      liveState: target,
      ...more,
    });
    const ask = (liveResources: ResourceDiff[], targetManifests: string[]) =>
      service.ServerSideDiff({ appName: 'asking', liveResources, targetManifests }, call());
    await expect(ask([live()], [target])).rejects.toMatchObject({
      code: 7,
      message: expect.stringMatching(/not found as part of application asking$/) as string,
    });
    const disguised = { kind: 'ConfigMap', name: 'own' };
    await expect(ask([live(disguised)], [target])).rejects.toMatchObject({ code: 3 });
    await expect(ask([live({ ...disguised, liveState: 'not json' })], [target])).rejects.toMatchObject({ code: 3 });
    // What is only brought along is shown to nobody but whoever brought it, masked, and is held against nothing.
    const brought = await ask(
      [],
      [
        JSON.stringify({
          ...secret('foreign', { stringData: { pw: `${CANARY}-brought` } }),
          metadata: { name: 'foreign', namespace: NAMESPACE },
        }),
      ],
    );
    expectHidden(JSON.stringify(brought), `${CANARY}-foreign`, `${CANARY}-brought`);
    for (const refused of [
      service.GetResource({ name: 'asking', ...resource('foreign') }, call()),
      service.PatchResource({ name: 'asking', ...resource('foreign'), patch: '{}', patchType: 'application/merge-patch+json' }, call()),
      service.DeleteResource({ name: 'asking', ...resource('foreign') }, call()),
      service.ListResourceLinks({ name: 'asking', ...resource('foreign') }, call()),
    ])
      await expect(refused).rejects.toMatchObject({ code: 3, message: 'Secret  foreign not found as part of application asking' });
  });

  it('SECR-07 is masked however it is wrapped, and wherever it stands in the tree', slow, async () => {
    const wrapped = (name: string): JsonObject => secret(name, { stringData: { pw: `${CANARY}-${name}` } });
    await declare('wrapped', [
      { apiVersion: 'v1', kind: 'List', items: [wrapped('in-list')] },
      { apiVersion: 'v1', kind: 'SecretList', items: [wrapped('in-secret-list')] },
    ]);
    await sync('wrapped');
    const { items: wanted = [] } = await service.ManagedResources({ applicationName: 'wrapped' }, call());
    expect(wanted.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Secret in-list', 'Secret in-secret-list']);
    expectHidden(await everythingOf('wrapped'), CANARY);

    await plane.home.api.create(definitionType, widgetDefinition(WIDGETS));
    const project = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'watchful', namespace: 'argocd' },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], orphanedResources: {} },
    };
    await plane.home.api.create(appProjectType, project as unknown as KubeObject);
    await waitUntil(() => plane.context.projects.get({ namespace: 'argocd', name: 'watchful' }) !== undefined);
    await waitUntil(async () => (await plane.home.api.discover()).resources.some(({ group }) => group === WIDGETS));
    await declare('owning', [widget(WIDGETS, { name: 'owner' }) as unknown as JsonObject], { project: 'watchful' });
    await waitUntil(async () => {
      await sync('owning');
      return plane.get('owning').status?.operationState?.phase === 'Succeeded';
    });
    const owner = await plane.home.api.get(widgetType(WIDGETS), { namespace: NAMESPACE, name: 'owner' });
    const ownerReferences = [{ apiVersion: `${WIDGETS}/v1`, kind: 'Widget', name: 'owner', uid: owner.metadata.uid ?? '' }];
    const make = (name: string, more: object): Promise<KubeObject> =>
      plane.home.api.create(kinds.secret, {
        ...secret(name, { data: { pw: encode(`${CANARY}-${name}`) } }),
        metadata: { name, namespace: NAMESPACE, ...more },
      } as unknown as KubeObject);
    await make('child', { ownerReferences });
    await make('orphan', {});
    await waitUntil(async () => {
      const { nodes = [], orphanedNodes = [] } = await service.ResourceTree({ applicationName: 'owning' }, call());
      return nodes.some(({ name }) => name === 'child') && orphanedNodes.some(({ name }) => name === 'orphan');
    });
    let text = await everythingOf('owning');
    for (const name of ['child', 'orphan']) {
      const found = await service.GetResource({ name: 'owning', ...resource(name) }, call());
      expect(found.manifest).toContain('"pw":"++++++++"');
      text += found.manifest;
    }
    expectHidden(text, CANARY);
  });

  it('SECR-08 is masked in annotations that settings call sensitive, on both sides and in the record', slow, async () => {
    const annotations = { token: `${CANARY}-git`, open: 'seen' };
    await declare('annotated', [{ ...secret('annotated', { stringData: { a: 'b' } }), metadata: { name: 'annotated', annotations } }]);
    await sync('annotated');
    const ref = { namespace: NAMESPACE, name: 'annotated' };
    const body = { metadata: { annotations: { token: `${CANARY}-live`, 'other-token': `${CANARY}-other` } } };
    await plane.home.api.patch(kinds.secret, ref, { type: 'merge', body });
    const found = await waitUntil(async () => {
      const { items = [] } = await service.ManagedResources({ applicationName: 'annotated' }, call());
      return items[0]?.liveState?.includes('other-token') === true ? items[0] : undefined;
    });
    expect(JSON.parse(found.targetState ?? '')).toMatchObject({ metadata: { annotations: { token: '++++++++', open: 'seen' } } });
    expect(JSON.parse(found.liveState ?? '')).toMatchObject({
      metadata: { annotations: { token: '++++++++++++', 'other-token': '++++++++' } },
    });
    const live = await service.GetResource({ name: 'annotated', ...resource('annotated') }, call());
    expectHidden(`${await everythingOf('annotated')}${live.manifest}`, `${CANARY}-git`, `${CANARY}-live`, `${CANARY}-other`);
  });

  it('SECR-10 is neither in the refusal of a patch nor in the log', slow, async () => {
    await declare('patched', [secret('patched', { stringData: { pw: `${CANARY}-git` } })]);
    await sync('patched');
    const patches = [
      ['application/merge-patch+json', JSON.stringify({ data: { pw: `${CANARY} is no base64` } })],
      ['application/merge-patch+json', `{"data": {"pw": "${CANARY}-cut`],
      ['application/json-patch+json', JSON.stringify([{ op: 'replace', path: '/data/pw', value: { a: CANARY } }])],
      ['application/json-patch+json', JSON.stringify([{ op: 'test', path: '/data/pw', value: CANARY }])],
      ['application/strategic-merge-patch+json', JSON.stringify({ type: `${CANARY}-type` })],
      [`application/${CANARY}`, '{}'],
    ] as const;
    for (const [patchType, patch] of patches) {
      const answer = await attempt(() => service.PatchResource({ name: 'patched', ...resource('patched'), patch, patchType }, call()));
      const refusal = JSON.stringify(answer);
      if (patchType !== `application/${CANARY}`) expect(refusal).not.toContain(CANARY);
    }
    const good = JSON.stringify({ data: { pw: encode(`${CANARY}-good`) } });
    const { manifest } = await service.PatchResource(
      { name: 'patched', ...resource('patched'), patch: good, patchType: 'application/merge-patch+json' },
      call(),
    );
    expectHidden(`${manifest}${await everythingOf('patched')}`, `${CANARY}-git`, `${CANARY}-good`, `${CANARY}-cut`, `${CANARY}-type`);
  });
});
