import { hash } from 'node:crypto';
import {
  builtinSchema,
  completeCustomSchema,
  invalidValue,
  isStatusError,
  parseStructural,
  pruneCustomObject,
  setDefaults,
  statusError,
  validateCustomObject,
} from '../../objects/index.ts';
import type { FieldError, JsonObject, JsonValue, Schema, StructuralSchema } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { decodeBuiltin } from '../kinds/decode-builtin.ts';
import type { KindDefinition, KindRules, ScalePaths, StorageForm } from '../kinds/kind.ts';
import { listAt, objectAt, textAt, valueAt } from '../json-path.ts';
import { compareVersions } from './definition.ts';
import type { Definition, DefinitionVersion } from './definition.ts';

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** A version of a custom kind, to be served. `readSchema` gives the version's schema as it was written, for documents. */
export function customKind(definition: Definition, version: DefinitionVersion, readSchema: () => JsonObject): KindDefinition {
  const { group, names, namespaced, versions, isTerminating } = definition;
  const { plural, singular, kind, shortNames, categories } = names;
  const type: ResourceType = { group, version: version.name, plural, kind, namespaced };
  const structural = parseStructural(version.schema ?? {});
  const metadata = metadataSchema();
  const served = versions.filter(({ isServed }) => isServed).map(({ name }) => name);
  const scale = scaleOf(version);
  return {
    type,
    singular: singular === '' ? kind.toLowerCase() : singular,
    shortNames,
    categories,
    verbs: isTerminating ? ALL_VERBS.filter((verb) => verb !== 'create') : ALL_VERBS,
    subresources: [...(valueAt(version.entry, ['subresources', 'status']) === undefined ? [] : ['status']), ...(scale ? ['scale'] : [])],
    isPreferred: [...served].sort(compareVersions)[0] === version.name,
    isCustom: true,
    openApi: { hash: hash('sha256', JSON.stringify(version.schema ?? {}), 'hex'), read: readSchema },
    schema: completeCustomSchema(structural, metadata),
    storage: storageForm(definition, version, structural),
    ...(scale && { scale }),
    rules: customRules({ type, version, structural, metadata, scale }),
  };
}

interface RuleFacts {
  readonly type: ResourceType;
  readonly version: DefinitionVersion;
  readonly structural: StructuralSchema;
  readonly metadata: Schema;
  readonly scale: ScalePaths | undefined;
}

function customRules({ type, version, structural, metadata, scale }: RuleFacts): KindRules {
  const selectableFields = listAt(version.entry, 'selectableFields').map((field) => textAt(field, 'jsonPath').replace(/^\./, ''));
  return {
    prune: (object, before) => pruneCustomObject(withTypedMetadata(type, object, metadata, before), structural, metadata, before),
    setDefaults: (object, _context, before) => setDefaults(object, structural, before),
    validate: (object, before) => [...validateChange(object, before, structural), ...validateReplicas(object, scale)],
    hasGeneration: true,
    needsVersion: true,
    ...(selectableFields.length > 0 && { selectableFields }),
  };
}

/** Metadata is of the same types in all kinds: what does not fit is refused, and null is absence. */
function withTypedMetadata(type: ResourceType, object: JsonObject, metadata: Schema, before: JsonObject | undefined): JsonObject {
  if (object['metadata'] === undefined || object['metadata'] === before?.['metadata']) return object;
  // Unknown fields are left to pruning, which reports them.
  const keeping: Schema = { properties: new Map([['metadata', metadata]]) };
  const decoded = decodeMetadata(type, object['metadata'], keeping, before);
  return { ...object, metadata: { ...objectAt(object, 'metadata'), ...objectAt(decoded, 'metadata') } };
}

function decodeMetadata(type: ResourceType, metadata: JsonValue, schema: Schema, before: JsonObject | undefined): JsonObject {
  try {
    return decodeBuiltin(type, { metadata }, schema, before).object;
  } catch (error) {
    if (!isStatusError(error, 'BadRequest')) throw error;
    // The API server decodes the metadata of a custom object by itself, and does not say where it stands.
    throw statusError('BadRequest', error.message.replace('ObjectMeta.metadata.', 'ObjectMeta.'));
  }
}

/** What the scale endpoint takes for the number of replicas must be one. */
function validateReplicas(object: JsonObject, scale: ScalePaths | undefined): readonly FieldError[] {
  const value = scale && valueAt(object, scale.specReplicas);
  if (scale === undefined || value === undefined) return [];
  const field = `.${scale.specReplicas.join('.')}`;
  if (typeof value === 'number' && Number.isInteger(value))
    return value < 0 ? [invalidValue(field, value, 'should be a non-negative integer')] : [];
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return [invalidValue(field, 0, `${field} accessor error: ${shown} is of the type ${goTypeOf(value)}, expected int64`)];
}

function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** What was wrong before and has not changed does not stop a change elsewhere: a schema may have become stricter meanwhile. */
function validateChange(object: JsonObject, before: JsonObject | undefined, structural: StructuralSchema): readonly FieldError[] {
  const errors = validateCustomObject(object, structural, { known: before });
  if (errors.length === 0 || before === undefined) return errors;
  const known = new Set(validateCustomObject(before, structural).map((error) => JSON.stringify(error)));
  return errors.filter((error) => !known.has(JSON.stringify(error)));
}

/**
 * Where an object may have been written under another schema, it is brought into the form of the version that it is read in. The
 * objects of a definition that never changed are as they should be, and are handed out as they are stored.
 */
function storageForm(
  { group, names, versions, generation }: Definition,
  { name }: DefinitionVersion,
  structural: StructuralSchema,
): StorageForm {
  const version = versions.find(({ isStored }) => isStored)?.name ?? name;
  const form = { group, plural: names.plural, version };
  if (versions.length === 1 && generation === 1) return form;
  const apiVersion = `${group}/${name}`;
  return { ...form, decode: (object) => setDefaults(pruneCustomObject({ ...object, apiVersion }, structural).object, structural) };
}

function scaleOf({ entry }: DefinitionVersion): ScalePaths | undefined {
  const scale = valueAt(entry, ['subresources', 'scale']);
  if (scale === undefined) return undefined;
  const path = (field: string): readonly string[] =>
    textAt(scale, field)
      .split('.')
      .filter((part) => part !== '');
  const selector = path('labelSelectorPath');
  return {
    specReplicas: path('specReplicasPath'),
    statusReplicas: path('statusReplicasPath'),
    ...(selector.length > 0 && { selector }),
  };
}

function metadataSchema(): Schema {
  return builtinSchema('v1', 'ConfigMap')?.properties?.get('metadata') ?? {};
}
