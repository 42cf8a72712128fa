import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readApplication, readApplicationSet, type Application } from '../../model/index.ts';
import { applyMergePatch, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { typedSpec, type DesiredApplication } from './desired-application.ts';
import { createIgnore } from './ignore-differences.ts';
import { planApplication, type PlanRules } from './plan-application.ts';

const owner = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  name: 'set',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
};
const rulesWith = (ignoreApplicationDifferences: JsonObject[] = []): PlanRules => ({
  namespace: 'argocd',
  owner,
  preservedAnnotations: new Set(['kept']),
  preservedLabels: new Set(['kept']),
  ignore: createIgnore(readApplicationSet({ apiVersion: '', kind: '', metadata: {}, spec: { ignoreApplicationDifferences } }))('a'),
  operation: undefined,
});

const text = fc.constantFrom('', 'x', 'y', '0', 'true');
const texts = fc.dictionary(fc.constantFrom('kept', 'a', 'b/c', '__proto__'), text, { maxKeys: 3 });
const finalizers = fc.uniqueArray(
  fc.constantFrom('resources-finalizer.argocd.argoproj.io', 'x.example.com/y', 'post-delete-finalizer.argocd.argoproj.io/cleanup'),
);
const source = fc.record(
  {
    repoURL: text,
    path: text,
    helm: fc.record(
      {
        releaseName: text,
        valueFiles: fc.array(text, { maxLength: 2 }),
        skipCrds: fc.boolean(),
        valuesObject: fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<never>, { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
    directory: fc.record({ recurse: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: ['repoURL'] },
);
const spec = fc.record(
  {
    project: fc.constant('p'),
    destination: fc.record({ server: text, namespace: text }, { requiredKeys: [] }),
    source,
    syncPolicy: fc.record(
      {
        automated: fc.record({ prune: fc.boolean(), enabled: fc.boolean() }, { requiredKeys: [] }),
        syncOptions: fc.array(text, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    revisionHistoryLimit: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: ['project', 'destination'] },
);

const desiredApplication = fc
  .record({ labels: texts, annotations: texts, finalizers, spec })
  .map((parts): DesiredApplication => ({ name: 'a', ...parts, spec: typedSpec(parts.spec) }));
const liveObject = fc.record({ labels: texts, annotations: texts, finalizers, spec, isOwned: fc.boolean() }).map(
  ({ spec: own, isOwned, ...metadata }) =>
    ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'a', namespace: 'argocd', uid: 'live', ...metadata, ...(isOwned && { ownerReferences: [owner] }) },
      spec: JSON.parse(JSON.stringify(own)) as JsonObject,
      status: { sync: { status: 'Synced' } },
    }) as unknown as KubeObject & JsonObject,
);
const ignored = fc.subarray([
  { jsonPointers: ['/spec/source/path', '/metadata/labels/a'] },
  { jqPathExpressions: ['.spec.syncPolicy'] },
  { name: 'other', jsonPointers: ['/spec'] },
] as JsonObject[]);

const read = (object: JsonObject): Application => readApplication(object as unknown as KubeObject);

describe('the plan for an application', () => {
  it('leaves nothing to do when it is carried out', () => {
    fc.assert(
      fc.property(desiredApplication, liveObject, ignored, (desired, live, ignore) => {
        const rules = rulesWith(ignore);
        const plan = planApplication(desired, read(live), rules);
        if (plan.kind === 'keep') return;
        expect(plan.kind).toBe('patch');
        const body = plan.kind === 'patch' ? plan.body : {};
        const after = applyMergePatch(live, body) as JsonObject;
        expect(planApplication(desired, read(after), rules)).toEqual({ kind: 'keep' });
        expect(after['status']).toEqual(live['status']);
      }),
      { numRuns: 400 },
    );
  });

  it('leaves nothing to do after it was made', () => {
    fc.assert(
      fc.property(desiredApplication, (desired) => {
        const rules = rulesWith();
        const plan = planApplication(desired, undefined, rules);
        const object = plan.kind === 'create' ? plan.object : undefined;
        const stored = { ...object, metadata: { ...object?.metadata, uid: 'live' } } as unknown as JsonObject;
        expect(planApplication(desired, read(stored), rules)).toEqual({ kind: 'keep' });
      }),
      { numRuns: 200 },
    );
  });

  const bare = (project: string, more: object = {}): Application =>
    read({ metadata: { name: 'a', uid: 'live', ...more }, spec: { project, destination: {} } } as unknown as JsonObject);
  const desired: DesiredApplication = {
    name: 'a',
    labels: {},
    annotations: {},
    finalizers: [],
    spec: typedSpec({ project: 'p', destination: {} }),
  };

  it('takes one that nobody owns only within its project', () => {
    expect(planApplication(desired, bare('p'), rulesWith())).toMatchObject({
      kind: 'patch',
      body: { metadata: { ownerReferences: [owner], uid: 'live' } },
    });
    expect(planApplication(desired, bare('q'), rulesWith())).toEqual({
      kind: 'refuse',
      message: 'error while wrapping using MutateFn: Object argocd/a belongs to no ApplicationSet, and is in project q',
    });
    const own = bare('q', { ownerReferences: [owner] });
    expect(planApplication(desired, own, rulesWith())).toMatchObject({ kind: 'patch', body: { spec: { project: 'p' } } });
  });

  it('may leave all metadata to others', () => {
    const live = bare('p', { labels: { theirs: 'x' }, ownerReferences: [owner] });
    for (const ignore of [{ jsonPointers: ['/metadata'] }, { jqPathExpressions: ['.metadata'] }])
      expect(planApplication({ ...desired, labels: { ours: 'y' } }, live, rulesWith([ignore]))).toEqual({ kind: 'keep' });
  });

  it('leaves one alone that another controls', () => {
    const other = bare('p', { ownerReferences: [{ ...owner, name: 'other', uid: 'u2' }] });
    expect(planApplication(desired, other, rulesWith())).toMatchObject({ kind: 'refuse' });
  });
});
