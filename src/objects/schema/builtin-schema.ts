import type { JsonValue } from '../json-value.ts';
import storedDefinitions from './data/kubernetes-schemas.json' with { type: 'json' };
import { lazySchema } from './lazy-schema.ts';
import type { LazyChildren } from './lazy-schema.ts';
import type { Schema, SchemaType } from './schema.ts';
import { wellKnownFacts } from './well-known-type.ts';

/** A node of the stored schemas. `ref` names another definition, whose members the node's own ones override. */
export interface StoredNode {
  readonly type?: SchemaType;
  readonly format?: string;
  readonly ref?: string;
  readonly properties?: Readonly<Record<string, StoredNode>>;
  readonly items?: StoredNode;
  readonly values?: StoredNode;
  readonly required?: readonly string[];
  readonly default?: JsonValue;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly mergeKey?: string;
  readonly patchStrategy?: string;
  /** As `apps/v1/Deployment`, or `v1/Pod` for the core group. */
  readonly gvk?: readonly string[];
}

// The compiler cannot name the type of a table of this size; its content is ours and covered by tests.
const definitions = new Map(Object.entries(storedDefinitions as unknown as Record<string, StoredNode>));
const schemas = new Map<string, Schema>();
let namesByKind: ReadonlyMap<string, string> | undefined;

/** The schema of a kind that every Kubernetes cluster has, in its stable version. */
export function builtinSchema(apiVersion: string, kind: string): Schema | undefined {
  namesByKind ??= new Map([...definitions].flatMap(([name, node]) => (node.gvk ?? []).map((gvk) => [gvk, name] as const)));
  const name = namesByKind.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : namedSchema(name);
}

/** The schema of a type that built-in kinds are made of, such as the PodSpec of `core/v1`; undefined for one that is not known. */
export function builtinTypeSchema(groupVersion: string, type: string): Schema | undefined {
  const name = `io.k8s.api.${groupVersion.replaceAll('/', '.')}.${type}`;
  return definitions.has(name) ? namedSchema(name) : undefined;
}

export function builtinDefinitionNames(): string[] {
  return [...definitions.keys()];
}

function namedSchema(name: string): Schema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const schema = nodeSchema({ ...builtinDefinition(name) }, wellKnownFacts(name));
  schemas.set(name, schema);
  return schema;
}

/** A stored definition by its name; asking for one that is not there is a mistake in the data. */
export function builtinDefinition(name: string): StoredNode {
  const node = definitions.get(name);
  if (node === undefined) throw new Error(`the stored schemas lack ${name}`);
  return node;
}

function toSchema(node: StoredNode): Schema {
  if (node.ref === undefined) return nodeSchema(node, {});
  if (Object.keys(node).length === 1) return namedSchema(node.ref);
  const { ref, ...own } = node;
  return nodeSchema({ ...builtinDefinition(ref), ...own }, wellKnownFacts(ref));
}

function nodeSchema(node: StoredNode, wellKnown: Schema): Schema {
  const { properties, items, values } = node;
  const children: LazyChildren = {
    ...(properties && { properties: () => new Map(Object.entries(properties).map(([name, child]) => [name, toSchema(child)])) }),
    ...(items && { items: () => toSchema(items) }),
    ...(values && { additionalProperties: () => toSchema(values) }),
  };
  return lazySchema({ ...ownFacts(node), ...wellKnown }, children);
}

function ownFacts(node: StoredNode): Schema {
  return {
    ...(node.type && { type: node.type }),
    ...(node.format === 'int-or-string' ? { intOrString: true } : node.format && { format: node.format }),
    ...(node.required && { required: node.required }),
    ...(node.default !== undefined && { default: node.default }),
    ...(node.listType && { listType: node.listType }),
    ...(node.mapKeys && { listMapKeys: node.mapKeys }),
    ...(node.mapType && { mapType: node.mapType }),
    ...(node.mergeKey && { patchMergeKey: node.mergeKey }),
    ...(node.patchStrategy && { patchStrategies: node.patchStrategy.split(',') }),
  };
}
