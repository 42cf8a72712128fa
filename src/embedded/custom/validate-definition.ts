import {
  checkStructural,
  forbiddenValue,
  invalidValue,
  jsonEquals,
  requiredValue,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '../../objects/index.ts';
import type { FieldError, JsonObject } from '../../objects/index.ts';
import { listAt, textAt, valueAt } from '../json-path.ts';
import { readDefinition } from './definition.ts';
import type { Definition, DefinitionVersion } from './definition.ts';

/** What is wrong with a CustomResourceDefinition, in the API server's words where it has them. */
export function validateDefinition(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const definition = readDefinition(object);
  return [
    ...checkNames(object, definition),
    ...checkScope(object),
    ...checkVersions(definition),
    ...checkConversion(object),
    ...checkSchemas(definition),
    ...(before === undefined ? [] : checkChange(object, before)),
  ];
}

function checkNames(object: JsonObject, { name, group, names }: Definition): readonly FieldError[] {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  const errors: FieldError[] = [];
  if (name !== `${plural}.${group}`) errors.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  if (group === '') errors.push(requiredValue('spec.group'));
  else {
    errors.push(...validateDns1123Subdomain(group).map((text) => invalidValue('spec.group', group, text)));
    if (!group.includes('.')) errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  }
  const label = (field: string, value: string): void => {
    if (value === '') errors.push(requiredValue(`spec.names.${field}`));
    else errors.push(...validateDns1035Label(value).map((text) => invalidValue(`spec.names.${field}`, value, text)));
  };
  label('plural', plural);
  if (singular !== '') label('singular', singular);
  const mixed = (field: string, value: string): void => {
    if (value === '') errors.push(requiredValue(`spec.names.${field}`));
    for (const text of value === '' ? [] : validateDns1035Label(value.toLowerCase()))
      errors.push(invalidValue(`spec.names.${field}`, value, `may have mixed case, but should otherwise match: ${text}`));
  };
  mixed('kind', kind);
  mixed('listKind', listKind);
  for (const [field, list] of Object.entries({ shortNames, categories }))
    for (const [index, item] of list.entries())
      errors.push(...validateDns1035Label(item).map((text) => invalidValue(`spec.names.${field}[${index}]`, item, text)));
  if (kind !== '' && kind === listKind) errors.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  if (valueAt(object, ['spec', 'preserveUnknownFields']) === true)
    errors.push(
      invalidValue(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  return errors;
}

function checkScope(object: JsonObject): readonly FieldError[] {
  const scope = textAt(object, 'spec', 'scope');
  if (scope === 'Cluster' || scope === 'Namespaced') return [];
  if (scope === '') return [requiredValue('spec.scope')];
  const message = `Unsupported value: ${JSON.stringify(scope)}: supported values: "Cluster", "Namespaced"`;
  return [{ reason: 'FieldValueNotSupported', field: 'spec.scope', message }];
}

function checkVersions({ versions }: Definition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { name }] of versions.entries()) {
    const field = `spec.versions[${index}].name`;
    errors.push(...validateDns1035Label(name).map((text) => invalidValue(field, name, text)));
    if (seen.has(name)) errors.push(invalidValue('spec.versions', name, 'must contain unique version names'));
    seen.add(name);
  }
  const stored = versions.filter(({ isStored }) => isStored);
  if (stored.length !== 1)
    errors.push(invalidValue('spec.versions', versions.map(shownVersion), 'must have exactly one version marked as storage version'));
  if (stored.length === 0) errors.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  return errors;
}

/** A version as the API server quotes it, by the names of its own fields. What all versions share is not shown. */
function shownVersion({ name, isServed, isStored }: DefinitionVersion): JsonObject {
  const rest = { Deprecated: false, DeprecationWarning: null, Schema: null, Subresources: null, AdditionalPrinterColumns: null };
  return { Name: name, Served: isServed, Storage: isStored, ...rest, SelectableFields: null };
}

function checkConversion(object: JsonObject): readonly FieldError[] {
  const strategy = textAt(object, 'spec', 'conversion', 'strategy');
  if (strategy === '' || strategy === 'None') return [];
  if (strategy === 'Webhook')
    return [forbiddenValue('spec.conversion.strategy', 'this API has no webhooks: objects of all versions must have the same schema')];
  const message = `Unsupported value: ${JSON.stringify(strategy)}: supported values: "None", "Webhook"`;
  return [{ reason: 'FieldValueNotSupported', field: 'spec.conversion.strategy', message }];
}

function checkSchemas({ versions }: Definition): readonly FieldError[] {
  const missing = versions.flatMap(({ schema }, index) =>
    schema === undefined ? [requiredValue(`spec.versions[${index}].schema.openAPIV3Schema`)] : [],
  );
  if (missing.length > 0) return missing;
  // One schema for all versions is known by the place where older definitions had it.
  const [first] = versions;
  if (first?.schema !== undefined && versions.every(({ schema }) => jsonEquals(schema ?? null, first.schema ?? null)))
    return checkStructural(first.schema, 'spec.validation.openAPIV3Schema');
  return versions.flatMap(({ schema }, index) =>
    schema === undefined ? [] : checkStructural(schema, `spec.versions[${index}].schema.openAPIV3Schema`),
  );
}

function checkChange(object: JsonObject, before: JsonObject): readonly FieldError[] {
  const old = readDefinition(before);
  const { versions } = readDefinition(object);
  const immutable = [
    ['spec', 'group'],
    ['spec', 'names', 'plural'],
    ...(old.isEstablished
      ? [
          ['spec', 'scope'],
          ['spec', 'names', 'kind'],
        ]
      : []),
  ];
  const changed = immutable.filter((path) => textAt(object, ...path) !== textAt(before, ...path));
  const dropped = listAt(object, 'status', 'storedVersions')
    .map(String)
    .flatMap((name, index) => (versions.some((version) => version.name === name) ? [] : [{ name, index }]));
  return [
    ...changed.map((path) => invalidValue(path.join('.'), textAt(object, ...path), 'field is immutable')),
    ...dropped.map(({ name, index }) =>
      invalidValue(
        `status.storedVersions[${index}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}
