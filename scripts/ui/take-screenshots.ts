/** Takes pictures of every page, light and dark, of a Fairway with something in it: `node scripts/ui/take-screenshots.ts FOLDER [NAME…]`. For people to look at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { deployment, service } from '../../test/support/argocd-stage.ts';
import { startUiStage, type UiStage } from '../../test/ui/support/ui-stage.ts';
import { fillApplicationSets } from './fill-application-sets.ts';
import { fillSettings } from './fill-settings.ts';

interface Picture {
  readonly name: string;
  readonly path: string | ((place: UiStage) => string);
  /** A text that is there when the page is. */
  readonly ready: string;
  readonly before?: (page: Page) => Promise<unknown>;
  readonly size?: { readonly width: number; readonly height: number };
  readonly isSignedOut?: boolean;
}

const PICTURES: readonly Picture[] = [
  { name: 'sign-in', path: '/login', ready: 'Sign in to Fairway', isSignedOut: true },
  { name: 'applications', path: '/applications', ready: 'warehouse' },
  { name: 'tiles', path: '/applications?view=tiles&sort=health', ready: 'checkout' },
  { name: 'attention', path: '/applications?view=attention', ready: 'checkout' },
  {
    name: 'sync-several',
    path: '/applications?sync=OutOfSync',
    ready: 'pricing',
    before: async (page) => {
      await page.getByLabel('Select all that are listed').check();
      await page.getByRole('button', { name: 'Sync…' }).click();
      await page.getByText('differs').first().waitFor();
    },
  },
  {
    name: 'palette',
    path: '/applications',
    ready: 'warehouse',
    before: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('we');
      await page.getByRole('option', { name: /Deployment web of catalogue/ }).waitFor();
    },
  },
  {
    name: 'new-application',
    path: (place) => linkToNew(place, 'greeter'),
    ready: 'The repository answers',
    before: (page) => page.getByRole('button', { name: /^web Directory/ }).waitFor(),
  },
  {
    name: 'new-application-review',
    path: (place) => linkToNew(place, 'greeter'),
    ready: 'The repository answers',
    before: async (page) => {
      for (let step = 0; step < 3; step += 1) {
        await page.getByRole('button', { name: /^Next/ }).click();
        await page.getByText(['A folder of manifests', 'Where it goes', 'kind: Deployment'][step]!).waitFor();
      }
    },
  },
  { name: 'new-application-yaml', path: '/applications/new?way=yaml', ready: 'kind: Application' },
  { name: 'application', path: '/applications/argocd/ledger', ready: 'ReplicaSet' },
  { name: 'application-details', path: '/applications/argocd/warehouse?tab=details', ready: 'Sync windows' },
  {
    name: 'application-source-form',
    path: '/applications/argocd/warehouse?tab=details',
    ready: 'Sync windows',
    before: async (page) => {
      await page.getByRole('button', { name: 'Edit source' }).click();
      await page.getByText('The repository answers').waitFor();
    },
  },
  { name: 'application-sets', path: '/applicationsets', ready: 'regions' },
  { name: 'application-set', path: '/applicationsets/argocd/regions', ready: 'regions-oslo' },
  { name: 'application-set-rollout', path: '/applicationsets/argocd/rollout?tab=rollout', ready: 'Step 2 waits for' },
  { name: 'application-set-why', path: '/applicationsets/argocd/previews', ready: 'map has no entry' },
  {
    name: 'application-set-preview',
    path: '/applicationsets/argocd/regions?tab=preview&edit=true',
    ready: 'Not tried yet',
    before: async (page) => {
      await page.getByText('- name: lima').click();
      await page.keyboard.press('End');
      for (let each = 0; each < 'lima'.length; each++) await page.keyboard.press('Backspace');
      await page.keyboard.type('kyoto');
      await page.getByText('- name: kyoto').waitFor();
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.getByText('regions-kyoto').first().waitFor();
    },
  },
  { name: 'api-browser', path: '/help/api?operation=ApplicationSet_List', ready: 'Try it' },
  { name: 'settings', path: '/settings', ready: 'Resources are tracked by' },
  { name: 'projects', path: '/settings/projects', ready: 'payments' },
  { name: 'project', path: '/settings/projects/payments', ready: 'In this project' },
  { name: 'project-form', path: '/settings/projects/payments?edit=form', ready: 'Review and save' },
  { name: 'project-roles', path: '/settings/projects/payments?tab=roles', ready: 'nightly' },
  { name: 'project-windows', path: '/settings/projects/payments?tab=windows', ready: 'Month end' },
  { name: 'project-who-can', path: '/settings/projects/payments?tab=who-can&action=delete', ready: 'role:admin' },
  {
    name: 'project-review',
    path: '/settings/projects/payments?edit=form',
    ready: 'Review and save',
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Source repositories' }).fill('https://git.example/payments/*\nhttps://charts.example');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByText('kind: AppProject').waitFor();
    },
  },
  { name: 'repositories', path: '/settings/repos', ready: 'payments' },
  {
    name: 'repository-form',
    path: '/settings/repos?add=repository&url=https://git.example/shop/deploy',
    ready: 'Add a repository',
    before: (page) => page.getByLabel('Sign in with').selectOption('User name and password'),
  },
  { name: 'credential-templates', path: '/settings/repos?view=templates', ready: 'git.example' },
  { name: 'certificates', path: '/settings/certs', ready: 'git.example' },
  { name: 'gpg-keys', path: '/settings/gpgkeys', ready: 'Ada Test' },
  { name: 'clusters', path: '/settings/clusters', ready: 'frankfurt' },
  { name: 'cluster', path: '/settings/clusters/https%3A%2F%2F127.0.0.1%3A9', ready: 'Registered as' },
  { name: 'accounts', path: '/settings/accounts', ready: 'retired' },
  { name: 'account', path: '/settings/accounts/admin', ready: 'New password again' },
  { name: 'narrow-repositories', path: '/settings/repos', ready: 'payments', size: { width: 400, height: 800 } },
  { name: 'user-info', path: '/user-info', ready: 'You are signed in' },
  { name: 'narrow', path: '/applications', ready: 'basket', size: { width: 400, height: 800 } },
  {
    name: 'narrow-new-application',
    path: (place) => linkToNew(place, 'greeter'),
    ready: 'The repository answers',
    size: { width: 400, height: 800 },
  },
  { name: 'narrow-application-set', path: '/applicationsets/argocd/regions', ready: 'regions-oslo', size: { width: 400, height: 800 } },
  { name: 'narrow-project', path: '/settings/projects/payments?tab=windows', ready: 'Month end', size: { width: 400, height: 800 } },
];

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

