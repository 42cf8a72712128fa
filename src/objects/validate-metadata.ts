import { compareStrings } from './apply/compare-json.ts';
import { forbiddenValue, invalidValue, requiredValue, tooLongValue } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import type { ObjectMeta, OwnerReference } from './kube-object.ts';
import { parseApiVersion } from './kube-object.ts';
import { validateDns1123Label, validateLabelValue, validateQualifiedName } from './names.ts';

const ANNOTATION_BYTES_MAX = 256 * 1024;
const ORPHAN_FINALIZER = 'orphan';
const FOREGROUND_FINALIZER = 'foregroundDeletion';

export interface MetadataRules {
  readonly namespaced: boolean;
  /** The rule for names of this kind. */
  readonly validateName: (name: string) => readonly string[];
}

/** What is wrong with the metadata of an object that is to be created; the name must already be there if it is to be generated. */
export function validateMetadata(metadata: ObjectMeta, rules: MetadataRules): readonly FieldError[] {
  const { name = '', generateName = '', generation = 0, finalizers = [] } = metadata;
  return [
    ...(generateName === '' ? [] : wrong('metadata.generateName', generateName, rules.validateName(maskTrailingDash(generateName)))),
    ...(name === ''
      ? [requiredValue('metadata.name', 'name or generateName is required')]
      : wrong('metadata.name', name, rules.validateName(name))),
    ...validateNamespace(metadata, rules),
    ...(generation < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwnerReferences(metadata.ownerReferences ?? []),
    ...validateFinalizers(finalizers),
  ];
}

/** What is wrong with the metadata of an object that is to replace another. */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const { resourceVersion = '', generation = 0, finalizers = [] } = metadata;
  const added = finalizers.filter((finalizer) => old.finalizers?.includes(finalizer) !== true).sort(compareStrings);
  const isRefused = old.deletionTimestamp !== undefined && added.length > 0;
  const names = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  const sentence = `no new finalizers can be added if the object is being deleted, found new finalizers ${names}`;
  return [
    ...(isRefused ? [forbiddenValue('metadata.finalizers', sentence)] : []),
    ...(resourceVersion === '' ? [invalidValue('metadata.resourceVersion', '', 'must be specified for an update')] : []),
    ...(generation < (old.generation ?? 0) ? [invalidValue('metadata.generation', generation, 'must not be decremented')] : []),
    ...(['name', 'namespace', 'uid'] as const).flatMap((field) => unchanged(field, metadata[field] ?? '', old[field] ?? '')),
    ...(['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const).flatMap((field) =>
      unchanged(field, metadata[field] ?? null, old[field] ?? null),
    ),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwnerReferences(metadata.ownerReferences ?? []),
  ];
}

function unchanged(field: string, value: string | number | null, old: string | number | null): readonly FieldError[] {
  return value === old ? [] : [invalidValue(`metadata.${field}`, value, 'field is immutable')];
}

function wrong(field: string, value: string, sentences: readonly string[]): readonly FieldError[] {
  return sentences.map((sentence) => invalidValue(field, value, sentence));
}

function validateNamespace({ namespace = '' }: ObjectMeta, { namespaced }: MetadataRules): readonly FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbiddenValue('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [requiredValue('metadata.namespace')];
  return wrong('metadata.namespace', namespace, validateDns1123Label(namespace));
}

function validateLabels(labels: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...wrong('metadata.labels', key, validateQualifiedName(key)),
    ...wrong('metadata.labels', value, validateLabelValue(value)),
  ]);
}

/** The case of annotation keys does not matter. */
function validateAnnotations(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const sizeBytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => wrong('metadata.annotations', key, validateQualifiedName(key.toLowerCase()))),
    ...(sizeBytes > ANNOTATION_BYTES_MAX ? [tooLongValue('metadata.annotations', ANNOTATION_BYTES_MAX)] : []),
  ];
}

/** A client's references may lack any of their fields. */
type GivenOwner = Partial<OwnerReference>;

function validateOwnerReferences(given: readonly GivenOwner[]): readonly FieldError[] {
  const path = 'metadata.ownerReferences';
  const owners = given.map(completeOwner);
  const controllers = owners.filter((owner) => owner.controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const [first, ...others] = controllers;
  const sentence = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [
    ...owners.flatMap((owner) => validateOwnerReference(owner, path)),
    ...others.map((other) => invalidValue(path, owners, `${sentence} ${first} and ${other}`)),
  ];
}

type CompleteOwner = Readonly<Record<'apiVersion' | 'kind' | 'name' | 'uid', string>> & { readonly [flag: string]: string | boolean };

function completeOwner({ apiVersion = '', kind = '', name = '', uid = '', controller, blockOwnerDeletion }: GivenOwner): CompleteOwner {
  const flags = { ...(controller !== undefined && { controller }), ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }) };
  return { apiVersion, kind, name, uid, ...flags };
}

function validateOwnerReference(owner: CompleteOwner, path: string): readonly FieldError[] {
  const { apiVersion, kind, name, uid } = owner;
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const isEvent = group === '' && version === 'v1' && kind === 'Event';
  return [
    ...(version === '' ? [invalidValue(`${path}.apiVersion`, apiVersion, 'version must not be empty')] : []),
    ...(kind === '' ? [invalidValue(`${path}.kind`, kind, 'must not be empty')] : []),
    ...(name === '' ? [invalidValue(`${path}.name`, name, 'must not be empty')] : []),
    ...(uid === '' ? [invalidValue(`${path}.uid`, uid, 'must not be empty')] : []),
    ...(isEvent ? [invalidValue(path, owner, '/v1, Kind=Event is disallowed from being an owner')] : []),
  ];
}

function validateFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const path = 'metadata.finalizers';
  const clashes = finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER);
  const sentence = `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`;
  return [
    ...finalizers.flatMap((finalizer) => wrong(path, finalizer, validateQualifiedName(finalizer))),
    ...(clashes ? [invalidValue(path, finalizers, sentence)] : []),
  ];
}

/** What will follow a generated name's prefix makes a dash at its end valid. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
