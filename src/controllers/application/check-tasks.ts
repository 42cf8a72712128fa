import type { ManagedResource, SyncPlan } from '../../engine/index.ts';
import { permitsDestination, permitsKind, type ResourceResult } from '../../model/index.ts';
import { builtinSchema, pruneBuiltinObject, strictDecodingError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { objectHasOption } from '../../engine/index.ts';
import type { ComparedApplication } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';

/** What of a plan cannot be done, found before anything of it is: so that a bad set of manifests changes nothing. */
export function checkTasks(context: ControllerContext, comparison: ComparedApplication, plan: SyncPlan): readonly ResourceResult[] {
  const definitions = new Set(plan.apply.flatMap(({ desired }) => definedKinds(desired)));
  return plan.apply.flatMap((resource) => {
    const message = findProblem(context, comparison, resource, definitions);
    return message === undefined ? [] : [failedResult(resource, message)];
  });
}

function findProblem(
  { surroundingsOf }: ControllerContext,
  { project, cluster }: ComparedApplication,
  resource: ManagedResource & { readonly desired: KubeObject },
  definitions: ReadonlySet<string>,
): string | undefined {
  const { group, kind, namespace, version, name, desired } = resource;
  const known = cluster.cache.typeOf({ group, kind, version });
  const projectName = project.metadata.name ?? '';
  const namespaced = known?.namespaced ?? namespace !== '';
  if (!permitsKind(project, { group, kind, name, namespaced }))
    return `resource ${group}:${kind} is not permitted in project ${projectName}`;
  if (namespaced && !permitsDestination(project, cluster, namespace, surroundingsOf(projectName)))
    return `namespace ${namespace} is not permitted in project '${projectName}'`;
  if (known === undefined && !definitions.has(`${group}/${kind}`))
    return describeMissingKind(comparisonKinds(cluster.cache, resource), resource);
  return objectHasOption(desired, 'Validate=false') ? undefined : findUnknownFields(desired);
}

/** The version of the kind that the cluster has instead, if it has one. */
function comparisonKinds(cache: ComparedApplication['cluster']['cache'], { group, kind }: ManagedResource): string | undefined {
  return cache.typeOf({ group, kind })?.version;
}

function describeMissingKind(served: string | undefined, { group, kind, version, namespace, name }: ManagedResource): string {
  const where = `for requested resource ${namespace}/${name}`;
  if (served === undefined)
    return `The Kubernetes API could not find ${group}/${kind} ${where}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
  const what = `version "${version}" of ${group}/${kind}`;
  return `The Kubernetes API could not find ${what} ${where}. Version "${served}" of ${group}/${kind} is installed on the destination cluster.`;
}

/** Fields that a built-in kind does not have: the API would refuse them too, but only after others have been applied. */
function findUnknownFields(desired: KubeObject): string | undefined {
  const schema = builtinSchema(desired.apiVersion, desired.kind);
  if (schema === undefined) return undefined;
  const { unknown } = pruneBuiltinObject(desired as unknown as JsonObject, schema);
  return unknown.length === 0 ? undefined : `error validating data: ${strictDecodingError(unknown)}`;
}

/** The kinds that an object brings into being, where it is a definition. */
function definedKinds(object: KubeObject): string[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  const spec = object['spec'] as { readonly group?: string; readonly names?: { readonly kind?: string } } | undefined;
  return [`${spec?.group ?? ''}/${spec?.names?.kind ?? ''}`];
}

export function failedResult({ group, version, kind, namespace, name }: ManagedResource, message: string): ResourceResult {
  return { group, version, kind, namespace, name, status: 'SyncFailed', message, hookPhase: 'Failed', syncPhase: 'Sync' };
}
