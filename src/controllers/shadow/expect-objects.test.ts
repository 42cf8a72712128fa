import { expect, it } from 'vitest';
import type { ObjectChange } from '../../kube/index.ts';
import { expectObjects } from './expect-objects.ts';
import { createShadowLedger } from './shadow-ledger.ts';

it('expects what is there to be looked at, and not what is gone before anybody has looked', () => {
  const ledger = createShadowLedger();
  let tell: (change: ObjectChange) => void = () => undefined;
  const store = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  expectObjects(store, {
    isNamespaceEnabled: (namespace) => namespace === 'argocd',
    expect: (application) => ledger.expect(application),
    forget: (namespace, name) => ledger.forget(namespace, name),
  });
  const change = (type: ObjectChange['type'], name: string, namespace = 'argocd'): void =>
    tell({ type, object: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { namespace, name } }, previous: undefined });
  change('added', 'web');
  change('added', 'shop');
  change('added', 'far', 'elsewhere');
  change('removed', 'web');
  expect(ledger.report().applications.map(({ name, verdict }) => [name, verdict])).toEqual([['shop', 'pending']]);
});
