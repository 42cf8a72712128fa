import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { formatTrackingId, parseTrackingId } from './tracking-id.ts';
import { defaultTrackingRules, isOfAnother, isSelfReferenced, trackingOf, withMigratedTracking, withTracking } from './tracking.ts';
import type { TrackingRules } from './tracking.ts';

const ID = 'argocd.argoproj.io/tracking-id';
const LABEL = 'app.kubernetes.io/instance';
const deployment: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'api', namespace: 'prod' } };
const role: KubeObject = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'system:reader' } };
const rules = (changes: Partial<TrackingRules> = {}): TrackingRules => ({ ...defaultTrackingRules, ...changes });
const mark = (object: KubeObject, own: TrackingRules = rules(), instanceName = 'web') =>
  withTracking(object, { instanceName, destinationNamespace: 'prod', rules: own });

describe('Tracking', () => {
  it('by annotation names the application and the object', () => {
    expect(mark(deployment).metadata).toEqual({ name: 'api', namespace: 'prod', annotations: { [ID]: 'web:apps/Deployment:prod/api' } });
    expect(mark({ ...deployment, apiVersion: 'v1', kind: 'Service' }).metadata.annotations?.[ID]).toBe('web:/Service:prod/api');
    expect(mark(role).metadata.annotations?.[ID]).toBe('web:rbac.authorization.k8s.io/ClusterRole:prod/system:reader');
  });

  it('by label writes the label alone, and by both shortens it', () => {
    const name = `${'a'.repeat(61)}--longer`;
    expect(mark(deployment, rules({ method: 'label' }), name).metadata).toEqual({
      name: 'api',
      namespace: 'prod',
      labels: { [LABEL]: name },
    });
    expect(mark(deployment, rules({ method: 'annotation+label' }), name).metadata.labels).toEqual({ [LABEL]: 'a'.repeat(61) });
    expect(trackingOf(mark(deployment, rules({ method: 'annotation+label' }), name), rules())?.instanceName).toBe(name);
  });

  it('leaves definitions of kinds alone, whatever the method', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
    };
    for (const method of ['annotation', 'label', 'annotation+label'] as const) expect(mark(definition, rules({ method }))).toBe(definition);
  });

  it('takes the place of marks that a source brings along', () => {
    const foreign = {
      ...deployment,
      metadata: {
        ...deployment.metadata,
        annotations: { [ID]: 'other:apps/Deployment:prod/api', 'argocd.argoproj.io/installation-id': 'x' },
      },
    };
    expect(mark(foreign).metadata.annotations).toEqual({ [ID]: 'web:apps/Deployment:prod/api' });
  });

  it.each([
    ['nothing', {}, undefined],
    ['a label, which is another method', { labels: { [LABEL]: 'web' } }, undefined],
    ['a mark that cannot be read', { annotations: { [ID]: 'web' } }, undefined],
    ['a mark', { annotations: { [ID]: 'ns_web:apps/Deployment:prod/api' } }, 'ns_web'],
    ['a mark from before its name was made up', { annotations: { [ID]: 'web:batch/Job:prod/' } }, 'web'],
  ])('reads %s', (_what, metadata, instanceName) => {
    expect(trackingOf({ ...deployment, metadata }, rules())?.instanceName).toBe(instanceName);
  });

  it('knows only the marks of its own installation', () => {
    const [own, none] = [rules({ installationId: 'one' }), rules()];
    expect(trackingOf(mark(deployment, own), own)?.instanceName).toBe('web');
    expect(trackingOf(mark(deployment, own), none)).toBeUndefined();
    expect(trackingOf(mark(deployment, none), own)).toBeUndefined();
  });

  it('takes for that of another what another application or installation has marked, and nothing else', () => {
    const [own, none] = [rules({ installationId: 'one' }), rules()];
    expect(isOfAnother(mark(deployment), 'web', none)).toBe(false);
    expect(isOfAnother(mark(deployment), 'other', none)).toBe(true);
    expect(isOfAnother(mark(deployment, own), 'web', none)).toBe(true);
    expect(isOfAnother(mark(deployment, none), 'web', own)).toBe(true);
    const labelled = mark(deployment, rules({ method: 'label' }));
    for (const unmarked of [deployment, labelled]) expect(isOfAnother(unmarked, 'other', none)).toBe(false);
    expect(isOfAnother(labelled, 'other', rules({ method: 'label' }))).toBe(true);
  });

  it('does not take a copied mark for one of the object itself', () => {
    const copy = { ...mark(deployment), metadata: { ...mark(deployment).metadata, name: 'copy' } };
    expect(isSelfReferenced(mark(deployment), undefined, rules())).toBe(true);
    expect(isSelfReferenced(copy, undefined, rules())).toBe(false);
    expect(isSelfReferenced(mark(role), undefined, rules())).toBe(true);
    expect(isSelfReferenced(copy, copy, rules())).toBe(true);
    expect(isSelfReferenced(copy, undefined, rules({ method: 'label' }))).toBe(true);
  });

  it('lets an object that was marked by label pass for one that is marked by annotation', () => {
    const live = mark(deployment, rules({ method: 'label' }));
    expect(withMigratedTracking(live, mark(deployment), rules()).metadata).toEqual(mark(deployment).metadata);
  });

  it('reads every mark that it writes', () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9.-]{0,10}$/);
    fc.assert(
      fc.property(
        part,
        fc.option(part, { nil: '' }),
        part,
        fc.option(part, { nil: '' }),
        fc.stringMatching(/^[a-z:.-]{1,12}$/),
        (instanceName, group, kind, namespace, name) => {
          const id = { instanceName, group, kind, namespace, name };
          expect(parseTrackingId(formatTrackingId(id))).toEqual(id);
        },
      ),
    );
  });

  it.each([
    '',
    'web',
    'web:apps',
    'web:apps/Deployment',
    'web:Deployment:prod/api',
    'web:apps/Deployment:api',
    ':apps/Deployment:prod/api',
    'web:a/b/c:prod/api',
  ])('refuses the mark %j', (text) => {
    expect(() => parseTrackingId(text)).toThrow(
      'wrong resource tracking format, should be <application-name>:<group>/<kind>:<namespace>/<name>',
    );
  });
});
