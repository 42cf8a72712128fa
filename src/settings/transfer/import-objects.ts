import { ApiError, Code } from '../../base/index.ts';
import type { KubeApi, ResourceType } from '../../kube/index.ts';
import { applicationSetType, applicationType } from '../../model/index.ts';
import { isStatusError, jsonEquals, StatusError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { ensureNamespace } from '../home/ensure-namespace.ts';
import { configMapType, projectType, secretType } from '../home-objects.ts';
import { isOurs } from '../home-state.ts';
import { portableObject } from './portable-object.ts';

const fieldManager = 'fairway-import';
const callTimeoutMs = 60_000;
/** So many at once: enough to hide the way to a cluster, too few to trouble it. */
const atOnceMax = 8;

const types: ReadonlyMap<string, ResourceType> = new Map(
  [configMapType, secretType, projectType, applicationType, applicationSetType].map((type) => [type.kind, type]),
);

export interface ImportOptions {
  readonly api: KubeApi;
  /** Of the control plane: where objects go that name no other. */
  readonly namespace: string;
  /** Says what would happen, and changes nothing. */
  readonly dryRun: boolean;
  readonly report: (result: ImportResult) => void;
}

export interface ImportResult {
  /** Such as `ConfigMap argocd-cm`, with a namespace where it is another. */
  readonly object: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
}

/** Refuses what is no part of an installation. */
export function checkImport(objects: readonly KubeObject[]): void {
  for (const object of objects) checkBelongs(object);
}

/**
 * Applies what an export gave, in its order of kinds. What is not in it stays as it is. Does nothing at all where `checkImport`
 * refuses a part. Returns whether all went well.
 */
export async function importObjects(objects: readonly KubeObject[], options: ImportOptions): Promise<boolean> {
  checkImport(objects);
  if (!options.dryRun) for (const namespace of namespacesOf(objects, options)) await ensureNamespace(options.api, namespace);
  let allWell = true;
  const take = async (object: KubeObject): Promise<void> => {
    const result = await importObject(object, options);
    allWell &&= result.outcome !== 'failed';
    options.report(result);
  };
  // One kind after the other: an application finds its project.
  for (const kind of types.keys()) {
    const waiting = objects.filter((object) => object.kind === kind);
    const work = async (): Promise<void> => {
      for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) await take(object);
    };
    await Promise.all(Array.from({ length: atOnceMax }, work));
  }
  return allWell;
}

function checkBelongs(object: KubeObject): void {
  const { apiVersion, kind, metadata } = object;
  const type = types.get(kind);
  const expected = type === undefined ? undefined : type.group === '' ? type.version : `${type.group}/${type.version}`;
  const isPart = expected === apiVersion && (type?.group !== '' || isOurs(object));
  if (isPart && metadata.name !== undefined && metadata.name !== '') return;
  throw new ApiError(Code.InvalidArgument, `${kind} ${metadata.name ?? 'without a name'} (${apiVersion}) is no part of an installation`);
}

function namespacesOf(objects: readonly KubeObject[], { namespace }: ImportOptions): ReadonlySet<string> {
  return new Set([namespace, ...objects.map(({ metadata }) => metadata.namespace ?? namespace)]);
}

async function importObject(object: KubeObject, { api, namespace: ownNamespace, dryRun }: ImportOptions): Promise<ImportResult> {
  const { kind, metadata } = object;
  const { name = '', namespace = ownNamespace } = metadata;
  const type = types.get(kind) as ResourceType;
  const label = `${kind} ${namespace === ownNamespace ? '' : `${namespace}/`}${name}`;
  const signal = AbortSignal.timeout(callTimeoutMs);
  try {
    const before = await readIfThere(api, type, { namespace, name }, signal);
    const portable = portableObject(object, '');
    const body = { ...portable, metadata: { ...portable.metadata, namespace } } as unknown as JsonObject;
    const after = await api.patch(type, { namespace, name }, { type: 'apply', body, force: true }, { fieldManager, dryRun, signal });
    return { object: label, outcome: before === undefined ? 'created' : isSame(before, after) ? 'unchanged' : 'changed' };
  } catch (error) {
    if (!(error instanceof StatusError || error instanceof ApiError)) throw error;
    return { object: label, outcome: 'failed', reason: error.message };
  }
}

/** A dry run has no version of its own to compare, and who owns which field is nobody's concern here. */
function isSame(before: KubeObject, after: KubeObject): boolean {
  const [left, right] = [before, after].map((object) => portableObject(object, '') as unknown as JsonObject);
  return jsonEquals(left, right);
}

async function readIfThere(
  api: KubeApi,
  type: ResourceType,
  ref: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await api.get(type, ref, { signal });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
