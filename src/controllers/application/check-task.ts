import { ApiError, Code } from '../../base/index.ts';
import { hasOption, hasOptionFor, objectHasOption, type SyncTask } from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { permitsDestination, permitsKind } from '../../model/index.ts';
import { createPatternBudget, type KubeObject } from '../../objects/index.ts';
import type { ComparedApplication } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import type { CustomKind } from './custom-kinds.ts';
import { findWrongCustomFields, findWrongFields, findWrongMetadata } from './find-wrong-fields.ts';

/**
 * Why a task of a sync cannot be done; undefined where nothing speaks against it. Asked of all tasks before the first is carried out, so that
 * a bad set of manifests changes nothing.
 */
export function createTaskCheck(
  { surroundingsOf }: ControllerContext,
  { project, cluster, desired }: ComparedApplication,
  {
    syncOptions,
    customKindOf,
  }: { readonly syncOptions: readonly string[]; readonly customKindOf: (object: KubeObject) => CustomKind | undefined },
): (task: SyncTask) => string | undefined {
  const projectRefusalOf = createProjectCheck({ surroundingsOf }, { project, cluster });
  const defined = new Set(desired.flatMap(definedKinds));
  // One for all of them: others wait while they are looked at.
  const budget = createPatternBudget();
  return ({ group, kind, namespace, version, name, desired: wanted, live }) => {
    const refusal = projectRefusalOf({ group, kind, namespace, version, name });
    if (refusal !== undefined || wanted === undefined) return refusal;
    const known = cluster.cache.typeOf({ group, kind, version });
    // What is not there yet may come with something else: whoever says so has it found out when its turn comes.
    const mayBeMissing = defined.has(`${group}/${kind}`) || hasOptionFor(wanted, syncOptions, 'SkipDryRunOnMissingResource=true');
    if (known?.version !== version && !mayBeMissing) return describeMissingKind({ group, kind, namespace, version, name }, known?.version);
    if (hasOption(syncOptions, 'Validate=false') || objectHasOption(wanted, 'Validate=false')) return undefined;
    // What was wrong before a definition became stricter may stay wrong: a change is for the cluster to judge.
    if (live !== undefined) return findWrongFields(wanted);
    const custom = customKindOf(wanted);
    return (custom === undefined ? findWrongFields(wanted) : findWrongCustomFields(wanted, custom, budget)) ?? findWrongMetadata(wanted);
  };
}

type TaskKey = Pick<SyncTask, 'group' | 'kind' | 'namespace' | 'version' | 'name'>;

/** Why the project does not let an object be in the cluster of an application; undefined where it does. The cache knows the type unless it is given. */
export type ProjectCheck = (key: TaskKey, type?: Pick<ResourceType, 'namespaced'>) => string | undefined;

export function createProjectCheck(
  { surroundingsOf }: Pick<ControllerContext, 'surroundingsOf'>,
  { project, cluster }: Pick<ComparedApplication, 'project' | 'cluster'>,
): ProjectCheck {
  const projectName = project.metadata.name ?? '';
  const surroundings = surroundingsOf(projectName);
  return ({ group, kind, namespace, version, name }, type = cluster.cache.typeOf({ group, kind, version })) => {
    const namespaced = type?.namespaced ?? namespace !== '';
    if (!permitsKind(project, { group, kind, name, namespaced }))
      return `resource ${group}:${kind} is not permitted in project ${projectName}`;
    if (namespaced && !permitsDestination(project, cluster, namespace, surroundings))
      return `namespace ${namespace} is not permitted in project '${projectName}'`;
    return undefined;
  };
}

/**
 * Throws ApiError where the project does not permit an object after all. A kind that nobody knew when the project was asked was taken to have a
 * namespace where its object has one: who brings a kind says only with its definition that there is none.
 */
export function requirePermitted(key: TaskKey, type: Pick<ResourceType, 'namespaced'>, refusalOf: ProjectCheck): void {
  if (type.namespaced === (key.namespace !== '')) return;
  const refusal = refusalOf(key, type);
  if (refusal !== undefined) throw new ApiError(Code.PermissionDenied, refusal);
}

/** `served` is the version of the kind that the cluster has instead, if it has one. */
export function describeMissingKind({ group, kind, namespace, version, name }: TaskKey, served: string | undefined): string {
  const where = `for requested resource ${namespace}/${name}`;
  if (served === undefined)
    return `The Kubernetes API could not find ${group}/${kind} ${where}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
  const what = `version "${version}" of ${group}/${kind}`;
  return `The Kubernetes API could not find ${what} ${where}. Version "${served}" of ${group}/${kind} is installed on the destination cluster.`;
}

/** The kinds that an object brings into being, where it is a definition. */
function definedKinds(object: KubeObject): string[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  const spec = object['spec'] as { readonly group?: string; readonly names?: { readonly kind?: string } } | undefined;
  return [`${spec?.group ?? ''}/${spec?.names?.kind ?? ''}`];
}
