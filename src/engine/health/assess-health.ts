import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { hookFinalizer } from '../annotations.ts';
import { groupOf } from '../resource-key.ts';
import { applicationSetHealth, workflowHealth } from './argo-health.ts';
import { cronJobHealth, jobHealth } from './batch-health.ts';
import {
  apiServiceHealth,
  customResourceDefinitionHealth,
  horizontalPodAutoscalerHealth,
  podDisruptionBudgetHealth,
} from './cluster-health.ts';
import type { Health } from './health-status.ts';
import { ingressHealth, persistentVolumeClaimHealth, serviceHealth } from './network-health.ts';
import { podHealth } from './pod-health.ts';
import { wellKnownRuleOfGroup, wellKnownRules } from './well-known-health.ts';
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from './workload-health.ts';

type HealthRule = (object: JsonObject) => Health;

const RULES: ReadonlyMap<string, HealthRule> = new Map([
  ['apps/Deployment', deploymentHealth],
  ['apps/ReplicaSet', replicaSetHealth],
  ['apps/StatefulSet', statefulSetHealth],
  ['apps/DaemonSet', daemonSetHealth],
  ['/Pod', podHealth],
  ['/Service', serviceHealth],
  ['/PersistentVolumeClaim', persistentVolumeClaimHealth],
  ['batch/Job', jobHealth],
  ['batch/CronJob', cronJobHealth],
  ['networking.k8s.io/Ingress', ingressHealth],
  ['extensions/Ingress', ingressHealth],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalerHealth],
  ['apiregistration.k8s.io/APIService', apiServiceHealth],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinitionHealth],
  ['policy/PodDisruptionBudget', podDisruptionBudgetHealth],
  ['argoproj.io/Workflow', workflowHealth],
  ['argoproj.io/ApplicationSet', applicationSetHealth],
]);

/** What a user's own rule for a kind says, which may be nothing; undefined where there is no rule. What it throws makes the health Unknown. */
export type CustomHealth = (object: KubeObject) => { readonly health: Health | undefined } | undefined;

/** How a live object is. Undefined for a kind that no rule speaks about: it counts for nothing. */
export function assessHealth(object: KubeObject, custom?: CustomHealth): Health | undefined {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp && !finalizers.includes(hookFinalizer)) return { status: 'Progressing', message: 'Pending deletion' };
  try {
    const own = custom?.(object);
    if (own !== undefined) return own.health;
    return ruleOf(groupOf(object), object.kind)?.(object as unknown as JsonObject);
  } catch (error) {
    return { status: 'Unknown', message: error instanceof Error ? error.message : String(error) };
  }
}

function ruleOf(group: string, kind: string): HealthRule | undefined {
  const name = `${group}/${kind}`;
  return RULES.get(name) ?? wellKnownRules.get(name) ?? wellKnownRuleOfGroup(group);
}
