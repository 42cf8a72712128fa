import { ApiError, Code, pause, systemTimers, type Logger, type Timers } from '../../base/index.ts';
import type { KubeApi, ResourceType } from '../../kube/index.ts';
import { customResourceDefinitions, definitionsVersion, definitionsVersionAnnotation } from '../../model/index.ts';
import { isJsonObject, isStatusError, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { missingFields } from './missing-fields.ts';

const definitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const fieldManager = 'fairway-definitions';
const callTimeoutMs = 30_000;
const establishTimeoutMs = 30_000;
const establishPollMs = 100;
/** How many missing fields a warning names. */
const namedFieldsMax = 5;

export interface InstallDefinitionsOptions {
  readonly api: KubeApi;
  readonly log: Logger;
  readonly timers?: Timers;
}

/**
 * Sees to it that a cluster serves Application, AppProject and ApplicationSet. What is missing is installed, what an older version of
 * ours installed is brought up to date, and everything else is left as it is: a definition of somebody else may know more than ours.
 * Throws ApiError where the kinds cannot be served.
 */
export async function installDefinitions(options: InstallDefinitionsOptions): Promise<void> {
  for (const definition of customResourceDefinitions()) {
    try {
      await installDefinition(options, definition);
    } catch (error) {
      if (!isStatusError(error, 'Forbidden')) throw error;
      await requireServed(options, definition, error.message);
    }
  }
}

async function installDefinition(options: InstallDefinitionsOptions, definition: KubeObject): Promise<void> {
  const { api, log } = options;
  const { name = '' } = definition.metadata;
  const existing = await readDefinition(api, name);
  if (existing !== undefined) {
    checkServes(existing, definition);
    const version = readVersion(existing);
    if (version === undefined) warnAboutMissing(existing, definition, log);
    if (version === undefined || version >= definitionsVersion) return waitUntilEstablished(options, name, existing);
  }
  const patch = { type: 'apply', body: definition as unknown as JsonObject, force: true } as const;
  const installed = await api.patch(definitionType, { name }, patch, { fieldManager, signal: AbortSignal.timeout(callTimeoutMs) });
  log.info(existing === undefined ? 'installed a definition' : 'brought a definition up to date', { name, version: definitionsVersion });
  await waitUntilEstablished(options, name, installed);
}

async function readDefinition(api: KubeApi, name: string): Promise<KubeObject | undefined> {
  try {
    return await api.get(definitionType, { name }, { signal: AbortSignal.timeout(callTimeoutMs) });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Undefined for a definition that is not ours. */
function readVersion({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[definitionsVersionAnnotation];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function checkServes(existing: KubeObject, wanted: KubeObject): void {
  const [there, ours] = [specOf(existing), specOf(wanted)];
  const { name = '' } = wanted.metadata;
  if (there.scope !== ours.scope || there.kind !== ours.kind) {
    throw unfit(name, `it is a ${there.scope} ${there.kind}, and not a ${ours.scope} ${ours.kind}`);
  }
  const version = ours.versions[0]?.name ?? '';
  if (!there.versions.some((candidate) => candidate.name === version && candidate.served))
    throw unfit(name, `it does not serve ${version}`);
}

function warnAboutMissing(existing: KubeObject, wanted: KubeObject, log: Logger): void {
  const ours = specOf(wanted).versions[0];
  const theirs = specOf(existing).versions.find(({ name }) => name === ours?.name);
  const missing = missingFields(ours?.schema, theirs?.schema);
  if (missing.length === 0) return;
  const fields = missing.slice(0, namedFieldsMax);
  log.warn('a definition of somebody else lacks fields, which the cluster will drop', {
    name: wanted.metadata.name,
    count: missing.length,
    fields,
  });
}

/** Where definitions may not be read or written, it is enough that their kinds are there. */
async function requireServed({ api }: InstallDefinitionsOptions, definition: KubeObject, refusal: string): Promise<void> {
  const { kind } = specOf(definition);
  const { resources } = await api.discover({ fresh: true, signal: AbortSignal.timeout(callTimeoutMs) });
  if (resources.some((resource) => resource.group === 'argoproj.io' && resource.version === 'v1alpha1' && resource.kind === kind)) return;
  throw new ApiError(
    Code.PermissionDenied,
    `the cluster does not serve ${definition.metadata.name}, and it cannot be installed: ${refusal}`,
  );
}

async function waitUntilEstablished(options: InstallDefinitionsOptions, name: string, first: KubeObject): Promise<void> {
  const { api, timers = systemTimers } = options;
  const deadlineMs = timers.nowMs() + establishTimeoutMs;
  for (let current: KubeObject | undefined = first; !isEstablished(current); current = await readDefinition(api, name)) {
    if (timers.nowMs() > deadlineMs) {
      throw new ApiError(Code.Unavailable, `the cluster did not begin to serve ${name} within ${establishTimeoutMs / 1000} seconds`);
    }
    await pause(timers, establishPollMs);
  }
}

function isEstablished(definition: KubeObject | undefined): boolean {
  const status = definition?.['status'];
  const conditions = isJsonObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  return conditions.some((condition) => isJsonObject(condition) && condition['type'] === 'Established' && condition['status'] === 'True');
}

function unfit(name: string, why: string): ApiError {
  return new ApiError(Code.FailedPrecondition, `the cluster has a definition ${name} that we cannot use: ${why}`);
}

interface DefinitionSpec {
  readonly kind: string;
  readonly scope: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean; readonly schema: JsonValue | undefined }[];
}

function specOf(definition: KubeObject): DefinitionSpec {
  const spec = asObject(definition['spec'] as JsonValue | undefined);
  const versions = Array.isArray(spec['versions']) ? spec['versions'] : [];
  return {
    kind: String(asObject(spec['names'])['kind'] as string),
    scope: String(spec['scope'] as string),
    versions: versions.map(asObject).map((version) => ({
      name: String(version['name'] as string),
      served: version['served'] === true,
      schema: asObject(version['schema'])['openAPIV3Schema'],
    })),
  };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
