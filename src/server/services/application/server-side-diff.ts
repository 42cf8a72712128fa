import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationServerSideDiffQuery, ApplicationServerSideDiffResponse, ResourceDiff } from '../../../contract/index.ts';
import { formatKey, keyOf } from '../../../engine/index.ts';
import { isJsonObject, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions, DiffQuestion } from './application-context.ts';
import { findApplication } from './find-application.ts';

/** What applying manifests would change, as the cluster itself says; nothing is changed. */
export async function diffOnServer(
  context: ApplicationServiceOptions,
  query: ApplicationServerSideDiffQuery,
  call: Call,
): Promise<ApplicationServerSideDiffResponse> {
  const { appName: name, appNamespace = '', project = '', liveResources = [], targetManifests = [] } = query;
  const { application } = await findApplication(context, call, { name, appNamespace, project, action: 'get' });
  const live = liveResources.map(keyOfLive);
  const targets = targetManifests.map(readManifest);
  const items = await context.inspector.diffOnServer(application, { questions: pair(live, targets), signal: call.signal });
  return { items, modified: items.some(({ modified }) => modified === true) };
}

/** Each target with the live resource of its key; the rest stand alone. */
function pair(live: readonly (string | undefined)[], targets: readonly (KubeObject | undefined)[]): readonly DiffQuestion[] {
  const byKey = new Map(targets.flatMap((target) => (target === undefined ? [] : [[formatKey(keyOf(target)), target] as const])));
  const questions: DiffQuestion[] = live.flatMap((key) => (key === undefined ? [] : [{ live: key, target: byKey.get(key) }]));
  const known = new Set(live);
  for (const [key, target] of byKey) if (!known.has(key)) questions.push({ live: undefined, target });
  return questions;
}

/** The live resource that an entry is about; undefined where it says that there is none. What it says twice it must say alike. */
function keyOfLive({ group = '', kind = '', namespace = '', name = '', liveState = '' }: ResourceDiff): string | undefined {
  const state = readManifest(liveState);
  if (state === undefined) return undefined;
  const key = formatKey(keyOf(state));
  if (key !== formatKey({ group, kind, namespace, name }))
    throw new ApiError(Code.InvalidArgument, `the live state of ${kind} ${name} is that of another resource`);
  return key;
}

function readManifest(text: string): KubeObject | undefined {
  if (text === '' || text === 'null') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says may quote the manifest, which may be a Secret.
    throw new ApiError(Code.InvalidArgument, 'a manifest is no JSON');
  }
  const isObject = isJsonObject(value) && typeof value['kind'] === 'string' && typeof value['apiVersion'] === 'string';
  if (isObject && isJsonObject(value) && isJsonObject(value['metadata'])) return value as unknown as KubeObject;
  throw new ApiError(Code.InvalidArgument, 'a manifest is no Kubernetes object');
}
