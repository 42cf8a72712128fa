import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../objects/index.ts';
import { normalizeTargets } from './normalize-targets.ts';

const make = (apiVersion: string, kind: string, metadata: KubeObject['metadata'], data = '1'): KubeObject => ({
  apiVersion,
  kind,
  metadata,
  data: { data },
});
const isNamespaced = (_group: string, kind: string) => (kind === 'Widget' ? undefined : kind !== 'ClusterRole');

describe('Targets', () => {
  it('are put where they belong', () => {
    const { objects, conditions } = normalizeTargets(
      [
        make('v1', 'ConfigMap', { name: 'a' }),
        make('v1', 'ConfigMap', { name: 'b', namespace: 'own' }),
        make('rbac.authorization.k8s.io/v1', 'ClusterRole', { name: 'c', namespace: 'wrong' }),
        make('example.com/v1', 'Widget', { name: 'd' }),
      ],
      { destinationNamespace: 'ns', isNamespaced },
    );
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(['ns', 'own', undefined, 'ns']);
    expect(conditions).toEqual([]);
  });

  it('that come twice count once, the last of them, with a warning', () => {
    const { objects, conditions } = normalizeTargets(
      [make('v1', 'ConfigMap', { name: 'a' }, '1'), make('v1', 'ConfigMap', { name: 'a', namespace: 'ns' }, '2')],
      { destinationNamespace: 'ns', isNamespaced },
    );
    expect(objects).toMatchObject([{ data: { data: '2' } }]);
    expect(conditions).toEqual([
      { type: 'RepeatedResourceWarning', message: 'Resource /ConfigMap/ns/a appeared 2 times among application resources.' },
    ]);
  });

  it('of kinds that settings leave out are left out, with a warning', () => {
    const isExcluded = (group: string, kind: string): boolean => group === 'coordination.k8s.io' && kind === 'Lease';
    const targets = [make('v1', 'ConfigMap', { name: 'a' }), make('coordination.k8s.io/v1', 'Lease', { name: 'b' })];
    const { objects, conditions } = normalizeTargets(targets, { destinationNamespace: 'ns', isNamespaced, isExcluded });
    expect(objects).toHaveLength(1);
    expect(conditions).toEqual([
      { type: 'ExcludedResourceWarning', message: 'Resource coordination.k8s.io/Lease b is excluded in the settings' },
    ]);
  });

  it('that make up their names are not the same', () => {
    const hook = make('batch/v1', 'Job', { generateName: 'mig-' });
    expect(normalizeTargets([hook, hook], { destinationNamespace: 'ns', isNamespaced })).toMatchObject({
      objects: [{}, {}],
      conditions: [],
    });
  });

  it('without a namespace are told of where they need one', () => {
    const { conditions } = normalizeTargets([make('apps/v1', 'Deployment', { name: 'a' })], { destinationNamespace: '', isNamespaced });
    expect(conditions).toEqual([{ type: 'InvalidSpecError', message: 'Namespace for a apps/v1, Kind=Deployment is missing.' }]);
  });
});
