import { kinds } from '../../test/support/kinds.ts';
import type { Stage } from './stage.ts';

const NAMESPACES = 20;
/** What a ConfigMap or a Secret of somebody else usually weighs. */
const TEXT = 'a line of some length that nobody looks at\n'.repeat(20);

const filled = new WeakMap<Stage['contender'], number>();

/** Puts objects into the cluster that belong to no application, until there are so many; what an earlier workload put there counts. */
export async function fillCluster({ contender, forEach }: Stage, count: number): Promise<void> {
  const { api } = contender;
  const before = filled.get(contender) ?? 0;
  if (before === 0)
    for (let index = 0; index < NAMESPACES; index += 1)
      await api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `others-${index}` } });
  const indexes = Array.from({ length: Math.max(count - before, 0) }, (_, offset) => before + offset);
  await forEach(indexes, async (index) => {
    const metadata = { name: `other-${index}`, namespace: `others-${index % NAMESPACES}`, labels: { part: `part-${index % 100}` } };
    if (index % 2 === 0) await api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: TEXT } });
    else await api.create(kinds.secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { text: TEXT } });
  });
  filled.set(contender, Math.max(count, before));
}
