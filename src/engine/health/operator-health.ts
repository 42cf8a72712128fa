import { isJsonObject, listAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { byConditions, byPhase } from './condition-rules.ts';
import { conditionsOf, findCondition, health } from './condition.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

type Rule = (object: JsonObject) => Health;
type Words = Readonly<Record<string, HealthStatusCode>>;

/** The same rule for several kinds of a group. */
const all = (group: string, kinds: string, rule: Rule): [string, Rule][] => kinds.split(' ').map((kind) => [`${group}/${kind}`, rule]);
const good = (...types: readonly string[]): Rule => byConditions({ good: types });
const phase = (field: string, words: Words): Rule => byPhase(['status', ...field.split('.')], words);

const strimzi = byConditions({ good: ['Ready'], bad: ['NotReady'] });
const elasticWords = phase('health', { green: 'Healthy', yellow: 'Progressing', red: 'Degraded', unknown: 'Unknown' });
/** Changes that are being made do not change its colour. */
const elastic: Rule = (object) => {
  const word = textAt(object, 'status', 'phase');
  return word === 'ApplyingChanges' || word === 'MigratingData' ? health('Progressing', `the phase is ${word}`) : elasticWords(object);
};
const confluent = phase('phase', { RUNNING: 'Healthy', FAILED: 'Degraded', ERROR: 'Degraded' });
const humio = phase('state', { Exists: 'Healthy', NotFound: 'Missing', ConfigError: 'Degraded', Unknown: 'Unknown' });
const keptn = phase('status', { Succeeded: 'Healthy', Failed: 'Degraded' });
const percona: Words = { ready: 'Healthy', error: 'Degraded', paused: 'Suspended', unknown: 'Unknown' };
const rook = phase('phase', { Ready: 'Healthy', Failure: 'Degraded' });
/** Also of a cluster that is complete Ceph may have something to say. */
const cephCluster: Rule = (cluster) => {
  const word = textAt(cluster, 'status', 'ceph', 'health');
  const isIll = word === 'HEALTH_WARN' || word === 'HEALTH_ERR';
  return isIll ? health('Degraded', `Ceph health is ${word}`) : rook(cluster);
};
/** A job that is complete may have failed. */
const databaseJob: Rule = (job) => {
  const complete = findCondition(job, 'Complete');
  return complete?.reason === 'JobFailed' ? health('Degraded', complete.message) : good('Complete')(job);
};
const inference: Rule = (service) =>
  findCondition(service, 'Stopped')?.status === 'True' ? health('Suspended', 'InferenceService is Stopped') : good('Ready')(service);
const trident = phase('state', { available: 'Healthy', Completed: 'Healthy', failed: 'Degraded', Failed: 'Degraded', error: 'Degraded' });
const clickHouse = phase('status', { Completed: 'Healthy', Failed: 'Degraded', Aborted: 'Degraded' });

const MARIADB_BUSY = ['RestoreNotComplete', 'StatefulSetNotReady', 'Restoring', 'Updating'];

/** A database of CloudNativePG, which may be held or put to sleep. */
const postgres: Rule = (cluster) => {
  if (textAt(cluster, 'metadata', 'annotations', 'cnpg.io/reconciliationLoop') === 'disabled')
    return health('Suspended', 'Cluster reconciliation is suspended');
  const asleep = findCondition(cluster, 'cnpg.io/hibernation');
  if (asleep?.status === 'True') return health('Suspended', asleep.message);
  const word = textAt(cluster, 'status', 'phase');
  if (word === 'Cluster in healthy state') return health('Healthy', word);
  const isBroken = /^(?:Cluster upgrade failed|Unable|Cluster is unrecoverable|.*[Ee]rror|Not enough disk space|Failing over)/.test(word);
  return health(isBroken ? 'Degraded' : 'Progressing', textAt(cluster, 'status', 'phaseReason') || word);
};

const virtualMachine: Rule = (machine) => {
  const word = textAt(machine, 'status', 'printableStatus');
  if (word === 'Running') return health('Healthy', word);
  const isMeantToStop = valueAt(machine, ['spec', 'running']) === false || textAt(machine, 'spec', 'runStrategy') === 'Halted';
  if (isMeantToStop && (word === '' || word === 'Stopped')) return health('Healthy', 'Stopped as declared');
  if (word === 'Stopped' || word === 'Halted' || word === 'Paused') return health('Suspended', word);
  if (/^(?:CrashLoopBackOff|Unschedulable|ErrorUnschedulable|ErrImagePull|ImagePullBackOff|ErrorPvcNotFound|DataVolumeError)$/.test(word))
    return health('Degraded', word);
  return health('Progressing', word || 'Waiting for the machine');
};

const volumeSnapshot: Rule = (snapshot) => {
  const error = textAt(snapshot, 'status', 'error', 'message');
  if (error !== '') return health('Degraded', error);
  return valueAt(snapshot, ['status', 'readyToUse']) === true ? health('Healthy') : health('Progressing', 'Waiting for the snapshot');
};

/** What Operator Lifecycle Manager says about installing an operator. */
const subscription: Rule = (object) => {
  const failed = conditionsOf(object).find(
    ({ type, status }) => status === 'True' && /^(?:CatalogSourcesUnhealthy|InstallPlanFailed|ResolutionFailed)$/.test(type),
  );
  if (failed) return health('Degraded', failed.message || failed.reason);
  const word = textAt(object, 'status', 'state');
  // An upgrade that waits for somebody to agree to it is how they want it.
  const isHeld = word === 'UpgradePending' && textAt(object, 'spec', 'installPlanApproval') === 'Manual';
  return word === 'AtLatestKnown' || isHeld ? health('Healthy', word) : health('Progressing', word || 'Waiting for the operator');
};

/** Each router that knows a route says whether it takes it. */
const openShiftRoute: Rule = (route) => {
  const answers = listAt(route, 'status', 'ingress')
    .filter(isJsonObject)
    .flatMap((ingress) => conditionsOf(ingress, 'conditions').filter(({ type }) => type === 'Admitted'));
  const refused = answers.find(({ status }) => status === 'False');
  if (refused) return health('Degraded', refused.message || refused.reason);
  return answers.some(({ status }) => status === 'True')
    ? health('Healthy')
    : health('Progressing', 'Waiting for a router to admit the route');
};

/** Kinds that operators bring, judged by what those document of their status. */
export const operatorRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...all('addons.cluster.x-k8s.io', 'ClusterResourceSet', good('ResourcesApplied')),
  ...all('apps.kruise.io', 'BroadcastJob', phase('phase', { completed: 'Healthy', failed: 'Degraded', paused: 'Suspended' })),
  ...all('argoproj.io', 'EventBus', good('Configured', 'Deployed')),
  ...all('argoproj.io', 'EventSource', good('SourcesProvided', 'Deployed')),
  ...all('argoproj.io', 'Sensor', good('DependenciesProvided', 'TriggersProvided', 'Deployed')),
  ...all('astra.netapp.io', 'AppVault Backup Snapshot', trident),
  ...all('astra.netapp.io', 'Application', good('Ready')),
  ...all('camel.apache.org', 'Integration', good('Ready')),
  ...all('ceph.rook.io', 'CephBlockPool CephFilesystem CephObjectStore', rook),
  ...all('ceph.rook.io', 'CephCluster', cephCluster),
  ...all('certmanager.k8s.io', 'Certificate ClusterIssuer Issuer', good('Ready')),
  ...all('clickhouse.altinity.com', 'ClickHouseInstallation', clickHouse),
  ...all('clickhouse-keeper.altinity.com', 'ClickHouseKeeperInstallation', clickHouse),
  ...all('coralogix.com', 'Alert RecordingRuleGroupSet', good('RemoteSynced')),
  ...all('core.humio.com', 'HumioAction HumioAlert HumioIngestToken HumioParser HumioRepository HumioView', humio),
  ...all('core.humio.com', 'HumioCluster', phase('state', { Running: 'Healthy', ConfigError: 'Degraded', Unknown: 'Unknown' })),
  ...all('datadoghq.com', 'DatadogMetric', byConditions({ good: ['Active', 'Valid'], bad: ['Error'] })),
  ...all('db.atlasgo.io', 'AtlasMigration AtlasSchema', byConditions({ good: ['Ready'], busyReasons: ['Reconciling'] })),
  ...all('flagger.app', 'Canary', good('Promoted')),
  ...all('grafana.integreatly.org', 'GrafanaDashboard', good('DashboardSynchronized')),
  ...all('grafana.integreatly.org', 'GrafanaFolder', byConditions({ good: ['FolderSynchronized'], bad: ['FolderUIDMismatch'] })),
  ...all('install.istio.io', 'IstioOperator', phase('status', { HEALTHY: 'Healthy', ERROR: 'Degraded' })),
  ...all('jaegertracing.io', 'Jaeger', phase('phase', { Running: 'Healthy', Failed: 'Degraded' })),
  ...all('k8s.keycloak.org', 'Keycloak', byConditions({ good: ['Ready'], bad: ['HasErrors'], busyReasons: [''] })),
  ...all('k8s.mariadb.com', 'Database Grant User', good('Ready')),
  ...all('k8s.mariadb.com', 'Backup SqlJob', databaseJob),
  ...all('k8s.mariadb.com', 'MariaDB', byConditions({ good: ['Ready'], suspended: ['spec', 'suspend'], busyReasons: MARIADB_BUSY })),
  ...all('kafka.strimzi.io', 'Kafka KafkaBridge KafkaConnect KafkaConnector KafkaMirrorMaker2 KafkaTopic KafkaUser', strimzi),
  ...all('karpenter.k8s.aws', 'EC2NodeClass', good('Ready')),
  ...all('karpenter.sh', 'NodeClaim', byConditions({ good: ['Launched', 'Ready'], paused: ['Disrupting'] })),
  ...all('karpenter.sh', 'NodePool', good('Ready')),
  ...all('kiali.io', 'Kiali', byConditions({ good: ['Successful'], bad: ['Failure'] })),
  ...all('kubevirt.io', 'VirtualMachine', virtualMachine),
  ...all('kyverno.io', 'ClusterPolicy Policy', byConditions({ good: ['Ready'], busyReasons: ['Progressing'] })),
  ...all('lifecycle.keptn.sh', 'KeptnAppVersion KeptnTask KeptnWorkloadInstance KeptnWorkloadVersion', keptn),
  ...all('elasticsearch.k8s.elastic.co', 'Elasticsearch', elastic),
  ...all('agent.k8s.elastic.co', 'Agent', elastic),
  ...all('apm.k8s.elastic.co', 'ApmServer', elastic),
  ...all('beat.k8s.elastic.co', 'Beat', elastic),
  ...all('kibana.k8s.elastic.co', 'Kibana', elastic),
  ...all('logstash.k8s.elastic.co', 'Logstash', elastic),
  ...all('numaflow.numaproj.io', 'InterStepBufferService', good('Configured', 'Deployed', 'ChildrenResourcesHealthy')),
  ...all('numaflow.numaproj.io', 'MonoVertex', good('Deployed', 'DaemonHealthy', 'PodsHealthy')),
  ...all('numaflow.numaproj.io', 'Pipeline', good('Configured', 'Deployed', 'DaemonServiceHealthy', 'VerticesHealthy')),
  ...all('numaflow.numaproj.io', 'Vertex', good('Deployed', 'PodsHealthy')),
  ...all('objectbucket.io', 'ObjectBucketClaim', phase('phase', { Bound: 'Healthy', Failed: 'Degraded' })),
  ...all('onepassword.com', 'OnePasswordItem', good('Ready')),
  ...all('operator.knative.dev', 'KnativeEventing KnativeServing', byConditions({ good: ['Ready'], busy: ['InstallSucceeded'] })),
  ...all('operators.coreos.com', 'Subscription', subscription),
  ...all('platform.confluent.io', 'Connect ControlCenter Kafka KsqlDB SchemaRegistry Zookeeper', confluent),
  ...all('policy.open-cluster-management.io', 'OperatorPolicy', good('Compliant')),
  ...all('postgresql.cnpg.io', 'Cluster', postgres),
  ...all('projectcontour.io', 'ExtensionService HTTPProxy', good('Valid')),
  ...all('promoter.argoproj.io', 'ClusterScmProvider GitRepository ScmProvider', good('Ready')),
  ...all('psmdb.percona.com', 'PerconaServerMongoDB', phase('state', percona)),
  ...all('pxc.percona.com', 'PerconaXtraDBCluster', phase('state', percona)),
  ...all('rabbitmq.com', 'Binding Exchange Permission Policy Queue Shovel User Vhost', good('Ready')),
  ...all(
    'rabbitmq.com',
    'RabbitmqCluster',
    byConditions({ good: ['ReconcileSuccess', 'AllReplicasReady'], busyReasons: ['NotAllPodsReady'] }),
  ),
  ...all('route.openshift.io', 'Route', openShiftRoute),
  ...all('serving.kserve.io', 'InferenceService', inference),
  ...all('snapshot.storage.k8s.io', 'VolumeSnapshot VolumeSnapshotContent', volumeSnapshot),
  ...all('trident.netapp.io', 'TridentOrchestrator', phase('status', { Installed: 'Healthy', Failed: 'Degraded', Error: 'Degraded' })),
]);

/** Resources of Google's Config Connector say it with reasons. */
export function configConnectorHealth(object: JsonObject): Health {
  const generation = valueAt(object, ['metadata', 'generation']);
  if ((valueAt(object, ['status', 'observedGeneration']) ?? generation) !== generation) return health('Progressing', 'Update in progress');
  const isWell = valueAt(object, ['status', 'healthy']);
  if (typeof isWell === 'boolean') return health(isWell ? 'Healthy' : 'Degraded');
  for (const { status, reason, message } of conditionsOf(object)) {
    if (reason === 'UpToDate' && status === 'True') return health('Healthy', message);
    if (reason === 'UpdateFailed' || reason === 'DependencyNotFound') return health('Degraded', message);
    if (reason === 'DependencyNotReady') return health('Suspended', message);
  }
  return health('Progressing', 'Update in progress');
}

/** Operators all of whose kinds are alike, by group. */
export const groupRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'operator.victoriametrics.com',
    byPhase(['status', 'updateStatus'], { operational: 'Healthy', failed: 'Degraded', paused: 'Suspended' }),
  ],
  ['grafana-org-operator.kubitus-project.gitlab.io', good('Ready')],
]);
