import { isJsonArray, textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, findCondition, health, readConditions } from './condition.ts';
import type { Condition } from './condition.ts';
import type { Health } from './health-status.ts';

const AUTOSCALER_FAILURES = new Set([
  'AbleToScale/FailedGetScale',
  'AbleToScale/FailedUpdateScale',
  'ScalingActive/FailedGetResourceMetric',
  'ScalingActive/FailedGetObjectMetric',
  'ScalingActive/FailedGetPodsMetric',
  'ScalingActive/FailedGetExternalMetric',
  'ScalingActive/FailedComputeMetricsReplicas',
  'ScalingActive/InvalidSelector',
]);
const AUTOSCALER_CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';

/** A condition that tells of a failure decides, wherever it stands; else the first that tells of none. */
export function horizontalPodAutoscalerHealth(autoscaler: JsonObject): Health {
  const version = textAt(autoscaler, 'apiVersion');
  if (!/^autoscaling\/v(?:1|2|2beta1|2beta2)$/.test(version)) return health('Unknown', `unsupported HPA version: ${version}`);
  const conditions = version === 'autoscaling/v1' ? annotatedConditions(autoscaler) : conditionsOf(autoscaler);
  const failure = conditions.find(({ type, reason }) => AUTOSCALER_FAILURES.has(`${type}/${reason}`));
  if (failure !== undefined) return health('Degraded', failure.message);
  const success = conditions.find(({ type, status }) => (type === 'AbleToScale' || type === 'ScalingLimited') && status === 'True');
  return success === undefined ? health('Progressing', 'Waiting to Autoscale') : health('Healthy', success.message);
}

/** In the first version the conditions are JSON in an annotation. */
function annotatedConditions(autoscaler: JsonObject): readonly Condition[] {
  const text = textAt(autoscaler, 'metadata', 'annotations', AUTOSCALER_CONDITIONS);
  if (text === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    return isJsonArray(list) ? readConditions(list) : [];
  } catch {
    // The controller writes it; what anybody else writes there says nothing.
    return [];
  }
}

export function apiServiceHealth(apiService: JsonObject): Health {
  const available = findCondition(apiService, 'Available');
  if (available === undefined) return health('Progressing', 'Waiting to be processed');
  return health(available.status === 'True' ? 'Healthy' : 'Progressing', `${available.reason}: ${available.message}`);
}

/** Definitions are there, or refused, or on their way in or out. */
export function customResourceDefinitionHealth(definition: JsonObject): Health {
  if (textAt(definition, 'metadata', 'deletionTimestamp') !== '') return health('Progressing', 'CRD is terminating');
  const conditions = conditionsOf(definition);
  if (conditions.length === 0) return health('Progressing', 'Status conditions not found');
  const find = (type: string): Condition | undefined => conditions.find((condition) => condition.type === type);
  const terminating = find('Terminating');
  if (terminating?.status === 'True') return health('Progressing', `CRD is terminating: ${terminating.message}`);
  const names = find('NamesAccepted');
  if (names?.status === 'False') return health('Degraded', `CRD names have not been accepted: ${names.message}`);
  const structure = find('NonStructuralSchema');
  if (structure?.status === 'True') return health('Degraded', `Schema violations found: ${structure.message}`);
  const established = find('Established');
  if (established?.status === 'True') return health('Healthy', 'CRD is healthy');
  if (established?.reason === 'Installing') return health('Progressing', 'CRD is being installed');
  return health('Degraded', 'CRD is not established');
}

/** Too few pods may be what is meant; the last condition has the word, unless one tells of something else. */
export function podDisruptionBudgetHealth(budget: JsonObject): Health {
  const conditions = conditionsOf(budget);
  const decisive = conditions.find(({ status, reason }) => status === 'False' && reason !== 'InsufficientPods');
  if (decisive) return health('Degraded', `PodDisruptionBudget has ${decisive.reason}`);
  const last = conditions.at(-1);
  return last ? health('Healthy', `PodDisruptionBudget has ${last.reason}`) : health('Progressing', 'Waiting for status');
}
