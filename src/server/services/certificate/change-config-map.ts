import { ApiError, Code } from '../../../base/index.ts';
import type { KubeApi, ResourceType } from '../../../kube/index.ts';
import { isJsonObject, isStatusError, type KubeObject } from '../../../objects/index.ts';
import type { Settings } from '../../../settings/index.ts';
import { withHomeErrors } from '../../home-errors.ts';

const CONFIG_MAP: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const PART_OF = { 'app.kubernetes.io/part-of': 'argocd' };
/** How often a change starts over because somebody else changed the ConfigMap meanwhile. */
const CONFLICTS_MAX = 5;
/** A ConfigMap can hold a mebibyte; what is refused here is refused in plain words. */
const BYTES_MAX = 1_000_000;

export interface ConfigMapPlace {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
  readonly name: string;
  readonly signal: AbortSignal;
}

/**
 * Changes the texts of a ConfigMap, or makes it, without undoing what somebody else did meanwhile: `change` is asked again then. It may
 * throw to refuse. The settings show the change when this returns.
 */
export async function changeConfigMap<Result>(place: ConfigMapPlace, change: (data: Map<string, string>) => Result): Promise<Result> {
  return await withHomeErrors(async () => {
    for (let attempt = 1; ; attempt += 1) {
      const existing = await read(place);
      const before = textsOf(existing);
      const data = new Map(before);
      const result = change(data);
      if (isSame(before, data)) return result;
      try {
        place.settings.noticeWrite(await write(place, existing, data));
        return result;
      } catch (error) {
        if (attempt >= CONFLICTS_MAX || !isStatusError(error, 'Conflict', 'AlreadyExists')) throw error;
      }
    }
  });
}

async function read({ home, namespace, name, signal }: ConfigMapPlace): Promise<KubeObject | undefined> {
  try {
    return await home.get(CONFIG_MAP, { namespace, name }, { signal });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function write(place: ConfigMapPlace, existing: KubeObject | undefined, texts: ReadonlyMap<string, string>): Promise<KubeObject> {
  const { home, namespace, name, signal } = place;
  const sizeBytes = [...texts].reduce((sum, [key, text]) => sum + key.length + Buffer.byteLength(text), 0);
  if (sizeBytes > BYTES_MAX) throw new ApiError(Code.ResourceExhausted, `there is no more room in the ConfigMap ${name}`);
  const data = Object.fromEntries(texts);
  if (existing !== undefined) return await home.update(CONFIG_MAP, { ...existing, data }, { signal });
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels: PART_OF }, data };
  return await home.create(CONFIG_MAP, made, { signal });
}

function textsOf(object: KubeObject | undefined): ReadonlyMap<string, string> {
  const data = object?.['data'];
  if (!isJsonObject(data)) return new Map();
  return new Map(Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function isSame(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([key, text]) => right.get(key) === text);
}
