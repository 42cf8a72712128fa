import { textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import type { Health } from './health-status.ts';

/** What is settings, and has nothing that could go wrong. */
const SETTINGS =
  /^(?:ProviderConfig(?:Usage)?|ClusterProviderConfig(?:Usage)?|StoreConfig|Composition|CompositionRevision|DeploymentRuntimeConfig|ControllerConfig|EnvironmentConfig|ImageConfig|Usage)$/;
const GOOD: readonly string[] = ['Ready', 'Healthy', 'Offered', 'Established', 'ValidPipeline', 'RevisionHealthy'];

/** Resources of Crossplane and its providers: first whether they agree with what is outside, and then whether that is ready. */
export function crossplaneHealth(object: JsonObject): Health {
  const conditions = conditionsOf(object);
  if (conditions.length === 0)
    return SETTINGS.test(textAt(object, 'kind')) ? health('Healthy') : health('Progressing', 'Waiting for Synced and Ready');
  if (conditions.some(({ type, reason }) => type === 'Synced' && reason === 'ReconcilePaused'))
    return health('Suspended', 'ReconcilePaused');
  const failed = conditions.find(({ type, status }) => (type === 'Synced' || type === 'LastAsyncOperation') && status === 'False');
  if (failed) return health('Degraded', failed.message || failed.reason);
  const states = conditions.filter(({ type }) => GOOD.includes(type));
  const waiting = states.find(({ status }) => status !== 'True');
  if (states.length === 0 || waiting) return health('Progressing', waiting?.message || waiting?.reason || 'Waiting for Ready');
  return health('Healthy', states[0]?.message);
}
