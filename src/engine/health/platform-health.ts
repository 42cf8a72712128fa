import { isJsonObject, listAt, numberAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { byConditions, byPhase } from './condition-rules.ts';
import { conditionsOf, findCondition, health } from './condition.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

type Rule = (object: JsonObject) => Health;
type Words = Readonly<Record<string, HealthStatusCode>>;

const all = (group: string, kinds: string, rule: Rule): [string, Rule][] => kinds.split(' ').map((kind) => [`${group}/${kind}`, rule]);
const phase = (field: string, words: Words): Rule => byPhase(['status', ...field.split('.')], words);
/** As parts of OpenShift report, and those who follow its example. What nothing fits is held. */
const availableOrDegraded: Rule = (object) => {
  const [available, busy] = [findCondition(object, 'Available'), findCondition(object, 'Progressing')];
  if (available?.reason === 'NoMatchingNode') return health('Suspended', available.message || available.reason);
  const failed = findCondition(object, 'Degraded');
  if (failed?.status === 'True') return health('Degraded', failed.message || failed.reason);
  if (busy?.status === 'True') return health('Progressing', busy.message || busy.reason);
  const missing = findCondition(object, 'DeploymentReplicasAllAvailable');
  if (missing?.status === 'False') return health('Progressing', missing.message || missing.reason);
  return byConditions({ good: ['Available'] })(object);
};
/** A policy that is switched off, or that nothing matches, has nothing to say. */
const compliance: Rule = (object) => {
  if (valueAt(object, ['spec', 'disabled']) === true) return health('Healthy', 'The policy is disabled');
  const word = textAt(object, 'status', 'compliant');
  if (word === '' && listAt(object, 'status', 'placement').length > 0) return health('Healthy', 'No cluster matches the policy');
  const evaluated = numberAt(object, 'status', 'lastEvaluatedGeneration');
  if (evaluated !== undefined && evaluated !== numberAt(object, 'metadata', 'generation'))
    return health('Progressing', 'Waiting for the latest change to be evaluated');
  return phase('compliant', { Compliant: 'Healthy', NonCompliant: 'Degraded' })(object);
};

/** Zalando's operator begins the name of its field with a capital. */
const zalandoPostgres = phase('PostgresClusterStatus', {
  Running: 'Healthy',
  CreateFailed: 'Degraded',
  UpdateFailed: 'Degraded',
  SyncFailed: 'Degraded',
  Invalid: 'Degraded',
});

const grafana: Rule = (object) => {
  const [stage, word] = [textAt(object, 'status', 'stage'), textAt(object, 'status', 'stageStatus')];
  const message = textAt(object, 'status', 'lastMessage');
  if (word === 'failed') return health('Degraded', message || `failed in the stage ${stage}`);
  return stage === 'complete' && word === 'success' ? health('Healthy') : health('Progressing', message || stage);
};

/** Older operators only write down what they made. */
const grafanaSource: Rule = (object) => {
  if (valueAt(object, ['status', 'NoMatchingInstances']) === true) return health('Degraded', 'No instance of Grafana matches');
  const trouble = textAt(object, 'status', 'lastMessage');
  if (trouble !== '') return health('Degraded', trouble);
  const isMade = textAt(object, 'status', 'uid') !== '' || textAt(object, 'status', 'hash') !== '';
  if (isMade && conditionsOf(object).length === 0) return health('Healthy');
  return byConditions({ good: ['DatasourceSynchronized'] })(object);
};

/** What is wrong with a tenant of MinIO stands in its state, as a sentence; what it is busy with does, too. */
const MINIO_TROUBLES =
  /^(?:Another MinIO Tenant|(?:Tenant c|C)redentials are not set|Statefulset not controlled|Different versions across|Pool Decommissioning Not Allowed|MinIO.*failed|.*could not be)/;
const minio: Rule = (object) => {
  const word = textAt(object, 'status', 'currentState');
  const colour = textAt(object, 'status', 'healthStatus');
  if (MINIO_TROUBLES.test(word) || colour === 'red') return health('Degraded', word);
  return word === 'Initialized' ? health('Healthy', word) : health('Progressing', word);
};

/** `2/3` where the collector has replicas; one that runs beside others has none of its own. */
const collector: Rule = (object) => {
  if (valueAt(object, ['status']) === undefined) return health('Progressing', 'Waiting for the operator');
  const [available, wanted] = textAt(object, 'status', 'scale', 'statusReplicas').split('/');
  if (wanted !== undefined && available !== wanted) return health('Progressing', `${available} of ${wanted} replicas are ready`);
  return health('Healthy');
};

const machineInstance: Rule = (object) => {
  if (findCondition(object, 'Paused')?.status === 'True') return health('Suspended', 'Paused');
  const isReady = findCondition(object, 'Ready');
  const word = textAt(object, 'status', 'phase');
  if (word === 'Running' && isReady?.status === 'False') return health('Progressing', isReady.message || isReady.reason);
  return phase('phase', { Running: 'Healthy', Succeeded: 'Suspended', Failed: 'Degraded', Unknown: 'Unknown' })(object);
};

/** Older operators only count; newer ones say what is wrong, too. */
const zookeeper: Rule = (object) => {
  const failed = findCondition(object, 'Error');
  if (failed?.status === 'True') return health('Degraded', failed.message || failed.reason);
  const isBusy = findCondition(object, 'Upgrading')?.status === 'True';
  const [joined, wanted] = [numberAt(object, 'status', 'readyReplicas') ?? 0, numberAt(object, 'status', 'replicas') ?? 0];
  if (isBusy || wanted === 0 || joined < wanted) return health('Progressing', `${joined} of ${wanted} nodes have joined`);
  return health('Healthy');
};

const solr: Rule = (object) => {
  if (valueAt(object, ['status']) === undefined) return health('Progressing', 'Waiting for the operator');
  const wanted = numberAt(object, 'spec', 'replicas') ?? 0;
  const count = (field: string): number => numberAt(object, 'status', field) ?? 0;
  if (count('readyReplicas') < wanted || count('replicas') !== wanted)
    return health('Progressing', `${count('readyReplicas')} of ${wanted} nodes are ready`);
  return count('upToDateNodes') < wanted ? health('Progressing', 'Waiting for nodes to be brought up to date') : health('Healthy');
};

/** Sets of OpenKruise can be held while they are rolled out, or be rolled out to a part of their pods; then somebody has to go on. */
const kruiseSet =
  (...strategy: readonly string[]): Rule =>
  (object) => {
    const count = (field: string): number => numberAt(object, 'status', field) ?? 0;
    if ((numberAt(object, 'metadata', 'generation') ?? 0) > count('observedGeneration') || valueAt(object, ['status']) === undefined)
      return health('Progressing', 'Waiting for the controller to see the latest change');
    if (valueAt(object, ['spec', ...strategy, 'paused']) === true) return health('Suspended', 'The rollout is paused');
    const wanted = numberAt(object, 'spec', 'replicas') ?? 0;
    const kept = Math.min(numberAt(object, 'spec', ...strategy, 'partition') ?? 0, wanted);
    const available = count('updatedAvailableReplicas');
    const updated = Math.max(count('updatedReplicas'), available);
    if (updated < wanted - kept) return health('Progressing', `${updated} of ${wanted - kept} pods are updated`);
    if (kept > 0 && updated < wanted) return health('Suspended', `${kept} pods are left as they were`);
    return available < wanted ? health('Progressing', `${available} of ${wanted} pods are available`) : health('Healthy');
  };

/** Old deployments of OpenShift say with the reason that all is done. */
const deploymentConfig: Rule = (object) => {
  if (valueAt(object, ['spec', 'paused']) === true) return health('Suspended', 'DeploymentConfig is paused');
  const progress = findCondition(object, 'Progressing');
  if (progress?.status === 'False') return health('Degraded', progress.message || progress.reason);
  if (progress?.status === 'True' && progress.reason === 'NewReplicationControllerAvailable') return health('Healthy', progress.message);
  return health('Progressing', progress?.message || 'Waiting for the rollout');
};

/** A volume that cannot be filled is tried again and again, and says why. */
const dataVolume: Rule = (object) => {
  const running = findCondition(object, 'Running');
  if (running?.reason === 'Error') return health('Degraded', running.message);
  const words: Words = {
    Succeeded: 'Healthy',
    Failed: 'Degraded',
    Paused: 'Suspended',
    WaitForFirstConsumer: 'Suspended',
    Unknown: 'Unknown',
  };
  return phase('phase', words)(object);
};

const managedControlPlane: Rule = (object) => {
  const failure = textAt(object, 'status', 'failureMessage');
  if (failure !== '') return health('Degraded', failure);
  const conditions = listAt(object, 'status', 'conditions').filter(isJsonObject);
  const failed = conditions.find((condition) => condition['status'] === 'False' && condition['severity'] === 'Error');
  if (failed) return health('Degraded', textAt(failed, 'message') || textAt(failed, 'reason'));
  const isReady = valueAt(object, ['status', 'ready']) === true && findCondition(object, 'Ready')?.status === 'True';
  return isReady ? health('Healthy') : health('Progressing', 'Waiting for the control plane to be ready');
};

/** Gardener sums up in a label how a cluster is; before it does, what was done last says it. */
const SHOOT_WORDS: Words = { healthy: 'Healthy', progressing: 'Progressing', unhealthy: 'Degraded', unknown: 'Unknown' };
const shoot: Rule = (object) => {
  const message = textAt(object, 'status', 'lastOperation', 'description');
  const word = textAt(object, 'metadata', 'labels', 'shoot.gardener.cloud/status');
  if (Object.hasOwn(SHOOT_WORDS, word)) return health(SHOOT_WORDS[word] ?? 'Unknown', message);
  return phase('lastOperation.state', { Succeeded: 'Healthy', Failed: 'Degraded', Error: 'Degraded', Aborted: 'Degraded' })(object);
};

/** States of Gloo are words or their numbers, once or once for each of those who report. What nobody has checked yet is held. */
const GLOO_STATES: Words = {
  '0': 'Suspended',
  Pending: 'Suspended',
  '1': 'Healthy',
  Accepted: 'Healthy',
  '2': 'Degraded',
  Rejected: 'Degraded',
  '3': 'Degraded',
  Warning: 'Degraded',
};
const gloo: Rule = (object) => {
  const reported = valueAt(object, ['status', 'statuses']);
  const given = isJsonObject(reported) ? Object.values(reported).filter(isJsonObject) : [valueAt(object, ['status'])].filter(isJsonObject);
  const judged = given.map((one): Health => {
    const state = one['state'];
    const word = typeof state === 'number' || typeof state === 'string' ? String(state) : '';
    return health(Object.hasOwn(GLOO_STATES, word) ? (GLOO_STATES[word] ?? 'Progressing') : 'Progressing', textAt(one, 'reason'));
  });
  const worst = judged.find(({ status }) => status === 'Degraded') ?? judged.find(({ status }) => status !== 'Healthy');
  return worst ?? judged[0] ?? health('Progressing', 'Waiting for the controller');
};

/** Each domain has a status of its own, and one that fails holds up the certificate. */
const managedCertificate: Rule = (object) => {
  const words = [
    textAt(object, 'status', 'certificateStatus'),
    ...listAt(object, 'status', 'domainStatus')
      .filter(isJsonObject)
      .map((domain) => textAt(domain, 'status')),
  ];
  const failed = words.find((word) => word.includes('Failed'));
  if (failed !== undefined) return health('Degraded', failed);
  return words[0] === 'Active' ? health('Healthy') : health('Progressing', words[0]);
};

/** Whether what was deployed last was to run. */
function hasRun(object: JsonObject): boolean {
  return /"state":\s*"running"/.test(textAt(object, 'status', 'reconciliationStatus', 'lastReconciledSpec'));
}

/** Newer operators sum up how far they are; older ones tell of the job and of what runs it. */
const flink: Rule = (object) => {
  const error = textAt(object, 'status', 'reconciliationStatus', 'error') || textAt(object, 'status', 'error');
  if (textAt(object, 'status', 'jobManagerDeploymentStatus') === 'ERROR') return health('Degraded', error);
  if (textAt(object, 'spec', 'job', 'state') === 'suspended' && !hasRun(object)) return health('Healthy', 'Job is suspended');
  if (textAt(object, 'status', 'lifecycleState') !== '')
    return phase('lifecycleState', { STABLE: 'Healthy', SUSPENDED: 'Healthy', FAILED: 'Degraded', ROLLED_BACK: 'Degraded' })(object);
  const isServed = textAt(object, 'status', 'jobManagerDeploymentStatus') === 'READY';
  return phase('jobStatus.state', { SUSPENDED: 'Healthy', FAILED: 'Degraded', ...(isServed && { RUNNING: 'Healthy' }) })(object);
};

const keptnMetric: Rule = (object) => {
  const failure = textAt(object, 'status', 'errMsg');
  if (failure !== '') return health('Degraded', failure);
  return valueAt(object, ['status', 'value']) === undefined ? health('Progressing', 'Waiting for a value') : health('Healthy');
};

/** Where it was placed, and whether all of it is there. */
const binding: Rule = (object) => {
  const placed = findCondition(object, 'Scheduled');
  if (placed?.status === 'False') return health('Degraded', placed.message || placed.reason);
  // What is there and cannot be judged counts as well.
  const isIll = (one: JsonObject): boolean =>
    one['health'] === 'Unhealthy' || (one['applied'] !== true && textAt(one, 'health') !== 'Healthy');
  const ill = listAt(object, 'status', 'aggregatedStatus').filter(isJsonObject).find(isIll);
  if (ill) return health('Degraded', `${textAt(ill, 'clusterName')}: ${textAt(ill, 'health') || 'its health is not known'}`);
  const applied = findCondition(object, 'FullyApplied');
  return applied?.status === 'True' ? health('Healthy') : health('Progressing', applied?.message || 'Waiting to be applied everywhere');
};

const machineCheck: Rule = (object) => {
  const allowed = findCondition(object, 'RemediationAllowed');
  if (allowed?.status === 'False') return health('Degraded', allowed.message || allowed.reason);
  const [wanted, well] = [numberAt(object, 'status', 'expectedMachines'), numberAt(object, 'status', 'currentHealthy')];
  if (wanted === undefined) return health('Progressing', 'Waiting for the machines to be counted');
  return (well ?? 0) < wanted ? health('Degraded', `${well ?? 0} of ${wanted} machines are healthy`) : health('Healthy');
};

/** Kinds of further platforms, judged by what those document of their status. */
export const platformRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...all('acid.zalan.do', 'postgresql', zalandoPostgres),
  ...all('apps.kruise.io', 'CloneSet', kruiseSet('updateStrategy')),
  ...all('apps.kruise.io', 'StatefulSet', kruiseSet('updateStrategy', 'rollingUpdate')),
  ...all('apps.openshift.io', 'DeploymentConfig', deploymentConfig),
  ...all('cdi.kubevirt.io', 'DataVolume', dataVolume),
  ...all('cluster.x-k8s.io', 'MachineHealthCheck', machineCheck),
  ...all('controlplane.cluster.x-k8s.io', 'AWSManagedControlPlane', managedControlPlane),
  ...all('core.gardener.cloud', 'Shoot', shoot),
  ...all('flink.apache.org', 'FlinkDeployment', flink),
  ...all('gateway.solo.io', 'Gateway MatchableHttpGateway RouteOption RouteTable VirtualHostOption VirtualService', gloo),
  ...all('gloo.solo.io', 'Proxy Settings Upstream UpstreamGroup', gloo),
  ...all('grafana.integreatly.org', 'Grafana', grafana),
  ...all('grafana.integreatly.org', 'GrafanaDatasource', grafanaSource),
  ...all('kubevirt.io', 'VirtualMachineInstance', machineInstance),
  ...all('lifecycle.keptn.sh', 'KeptnEvaluation', phase('overallStatus', { Succeeded: 'Healthy', Failed: 'Degraded' })),
  ...all('metrics.keptn.sh', 'KeptnMetric', keptnMetric),
  ...all('minio.min.io', 'Tenant', minio),
  ...all('networking.gke.io', 'ManagedCertificate', managedCertificate),
  ...all('nmstate.io', 'NodeNetworkConfigurationPolicy', availableOrDegraded),
  ...all('ocs.openshift.io', 'StorageCluster', availableOrDegraded),
  ...all('opentelemetry.io', 'OpenTelemetryCollector', collector),
  ...all('operator.openshift.io', 'IngressController', availableOrDegraded),
  ...all('policy.open-cluster-management.io', 'CertificatePolicy ConfigurationPolicy Policy', compliance),
  ...all('services.cloud.sap.com', 'ServiceBinding ServiceInstance', byConditions({ good: ['Ready'], bad: ['Failed'] })),
  ...all('solr.apache.org', 'SolrCloud', solr),
  ...all(
    'sparkoperator.k8s.io',
    'SparkApplication',
    phase('applicationState.state', {
      RUNNING: 'Healthy',
      SUCCEEDING: 'Healthy',
      COMPLETED: 'Healthy',
      FAILED: 'Degraded',
      FAILING: 'Degraded',
      SUBMISSION_FAILED: 'Degraded',
      UNKNOWN: 'Unknown',
    }),
  ),
  ...all(
    'tower.ansible.com',
    'AnsibleJob',
    phase('ansibleJobResult.status', { successful: 'Healthy', failed: 'Degraded', error: 'Degraded', canceled: 'Degraded' }),
  ),
  ...all('work.karmada.io', 'ClusterResourceBinding ResourceBinding', binding),
  ...all('zookeeper.pravega.io', 'ZookeeperCluster', zookeeper),
]);
