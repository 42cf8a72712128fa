import type { Schema } from './schema.ts';

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/** Types whose values are free JSON although their definitions look like ordinary or empty ones. */
const FREE_JSON = new Set([
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  RAW_EXTENSION,
]);

const BUILTIN_PREFIXES = ['io.k8s.api.', 'io.k8s.apimachinery.', 'io.k8s.apiextensions-apiserver.', 'io.k8s.kube-aggregator.'];

/** What a definition's name says about it and its body does not. */
export function wellKnownFacts(definitionName: string): Pick<Schema, 'quantity' | 'preserveUnknownFields' | 'mapType'> {
  if (definitionName === QUANTITY) return { quantity: true };
  // Apply treats what another program's type is inside as one piece, which no definition says.
  if (definitionName === RAW_EXTENSION) return { preserveUnknownFields: true, mapType: 'atomic' };
  return FREE_JSON.has(definitionName) ? { preserveUnknownFields: true } : {};
}

/** Definitions that Kubernetes generates from its own Go types, as opposed to those of custom resources. */
export function isBuiltinDefinition(definitionName: string): boolean {
  return BUILTIN_PREFIXES.some((prefix) => definitionName.startsWith(prefix));
}
