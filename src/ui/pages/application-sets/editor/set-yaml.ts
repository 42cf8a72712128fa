import { parse, stringify } from 'yaml';
import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { isRecord } from '../../../api/index.ts';

/** They stay where they are whatever is saved here. */
const HIDDEN_ANNOTATIONS: readonly string[] = [
  // What `kubectl` writes for itself: the whole set once more, on one line.
  'kubectl.kubernetes.io/last-applied-configuration',
  // Asks the controller to look again, which takes it away by itself.
  'argocd.argoproj.io/application-set-refresh',
];

/** A set as people write it: without its status and what only the server needs. */
export function setToYaml({ metadata, spec }: ApplicationSet): string {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const shown = Object.entries(annotations ?? {}).filter(([key]) => !HIDDEN_ANNOTATIONS.includes(key));
  return yamlOf({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(labels && { labels }),
      ...(shown.length > 0 && { annotations: Object.fromEntries(shown) }),
      ...(finalizers && finalizers.length > 0 && { finalizers }),
    },
    spec: { ...spec, generators: spec.generators.map(withoutEmptyTemplates) },
  });
}

/** The server gives every generator a template that says nothing, which nobody wrote and nobody wants to read. */
const EMPTY_TEMPLATE = JSON.stringify(sortKeys({ metadata: {}, spec: { destination: {}, project: '' } }));

function withoutEmptyTemplates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyTemplates);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => key !== 'template' || JSON.stringify(sortKeys(item)) !== EMPTY_TEMPLATE);
  return Object.fromEntries(kept.map(([key, item]) => [key, key === 'elements' || key === 'values' ? item : withoutEmptyTemplates(item)]));
}

function sortKeys(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

export function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The set that a text describes. Throws an Error that says what is wrong with it. */
export function parseSet(text: string): ApplicationSet {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new Error(`This is not YAML: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (!isRecord(value)) throw new Error('This is not an object: paste a whole ApplicationSet, with metadata and spec.');
  const { kind, metadata, spec } = value;
  if (kind !== undefined && kind !== 'ApplicationSet') throw new Error(`This is of kind ${JSON.stringify(kind)}, not ApplicationSet.`);
  if (!isRecord(metadata) || typeof metadata['name'] !== 'string' || metadata['name'] === '')
    throw new Error('It has no name: metadata.name is missing.');
  if (!isRecord(spec)) throw new Error('It has no spec.');
  if (!Array.isArray(spec['generators'])) throw new Error('It has no generators: spec.generators is missing.');
  if (!isRecord(spec['template']) || !isRecord(spec['template']['spec']))
    throw new Error('It has no template: spec.template.spec is missing.');
  return { metadata, spec } as unknown as ApplicationSet;
}
