import { isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { listAt, numberAt, textAt, valueAt, withValueAt } from '../json-path.ts';
import type { StorageForm } from './kind.ts';

/** Fields of events.k8s.io/v1 and their names in the core group, where Events are kept. */
const EVENT_NAMES: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** The Events of both groups are the same objects. */
export const eventForm: StorageForm = {
  group: '',
  version: 'v1',
  plural: 'events',
  encode: (object) => ({ ...rename(object, new Map(EVENT_NAMES)), apiVersion: 'v1' }),
  decode: (object) => ({ ...rename(object, new Map(EVENT_NAMES.map(([name, core]) => [core, name]))), apiVersion: 'events.k8s.io/v1' }),
};

function rename(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** autoscaling/v1 knows one metric, the use of CPU; others cannot be seen in it, and a write in it drops them. */
export const horizontalPodAutoscalerForm: StorageForm = {
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  encode: (object) => {
    const percentage = numberAt(object, 'spec', 'targetCPUUtilizationPercentage');
    const stored = withValueAt({ ...object, apiVersion: 'autoscaling/v2' }, ['spec', 'targetCPUUtilizationPercentage'], undefined);
    if (percentage === undefined) return stored;
    const target = { type: 'Utilization', averageUtilization: percentage };
    return withValueAt(stored, ['spec', 'metrics'], [{ type: 'Resource', resource: { name: 'cpu', target } }]);
  },
  decode: (object) => {
    const percentage = cpuTarget(listAt(object, 'spec', 'metrics'));
    const served = withValueAt({ ...object, apiVersion: 'autoscaling/v1' }, ['spec', 'metrics'], undefined);
    const status = withValueAt(served, ['status', 'currentMetrics'], undefined);
    return percentage === undefined ? status : withValueAt(status, ['spec', 'targetCPUUtilizationPercentage'], percentage);
  },
};

function cpuTarget(metrics: readonly JsonValue[]): number | undefined {
  const metric = metrics.find((candidate) => textAt(candidate, 'resource', 'name') === 'cpu');
  const target = valueAt(metric, ['resource', 'target']);
  return isJsonObject(target) ? numberAt(target, 'averageUtilization') : undefined;
}
