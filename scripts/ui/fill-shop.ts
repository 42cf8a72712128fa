/** Projects and applications for pictures: a small shop, in which some things are not as they should be. */
import { deployment, service } from '../../test/support/argocd-stage.ts';
import type { UiStage } from '../../test/ui/support/ui-stage.ts';

const NAMES = [
  'basket',
  'catalogue',
  'identity',
  'ledger',
  'notifications',
  'pricing',
  'reviews',
  'search',
  'shipping',
  'storefront',
  'tax',
  'warehouse',
];

/** A project with a bit of everything. */
const PAYMENTS = {
  description: 'What takes money, and what keeps account of it',
  sourceRepos: ['*', '!https://git.example/experiments/*'],
  destinations: [
    { server: '*', namespace: '*' },
    { server: 'https://prod.example:6443', namespace: 'payments-*' },
  ],
  clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
  namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }],
  orphanedResources: { ignore: [{ kind: 'ConfigMap', name: 'kube-root-*' }] },
  roles: [
    {
      name: 'release',
      description: 'What deploys after a build',
      policies: [
        'p, proj:payments:release, applications, get, payments/*, allow',
        'p, proj:payments:release, applications, sync, payments/*, allow',
        'p, proj:payments:release, applications, sync, payments/ledger, deny',
      ],
    },
    { name: 'on-call', groups: ['payments-on-call'], policies: ['p, proj:payments:on-call, applications, *, payments/*, allow'] },
  ],
  syncWindows: [
    {
      kind: 'allow',
      schedule: '0 8 * * 1-5',
      duration: '10h',
      applications: ['invoices-*'],
      manualSync: true,
      description: 'Working hours',
    },
    { kind: 'deny', schedule: '30 15 * * 4', duration: '3h', applications: ['invoices-*', 'books'], description: 'Month end' },
    { kind: 'allow', schedule: '0 22 * * 0,6', duration: '5h', namespaces: ['books'], timeZone: 'Europe/Berlin' },
  ],
};

export async function fillShop(place: UiStage): Promise<void> {
  await place.call('POST', '/api/v1/projects', { project: { metadata: { name: 'payments', labels: { team: 'ledger' } }, spec: PAYMENTS } });
  await place.call('POST', '/api/v1/projects/payments/roles/release/token', { id: 'nightly', expiresIn: 7_776_000 });
  const broken = JSON.parse(deployment('checkout')) as { metadata: object };
  const failing = { ...broken, metadata: { ...broken.metadata, annotations: { 'simulate.fairway.dev/behavior': 'fail' } } };
  await place.repository.commit({ 'checkout/deployment.json': JSON.stringify(failing), 'checkout/service.json': service('checkout') });
  for (const [index, name] of NAMES.entries())
    await place.createApplication(name, {
      path: index % 3 === 2 ? 'api' : 'web',
      project: index % 4 === 3 ? 'payments' : 'default',
      automated: index % 5 !== 0,
    });
  await place.createApplication('checkout', { path: 'checkout', project: 'payments' });
  await place.createApplication('returns', { path: 'not-there-yet' }).catch(() => undefined);
  await place.waitForState('checkout', 'Synced Degraded');
  await place.waitForState('warehouse', 'Synced Healthy');
}
