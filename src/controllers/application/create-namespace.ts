import { hasOption } from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { Application, ResourceResult } from '../../model/index.ts';
import { isStatusError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { messageOf, resultOf, type TasksToApply } from './sync-task.ts';
import { FIELD_MANAGER } from './controller-context.ts';

const namespaceType: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

/** Makes the namespace of the destination where that is wanted and none of the manifests is it. It is nobody's: no mark, never pruned. */
export async function createNamespace(application: Application, tasks: TasksToApply): Promise<ResourceResult | undefined> {
  const { plan, sync, syncOptions, comparison, signal } = tasks;
  const name = application.spec.destination.namespace ?? '';
  const isDefined = plan.apply.some((resource) => resource.kind === 'Namespace' && resource.group === '' && resource.name === name);
  if (!hasOption(syncOptions, 'CreateNamespace=true') || name === '' || isDefined) return undefined;
  const { api, cache } = comparison.cluster;
  const metadata = application.spec.syncPolicy?.managedNamespaceMetadata;
  const exists = cache.find({ group: '', kind: 'Namespace', name }) !== undefined;
  if (exists && metadata === undefined) return undefined;
  const resource = { group: '', version: 'v1', kind: 'Namespace', namespace: '', name };
  const labels = metadata?.labels ?? {};
  const annotations = metadata && { ...metadata.annotations, 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' };
  const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, ...(annotations && { annotations }) } };
  const options = { fieldManager: FIELD_MANAGER, ...(sync.dryRun === true && { dryRun: true }), signal };
  const succeeded = (message: string): ResourceResult => ({
    ...resultOf(resource, { status: 'Synced', message, hookPhase: 'Succeeded' }),
    syncPhase: 'PreSync',
  });
  try {
    if (metadata === undefined) {
      await api.create(namespaceType, object, options);
      return succeeded(`namespace/${name} created`);
    }
    await api.patch(namespaceType, { name }, { type: 'apply', body: object as unknown as JsonObject, force: true }, options);
    return succeeded(`namespace/${name} serverside-applied`);
  } catch (error) {
    if (isStatusError(error, 'AlreadyExists')) return undefined;
    return { ...resultOf(resource, { status: 'SyncFailed', message: messageOf(error), hookPhase: 'Failed' }), syncPhase: 'PreSync' };
  }
}
