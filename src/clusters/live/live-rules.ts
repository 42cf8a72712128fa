import type { JsonValue, KubeObject } from '../../objects/index.ts';
import type { LiveHealth } from './live-row.ts';

/** What to make of a live object. Pure functions; what they throw costs only the answer, not the object. */
export interface LiveRules {
  /** The application instance that the object says it belongs to. */
  instanceOf(object: KubeObject): string | undefined;
  healthOf(object: KubeObject): LiveHealth | undefined;
  /** What the tree shows of it. Kept for every object, so small, and holding nothing of the object itself. */
  factsOf(object: KubeObject): JsonValue | undefined;
}
