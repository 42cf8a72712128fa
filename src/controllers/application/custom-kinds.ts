import { ApiError, LruMap } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';
import { kindOf } from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import {
  builtinSchema,
  countUnevaluatedRules,
  isJsonObject,
  isStatusError,
  listAt,
  objectAt,
  parseStructural,
  textAt,
  type JsonObject,
  type KubeObject,
  type StructuralSchema,
} from '../../objects/index.ts';

const definitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** Definitions of all clusters whose schemas are kept. */
const definitionsMax = 500;

/** A version of a custom kind. */
export interface CustomKind {
  readonly schema: StructuralSchema;
  /** Whether fields that the schema does not have are kept. */
  readonly keepsUnknown: boolean;
  /** Whether a status in a manifest is left out when it is applied. */
  readonly hasStatus: boolean;
  /** Whether it has rules in CEL, which only a cluster can judge. */
  readonly hasRules: boolean;
}

/** By group, version and kind. */
type CustomKinds = ReadonlyMap<string, CustomKind>;

/** By the cluster, and by the uid and the version of the definition: a cluster can say what it likes of its own, and must not speak for others. */
const knownDefinitions = new LruMap<string, CustomKinds>(definitionsMax);

/**
 * What is known of the custom kinds of some objects: from definitions among all that is wanted, as they will be applied first, and otherwise
 * from the cluster, which is asked once for each definition. A kind that nobody tells of is not among them.
 */
export async function loadCustomKinds(
  cluster: Pick<Cluster, 'cache' | 'api' | 'server'>,
  {
    objects,
    desired,
    signal,
  }: { readonly objects: readonly KubeObject[]; readonly desired: readonly KubeObject[]; readonly signal: AbortSignal },
): Promise<(object: KubeObject) => CustomKind | undefined> {
  const kinds = new Map<string, CustomKind>();
  const asked = new Set<string>();
  for (const object of objects) {
    if (builtinSchema(object.apiVersion, object.kind) !== undefined) continue;
    const type = cluster.cache.typeOf(kindOf(object));
    if (type !== undefined && type.group.includes('.')) asked.add(`${type.plural}.${type.group}`);
  }
  for (const name of asked) for (const [key, kind] of await findDefinition(cluster, name, signal)) kinds.set(key, kind);
  if (objects.length > 0)
    for (const object of desired)
      if (object.kind === definitionType.kind) for (const [key, kind] of readDefinition(object)) kinds.set(key, kind);
  return (object) => kinds.get(`${object.apiVersion}/${object.kind}`);
}

async function findDefinition(
  { cache, api, server }: Pick<Cluster, 'cache' | 'api' | 'server'>,
  name: string,
  signal: AbortSignal,
): Promise<CustomKinds> {
  const row = cache.find({ group: definitionType.group, kind: definitionType.kind, name });
  // Without a definition the kind is served by somebody who checks it in their own way.
  if (row === undefined) return new Map();
  const key = `${server} ${row.uid}/${row.resourceVersion}`;
  const found = knownDefinitions.get(key);
  if (found !== undefined) return found;
  try {
    const kinds = readDefinition(row.body ?? (await api.get(definitionType, { name }, { signal })));
    knownDefinitions.set(key, kinds);
    return kinds;
  } catch (error) {
    // Who may not read definitions may still write objects: the cluster then says what is wrong with them when it is their turn.
    if (!signal.aborted && (isStatusError(error) || error instanceof ApiError)) return new Map();
    throw error;
  }
}

function readDefinition(definition: KubeObject): CustomKinds {
  const root = definition as unknown as JsonObject;
  const spec = objectAt(root, 'spec');
  const [group, kind] = [textAt(spec, 'group'), textAt(objectAt(spec, 'names'), 'kind')];
  const kinds = new Map<string, CustomKind>();
  for (const version of listAt(root, 'spec', 'versions')) {
    if (!isJsonObject(version)) continue;
    const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
    if (Object.keys(schema).length === 0) continue;
    const structure = parseStructural(schema);
    kinds.set(`${group}/${textAt(version, 'name')}/${kind}`, {
      schema: structure,
      keepsUnknown: spec['preserveUnknownFields'] === true,
      hasStatus: isJsonObject(objectAt(version, 'subresources')['status']),
      hasRules: countUnevaluatedRules(structure) > 0,
    });
  }
  return kinds;
}
