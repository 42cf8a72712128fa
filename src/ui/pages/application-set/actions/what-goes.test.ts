import { describe, expect, it } from 'vitest';
import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { whatGoes } from './what-goes.ts';

function setWith(spec: object, metadata: object = {}): ApplicationSet {
  const template = { metadata: {}, spec: { project: 'default', destination: {} } };
  return { metadata: { name: 'shop', ...metadata }, spec: { generators: [], template, ...spec } };
}

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

describe('what goes with a set', () => {
  it.each([
    ['everything, unless something else is said', {}, {}, { applications: true, resources: true }],
    [
      'applications alone where resources are preserved',
      { syncPolicy: { preserveResourcesOnDeletion: true } },
      {},
      { applications: true, resources: false },
    ],
    [
      'what a finalizer of the template says',
      { syncPolicy: { preserveResourcesOnDeletion: true }, template: { metadata: { finalizers: [FINALIZER] }, spec: {} } },
      {},
      { applications: true, resources: true },
    ],
    [
      'all the same with a policy that does not delete',
      { syncPolicy: { applicationsSync: 'create-only' } },
      {},
      { applications: true, resources: true },
    ],
    [
      'nothing where that policy has a finalizer to hold it',
      { syncPolicy: { applicationsSync: 'create-update' } },
      { finalizers: [FINALIZER] },
      { applications: false, resources: false },
    ],
  ])('is %s', (_title, spec, metadata, goes) => expect(whatGoes(setWith(spec, metadata))).toEqual(goes));
});
