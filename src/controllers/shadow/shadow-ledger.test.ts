import { expect, it } from 'vitest';
import { createShadowLedger } from './shadow-ledger.ts';

const named = (name: string) => ({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { namespace: 'argocd', name } });

it('counts what nobody has looked at as pending', () => {
  const ledger = createShadowLedger();
  ledger.expect(named('web'));
  ledger.expectSet(named('fleet'));
  expect(ledger.report()).toMatchObject({
    total: 1,
    counts: { agrees: 0, pending: 1 },
    applications: [{ name: 'web', project: 'default', verdict: 'pending', reason: 'we have not looked at it yet' }],
    sets: { total: 1, counts: { pending: 1 }, applicationSets: [{ name: 'fleet', reason: 'we have not looked at it yet' }] },
  });
});

it('keeps a verdict when it is told of an application again', () => {
  const ledger = createShadowLedger();
  ledger.expect(named('web'));
  const [pending] = ledger.report().applications;
  if (pending === undefined) throw new Error('it is not there');
  ledger.note({ ...pending, verdict: 'agrees', reason: '' });
  ledger.expect(named('web'));
  expect(ledger.report().counts).toMatchObject({ agrees: 1, pending: 0 });
});