/** Runs in the page: what the folders of this machine are called is nobody's business. Then two frames, so that all is drawn. */
const TIDY = String.raw`(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const tidy = (text) => text.replace(/(file:\/\/)?\/tmp\/git-repository-\w+/, 'git.example/shop/deploy');
  while (walker.nextNode()) walker.currentNode.data = tidy(walker.currentNode.data);
  for (const input of document.querySelectorAll('input')) if (input.value.includes('/tmp/')) input.value = tidy(input.value);
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;

const [, , folder = '', ...names] = process.argv;
if (folder === '') throw new Error('name a folder for the pictures');
mkdirSync(folder, { recursive: true });
const stage = await startUiStage();
try {
  await fill(stage);
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const colorScheme of ['light', 'dark'] as const) for (const picture of wanted) await take(stage, picture, colorScheme);
} finally {
  await stage.close();
}

async function take(
  place: UiStage,
  { name, path, ready, before, size, isSignedOut }: Picture,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const options = { colorScheme, ...(size && { size }) };
  const address = typeof path === 'string' ? path : path(place);
  const { page, close } = isSignedOut ? await place.open(options) : await place.openSignedIn(address, options);
  if (isSignedOut) await page.goto(address);
  await page.getByText(ready).first().waitFor();
  await before?.(page);
  await page.evaluate(TIDY);
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' });
  await close();
}

/** The form for a new application, with something filled in. */
function linkToNew(place: UiStage, name: string): string {
  const source = { repoURL: place.repository.url, path: 'web' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: name };
  return `/applications/new?app=${encodeURIComponent(JSON.stringify({ metadata: { name }, spec: { source, destination } }))}`;
}

/** A small shop, in which some things are not as they should be. */
async function fill(place: UiStage): Promise<void> {
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
  await fillSettings(place);
  await fillApplicationSets(place);
}
