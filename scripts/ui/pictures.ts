import type { Page } from 'playwright-core';
import type { UiStage } from '../../test/ui/support/ui-stage.ts';

export interface Picture {
  readonly name: string;
  readonly path: string | ((place: UiStage) => string);
  /** A text that is there when the page is. */
  readonly ready: string;
  /** What somebody does before the picture is taken. */
  readonly before?: ((page: Page) => Promise<unknown>) | undefined;
  readonly isSignedOut?: boolean;
}

/** Every page there is to look at. */
export const PICTURES: readonly Picture[] = [
  { ...picture('sign-in', '/login', 'Sign in to Fairway'), isSignedOut: true },
  picture('applications', '/applications', 'basket'),
  picture('tiles', '/applications?view=tiles&sort=health', 'checkout'),
  picture('attention', '/applications?view=attention', 'checkout'),
  picture('sync-several', '/applications?sync=OutOfSync', 'pricing', async (page) => {
    await page.getByLabel('Select all that are listed').check();
    await page.getByRole('button', { name: 'Sync…' }).click();
    await page.getByText('differs').first().waitFor();
  }),
  picture('palette', '/applications', 'basket', async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('we');
    await page.getByRole('option', { name: /Deployment web of catalogue/ }).waitFor();
  }),
  picture(
    'new-application',
    (place) => linkToNew(place, 'greeter'),
    'The repository answers',
    (page) => page.getByRole('button', { name: /^web Directory/ }).waitFor(),
  ),
  picture(
    'new-application-review',
    (place) => linkToNew(place, 'greeter'),
    'The repository answers',
    async (page) => {
      for (let step = 0; step < 3; step += 1) {
        await page.getByRole('button', { name: /^Next/ }).click();
        await page.getByText(['A folder of manifests', 'Where it goes', 'kind: Deployment'][step]!).waitFor();
      }
    },
  ),
  picture('new-application-yaml', '/applications/new?way=yaml', 'kind: Application'),
  picture('application', '/applications/argocd/ledger', 'ReplicaSet'),
  picture('application-network', '/applications/argocd/ledger?view=network', 'Service'),
  picture('application-list', '/applications/argocd/ledger?view=list', 'ReplicaSet'),
  picture('application-operation', '/applications/argocd/warehouse?tab=operation', 'Finished'),
  picture('application-history', '/applications/argocd/warehouse?tab=history', 'Ada Test'),
  picture('application-timeline', '/applications/argocd/warehouse?tab=timeline', 'created'),
  picture('application-logs', '/applications/argocd/warehouse?tab=logs', 'level=info'),
  picture('application-sync', '/applications/argocd/basket', 'Deployment', (page) =>
    page.getByRole('button', { name: 'Sync', exact: true }).click(),
  ),
  picture('application-delete', '/applications/argocd/warehouse', 'ReplicaSet', async (page) => {
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('These will go').waitFor();
  }),
  picture('resource', '/applications/argocd/checkout?node=apps%2FDeployment%2Fcheckout%2Fcheckout', 'Kind'),
  picture(
    'resource-events',
    '/applications/argocd/checkout?node=apps%2FDeployment%2Fcheckout%2Fcheckout&panel=events',
    'ScalingReplicaSet',
  ),
  picture('resource-diff', '/applications/argocd/pricing?node=apps%2FDeployment%2Fpricing%2Fapi&panel=diff', 'kind: Deployment'),
  picture('application-details', '/applications/argocd/warehouse?tab=details', 'Sync windows'),
  picture('application-source-form', '/applications/argocd/warehouse?tab=details', 'Sync windows', async (page) => {
    await page.getByRole('button', { name: 'Edit source' }).click();
    await page.getByText('The repository answers').waitFor();
  }),
  picture('application-sets', '/applicationsets', 'regions'),
  picture('application-set', '/applicationsets/argocd/regions', 'regions-oslo'),
  picture('application-set-list', '/applicationsets/argocd/regions?view=list', 'regions-oslo'),
  picture('application-set-details', '/applicationsets/argocd/regions?tab=details', 'Generators'),
  picture('application-set-events', '/applicationsets/argocd/regions?tab=events', 'ResourceCreated'),
  picture('application-set-new', '/applicationsets?new=true', 'goTemplate'),
  picture('application-set-rollout', '/applicationsets/argocd/rollout?tab=rollout', 'Step 2 waits for'),
  picture('application-set-why', '/applicationsets/argocd/previews', 'map has no entry'),
  picture('application-set-preview', '/applicationsets/argocd/regions?tab=preview&edit=true', 'Not tried yet', async (page) => {
    await page.getByText('- name: lima').click();
    await page.keyboard.press('End');
    for (let each = 0; each < 'lima'.length; each++) await page.keyboard.press('Backspace');
    await page.keyboard.type('kyoto');
    await page.getByText('- name: kyoto').waitFor();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('regions-kyoto').first().waitFor();
  }),
  picture('api-browser', '/help/api?operation=ApplicationSet_List', 'Try it'),
  picture('settings', '/settings', 'Resources are tracked by'),
  picture('projects', '/settings/projects', 'payments'),
  picture('project', '/settings/projects/payments', 'In this project'),
  picture('project-form', '/settings/projects/payments?edit=form', 'Review and save'),
  picture('project-roles', '/settings/projects/payments?tab=roles', 'nightly'),
  picture('project-windows', '/settings/projects/payments?tab=windows', 'Month end'),
  picture('project-who-can', '/settings/projects/payments?tab=who-can&action=delete', 'role:admin'),
  picture('project-events', '/settings/projects/payments?tab=events', 'created project'),
  picture('project-new', '/settings/projects', 'payments', (page) => page.getByRole('button', { name: 'New project' }).click()),
  picture('project-review', '/settings/projects/payments?edit=form', 'Review and save', async (page) => {
    await page.getByRole('textbox', { name: 'Source repositories' }).fill('https://git.example/payments/*\nhttps://charts.example');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('kind: AppProject').waitFor();
  }),
  picture('repositories', '/settings/repos', 'payments'),
  picture('repository-form', '/settings/repos?add=repository&url=https://git.example/shop/deploy', 'Add a repository', (page) =>
    page.getByLabel('Sign in with').selectOption('User name and password'),
  ),
  picture('credential-templates', '/settings/repos?view=templates', 'git.example'),
  picture('certificates', '/settings/certs', 'git.example'),
  picture('gpg-keys', '/settings/gpgkeys', 'Ada Test'),
  picture('clusters', '/settings/clusters', 'frankfurt'),
  picture('cluster', '/settings/clusters/https%3A%2F%2F127.0.0.1%3A9', 'Registered as'),
  picture('accounts', '/settings/accounts', 'retired'),
  picture('account', '/settings/accounts/admin', 'New password again'),
  picture('account-tokens', '/settings/accounts/ci', 'New token', (page) => page.getByRole('button', { name: 'New token for ci' }).click()),
  picture('keys', '/applications', 'basket', (page) => page.keyboard.press('?')),
  picture('user-info', '/user-info', 'You are signed in'),
];

function picture(name: string, path: Picture['path'], ready: string, before?: Picture['before']): Picture {
  return { name, path, ready, before };
}

/** The form for a new application, with something filled in. */
function linkToNew(place: UiStage, name: string): string {
  const source = { repoURL: place.repository.url, path: 'web' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: name };
  return `/applications/new?app=${encodeURIComponent(JSON.stringify({ metadata: { name }, spec: { source, destination } }))}`;
}
