/** Whether what lives is what the repository says, and what Fairway says is what lives. */
import type { ResourceType } from '../../../src/kube/index.ts';
import { applicationType, type Application } from '../../../src/model/index.ts';
import type { KubeObject } from '../../../src/objects/index.ts';
import { kinds } from '../kinds.ts';
import type { SoakRecord } from './soak-record.ts';
import { NAMESPACES, type SoakStage } from './soak-stage.ts';

type Road = keyof typeof NAMESPACES;

/** All that is not as it should be, in words; nothing where everything is. */
export async function findDifferences(stage: SoakStage, record: SoakRecord): Promise<readonly string[]> {
  const head = await stage.world.head();
  const { items } = await stage.api.list(applicationType, { namespace: 'argocd' });
  const applications = new Map(items.map((item) => [item.metadata.name ?? '', item as unknown as Application]));
  const expected = [...stage.world.applications.map(({ name }) => name), ...record.members].toSorted();
  const differences = describeDifference('applications', expected, [...applications.keys()].toSorted());
  for (const [name, application] of applications) differences.push(...judgeApplication(name, application, head));
  for (const road of ['near', 'far'] as const) differences.push(...(await compareNamespace(stage, record, road)));
  return differences;
}

/** Syncs those that nobody else would: the ones without automation, and the ones whose sync somebody has ended. */
export async function syncByHand({ world, call }: SoakStage, record: SoakRecord, differences: readonly string[]): Promise<void> {
  for (const { name, isAutomated } of world.applications) {
    const difference = differences.find((text) => text.startsWith(`${name}: `));
    if (difference !== undefined && (!isAutomated || difference.includes('Operation terminated')))
      record.answered('sync at the end', await call('POST', `/api/v1/applications/${name}/sync`, { prune: true }));
  }
}

function judgeApplication(name: string, { operation, status }: Application, head: string): readonly string[] {
  const { sync, health, operationState, conditions } = status ?? {};
  const shown = {
    sync: sync?.status,
    health: health?.status,
    operation: operation === undefined ? 'none' : 'asked for',
    phase: ['Running', 'Terminating'].includes(operationState?.phase ?? '') ? operationState?.phase : 'ended',
    revision: sync?.revision === head ? 'newest' : sync?.revision,
  };
  const wanted = { sync: 'Synced', health: 'Healthy', operation: 'none', phase: 'ended', revision: 'newest' };
  if (JSON.stringify(shown) === JSON.stringify(wanted)) return [];
  const words = (conditions ?? []).map(({ type, message }) => `${type}: ${message}`);
  return [`${name}: ${JSON.stringify({ ...shown, message: operationState?.message, words })}`];
}

async function compareNamespace({ world, api }: SoakStage, { members }: SoakRecord, road: Road): Promise<readonly string[]> {
  const namespace = NAMESPACES[road];
  const names = world.applications.filter((application) => application.road === road).map(({ name }) => name);
  const wanted = [...names, ...(road === 'near' ? members : [])].map((name) => ({ name, ...world.wantedOf(name) }));
  const read = async (type: ResourceType, show: (object: KubeObject) => string): Promise<string[]> =>
    (await api.list(type, { namespace })).items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt').map(show);
  const maps = await read(kinds.configMap, ({ metadata, data }) => `${metadata.name} = ${(data as { value?: string } | undefined)?.value}`);
  const sets = await read(kinds.deployment, ({ metadata, spec }) => `${metadata.name} × ${(spec as { replicas?: number }).replicas}`);
  const wantedMaps = wanted.flatMap((each) => [...each.maps].map(([name, value]) => `${name} = ${value}`));
  return [
    ...describeDifference(`ConfigMaps of ${namespace}`, wantedMaps.toSorted(), maps.toSorted()),
    ...describeDifference(
      `Deployments of ${namespace}`,
      wanted.map(({ name, replicas }) => `${name} × ${replicas}`).toSorted(),
      sets.toSorted(),
    ),
  ];
}

function describeDifference(what: string, expected: readonly string[], actual: readonly string[]): string[] {
  const missing = expected.filter((text) => !actual.includes(text));
  const surplus = actual.filter((text) => !expected.includes(text));
  if (missing.length + surplus.length === 0) return [];
  return [`${what}: missing ${JSON.stringify(missing)}, too many ${JSON.stringify(surplus)}`];
}
