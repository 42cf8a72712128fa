import { ApiError, Code } from '../../base/index.ts';
import { sourcesOf, type Application, type ApplicationSource } from '../../model/index.ts';
import { isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { requireNoIntegrity } from '../../sources/index.ts';
import { findProject } from './check-spec.ts';
import type { ControllerContext } from './controller-context.ts';
import type { Target } from './load-target.ts';

export interface LocalTargetRequest {
  readonly manifests: readonly string[];
  readonly sources: readonly ApplicationSource[];
  readonly revisions: readonly string[];
}

/**
 * What somebody brought from their own machine instead of what the sources say. Throws ApiError in the words of a condition where that is
 * refused, or cannot be read.
 */
export function readLocalTarget(context: ControllerContext, application: Application, request: LocalTargetRequest): Target {
  const { manifests, sources, revisions } = request;
  // Whoever can write an application need not have asked the API, which refuses them too.
  const project = findProject(context, application.spec.project || 'default');
  requireNoIntegrity(project?.spec ?? {}, [...sources, ...sourcesOf(application)], context.settings.current.gpgKeys);
  return { objects: manifests.map(readManifest), revisions, generations: revisions, sourceTypes: [], commands: [] };
}

function readManifest(text: string, index: number): KubeObject {
  const value = parse(text);
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(metadata) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string')
    throw new ApiError(Code.InvalidArgument, `Failed to load local manifests: local manifest ${index + 1} is no Kubernetes object`);
  return value as unknown as KubeObject;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** What the last operation brought with it: an application that was synced to it is compared with it, until it is synced to something else. */
export function localManifestsOf({ status }: Application): readonly string[] {
  return status?.operationState?.operation?.sync?.manifests ?? [];
}
