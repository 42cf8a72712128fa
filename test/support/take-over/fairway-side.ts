import { dirname } from 'node:path';
import { readApplication, type ApplicationStatus } from '../../../src/model/index.ts';
import { canonicalJson, createMergePatch, type JsonObject, type JsonValue } from '../../../src/objects/index.ts';
import { runFairway, startFairway, type Fairway, type FairwayResult } from '../fairway.ts';
import { ensureTool } from '../tools/ensure-tool.ts';
import type { TakeOverScene } from './take-over-scene.ts';

interface Counted {
  readonly total: number;
  readonly counts: { readonly agrees: number; readonly disagrees: number; readonly pending: number; readonly skipped: number };
}

/** What `fairway shadow --json` prints, as far as the story reads it. */
export interface ShadowAnswer extends Counted {
  readonly sets: Counted & { readonly applicationSets: readonly { readonly name: string; readonly verdict: string }[] };
  readonly applications: readonly { readonly name: string; readonly verdict: string; readonly wouldWrite: readonly string[] }[];
}

/** Fairway as a server, on the cluster that Argo CD is on. */
export async function startTakingOver(scene: Place, args: readonly string[]): Promise<Fairway> {
  return startFairway({ args: [...homeOf(scene), '--log-level', 'warn', ...args], env: await environment() });
}

/** One command of Fairway, with a data folder of its own. */
export async function takeOverFairway(scene: Place, args: readonly string[]): Promise<FairwayResult> {
  return runFairway([...args, ...homeOf(scene), '--data', `${scene.plane.folder}/fairway`], await environment(), {
    limitMs: COMMAND_LIMIT_MS,
  });
}

const COMMAND_LIMIT_MS = 5 * 60_000;

type Place = Pick<TakeOverScene, 'plane' | 'pluginSockets'>;

function homeOf({ plane, pluginSockets }: Place): string[] {
  return ['--kubeconfig', plane.kubeconfig('admin'), '--plugin-sockets', pluginSockets];
}

/** With the same programs that Argo CD renders with. */
async function environment(): Promise<Record<string, string>> {
  const [helm, kustomize] = [await ensureTool('helm'), await ensureTool('kustomize')];
  return { PATH: [dirname(helm), dirname(kustomize), process.env['PATH'] ?? ''].join(':') };
}

export function describeVerdict(status: ApplicationStatus | undefined): string {
  return `${status?.sync?.status ?? ''} ${status?.health?.status ?? ''}`;
}

/** All that is said of every application, one line each; without times, and errors without their words. */
export async function describeVerdicts(scene: Pick<TakeOverScene, 'applications'>): Promise<readonly string[]> {
  const objects = await scene.applications();
  return objects.map((object) => {
    const { metadata, spec, status } = readApplication(object);
    const conditions = [...new Set((status?.conditions ?? []).map(({ type }) => type))].sort();
    const { annotations = {}, finalizers = [] } = metadata;
    const told = { spec, annotations, finalizers, resources: status?.resources ?? [], conditions, history: status?.history ?? [] };
    return `${metadata.namespace}/${metadata.name}: ${describeVerdict(status)} ${canonicalJson(told as unknown as JsonValue)}`;
  });
}

interface ManagedResource {
  readonly kind?: string;
  readonly name?: string;
  readonly normalizedLiveState?: string;
  readonly predictedLiveState?: string;
}

/** What a sync of an application would change, as an API server shows it: for each resource that differs, a merge patch. */
export async function readDifferences(url: string, token: string, application: string): Promise<Readonly<Record<string, JsonValue>>> {
  const address = `${url}/api/v1/applications/${application}/managed-resources`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const { items = [] } = (await answer.json()) as { items?: readonly ManagedResource[] };
  const differences = items.map(({ kind = '', name = '', normalizedLiveState, predictedLiveState }): [string, JsonValue] => {
    const [live, predicted] = [normalizedLiveState, predictedLiveState].map((text) => JSON.parse(text || 'null') as JsonObject | null);
    // What is there and not wanted, or the other way round, is told by that alone.
    if (!live || !predicted) return [`${kind}/${name}`, live ? 'too much' : 'missing'];
    return [`${kind}/${name}`, createMergePatch(live, predicted)];
  });
  return Object.fromEntries(differences.filter(([, patch]) => Object.keys(patch as object).length > 0));
}
