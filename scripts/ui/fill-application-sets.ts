/** Application sets for pictures: one that is well, one that rolls out and waits, one that cannot be rendered, one that yields nothing. */
import { IN_CLUSTER } from '../../test/support/argocd-stage.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import type { UiStage } from '../../test/ui/support/ui-stage.ts';

export async function fillApplicationSets(place: UiStage): Promise<void> {
  await place.configure('argocd-cmd-params-cm', { 'applicationsetcontroller.enable.progressive.syncs': 'true' });
  const repoURL = place.repository.url;
  const template = (name: string, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: {
      project: 'default',
      source: { repoURL, targetRevision: 'HEAD', path: 'settings' },
      destination: { server: IN_CLUSTER, namespace: name },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  });
  const list = (...names: readonly string[]) => ({ list: { elements: names.map((name) => ({ name })) } });
  const step = (name: string, more: object = {}) => ({ matchExpressions: [{ key: 'env', operator: 'In', values: [name] }], ...more });
  const sets = {
    regions: { generators: [list('lima', 'oslo', 'perth')], template: template('regions-{{name}}') },
    rollout: {
      generators: [list('dev', 'qa', 'prod')],
      strategy: { type: 'RollingSync', rollingSync: { steps: [step('dev'), step('qa', { maxUpdate: 0 }), step('prod')] } },
      template: template('rollout-{{name}}', { labels: { env: '{{name}}' } }),
    },
    previews: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [list('feature')],
      template: template('preview-{{ .branch }}'),
    },
    tenants: {
      generators: [{ git: { repoURL, revision: 'HEAD', directories: [{ path: 'tenants/*' }] } }],
      template: template('tenant-{{path.basename}}'),
    },
  };
  for (const [name, spec] of Object.entries(sets)) await place.call('POST', '/api/v1/applicationsets', { metadata: { name }, spec });
  await place.waitForState('regions-perth', 'Synced Healthy');
  await waitUntil(async () => {
    const { json } = await place.call('GET', '/api/v1/applicationsets/rollout');
    return JSON.stringify(json['status']).includes('rollout of step 2');
  });
}
