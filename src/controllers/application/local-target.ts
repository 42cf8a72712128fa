import { ApiError, Code } from '../../base/index.ts';
import type { Application } from '../../model/index.ts';
import { isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { Target } from './load-target.ts';

/** What somebody brought from their own machine instead of what the sources say. Throws ApiError where it cannot be read. */
export function readLocalTarget(manifests: readonly string[], revisions: readonly string[]): Target {
  return { objects: manifests.map(readManifest), revisions, generations: revisions, sourceTypes: [], commands: [] };
}

function readManifest(text: string, index: number): KubeObject {
  const value = parse(text);
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(metadata) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string')
    throw new ApiError(Code.InvalidArgument, `local manifest ${index + 1} is no Kubernetes object`);
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
