import type { GeneratedCluster } from '../cache/generated-cluster.ts';

/** A deployment with its replica set and three pods, a service, a config map, and a secret that belongs to nobody. */
export const OBJECTS_PER_SET = 8;
export const SETS_PER_APPLICATION = 10;
const PODS_PER_SET = 3;
export const PODS_PER_APPLICATION = SETS_PER_APPLICATION * PODS_PER_SET;
/** All but the secrets. */
export const NODES_PER_APPLICATION = SETS_PER_APPLICATION * (OBJECTS_PER_SET - 1);

/** The folder of one application in git, by path: what is wanted is what lives. */
export function manifestsOf(cluster: GeneratedCluster, application: number): Record<string, string> {
  const sets = Array.from({ length: SETS_PER_APPLICATION }, (_, index) => application * SETS_PER_APPLICATION + index);
  const texts = sets.flatMap((set) => cluster.textsOf(set)).map(withoutServerFields);
  return { [`app-${application}/all.yaml`]: texts.join('\n---\n') };
}

function withoutServerFields(text: string): string {
  const { status: _status, metadata, ...object } = JSON.parse(text) as { status?: unknown; metadata: Record<string, unknown> };
  const { name, namespace, labels } = metadata;
  return JSON.stringify({ ...object, metadata: { name, namespace, labels } });
}
