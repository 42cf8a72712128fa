import type { ApplicationSet } from '../contract/index.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../objects/index.ts';
import { applicationSetType } from './resource-types.ts';

/** An ApplicationSet as the home API holds it. As readApplication: what a schema cannot promise is there, and empty. */
export function readApplicationSet(object: KubeObject): ApplicationSet {
  const spec = objectOf(object['spec']);
  const template = objectOf(spec['template']);
  const { generators } = spec;
  const templateSpec = objectOf(template['spec']);
  return {
    ...object,
    spec: {
      ...spec,
      generators: isJsonArray(generators) ? generators.filter(isJsonObject) : [],
      template: {
        ...template,
        metadata: objectOf(template['metadata']),
        spec: {
          ...templateSpec,
          destination: objectOf(templateSpec['destination']),
          project: typeof templateSpec['project'] === 'string' ? templateSpec['project'] : '',
        },
      },
    },
  } as unknown as ApplicationSet;
}

export function applicationSetToObject(set: ApplicationSet): KubeObject {
  const { group, version, kind } = applicationSetType;
  return { ...(set as object), apiVersion: `${group}/${version}`, kind } as unknown as KubeObject;
}

/** What an application set may do to applications. */
export interface AllowedChanges {
  readonly update: boolean;
  readonly delete: boolean;
}

/** What a policy such as `create-update` allows; creating always is. */
export function allowedChangesOf(policy: string): AllowedChanges {
  return {
    update: policy !== 'create-only' && policy !== 'create-delete',
    delete: policy !== 'create-only' && policy !== 'create-update',
  };
}

/** The policy that counts: the set's own where it may have one. */
export function effectivePolicy(set: ApplicationSet, controllerPolicy: string, isOverrideEnabled: boolean): string {
  const own = set.spec.syncPolicy?.applicationsSync ?? '';
  return isOverrideEnabled && own !== '' ? own : controllerPolicy || 'sync';
}

const generatorNames: ReadonlySet<string> = new Set([
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
  'selector',
]);

/**
 * Why generators are none that are known; undefined where all are. Their names are what was written, which only the annotation of
 * `kubectl apply` still knows.
 */
export function findUnknownGenerators({ metadata, spec }: ApplicationSet): string | undefined {
  const isKnown = (entry: JsonObject): boolean => Object.keys(entry).some((key) => generatorNames.has(key));
  if ((spec.generators as readonly unknown[] as readonly JsonObject[]).every(isKnown)) return undefined;
  const names = writtenGenerators(metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'])
    .flatMap((entry) => Object.keys(entry))
    .filter((name) => !generatorNames.has(name));
  const what = `ApplicationSet ${metadata.name ?? ''} contains unrecognized generators`;
  return names.length === 0 ? what : `${what}: ${names.join(', ')}`;
}

function writtenGenerators(text: string | undefined): readonly JsonObject[] {
  if (text === undefined) return [];
  try {
    const { spec } = JSON.parse(text) as { readonly spec?: { readonly generators?: JsonValue } };
    return isJsonArray(spec?.generators) ? spec.generators.filter(isJsonObject) : [];
  } catch {
    // Anybody may write anything into an annotation; then the names are not known.
    return [];
  }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
