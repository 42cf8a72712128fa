import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { assessHealth } from './assess-health.ts';
import { platformRules } from './platform-health.ts';

type Parts = Readonly<Record<string, unknown>>;
type Case = readonly [status: Parts | undefined, expected: string, more?: { readonly spec?: Parts; readonly labels?: Parts }];

const conditions = (...given: readonly string[]): Parts => ({
  conditions: given.map((text) => {
    const [, type, status, reason = ''] = /^(\w+)=(\w+)(?:\/(\w+))?$/.exec(text) ?? [];
    return { type, status, reason, message: `${type} says so` };
  }),
});

/** By kinds; the first case of each is an object that nobody has looked at. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'acid.zalan.do/postgresql': [
    [undefined, 'Progressing'],
    [{ PostgresClusterStatus: 'Running' }, 'Healthy'],
    [{ PostgresClusterStatus: 'UpdateFailed' }, 'Degraded'],
  ],
  'apps.kruise.io/CloneSet': [
    [undefined, 'Progressing'],
    [{ observedGeneration: 2, updatedReplicas: 2, updatedAvailableReplicas: 2 }, 'Healthy', { spec: { replicas: 2 } }],
    [{ observedGeneration: 1, updatedReplicas: 2, updatedAvailableReplicas: 2 }, 'Progressing', { spec: { replicas: 2 } }],
    [{ observedGeneration: 2, updatedReplicas: 1 }, 'Progressing: 1 of 2 pods are updated', { spec: { replicas: 2 } }],
    [{ observedGeneration: 2, updatedReplicas: 2 }, 'Progressing: 0 of 2 pods are available', { spec: { replicas: 2 } }],
    [
      { observedGeneration: 2, updatedReplicas: 1 },
      'Suspended: 1 pods are left',
      { spec: { replicas: 2, updateStrategy: { partition: 1 } } },
    ],
    [{ observedGeneration: 2 }, 'Suspended', { spec: { updateStrategy: { paused: true } } }],
  ],
  'apps.kruise.io/StatefulSet': [
    [undefined, 'Progressing'],
    [{ observedGeneration: 2 }, 'Suspended', { spec: { updateStrategy: { rollingUpdate: { paused: true } } } }],
  ],
  'apps.openshift.io/DeploymentConfig': [
    [undefined, 'Progressing'],
    [conditions('Available=True', 'Progressing=True/NewReplicationControllerAvailable'), 'Healthy'],
    [conditions('Available=True', 'Progressing=True/ReplicationControllerUpdated'), 'Progressing'],
    [conditions('Progressing=False/ProgressDeadlineExceeded'), 'Degraded: Progressing says so'],
    [{}, 'Suspended', { spec: { paused: true } }],
  ],
  'cdi.kubevirt.io/DataVolume': [
    [undefined, 'Progressing'],
    [{ phase: 'Succeeded' }, 'Healthy'],
    [{ phase: 'WaitForFirstConsumer' }, 'Suspended'],
    [{ phase: 'ImportInProgress', ...conditions('Running=False/Error') }, 'Degraded: Running says so'],
  ],
  'cluster.x-k8s.io/MachineHealthCheck': [
    [undefined, 'Progressing'],
    [{ expectedMachines: 2, currentHealthy: 2 }, 'Healthy'],
    [{ expectedMachines: 2, currentHealthy: 1 }, 'Degraded: 1 of 2 machines are healthy'],
    [conditions('RemediationAllowed=False'), 'Degraded'],
  ],
  'controlplane.cluster.x-k8s.io/AWSManagedControlPlane': [
    [undefined, 'Progressing'],
    [{ ready: true, ...conditions('Ready=True') }, 'Healthy'],
    [conditions('Ready=False'), 'Progressing'],
    [{ conditions: [{ type: 'Ready', status: 'False', severity: 'Error', message: 'no quota' }] }, 'Degraded: no quota'],
    [{ failureMessage: 'lost' }, 'Degraded: lost'],
  ],
  'core.gardener.cloud/Shoot': [
    [undefined, 'Progressing'],
    [{ lastOperation: { state: 'Succeeded' } }, 'Healthy'],
    [{ lastOperation: { state: 'Error' } }, 'Degraded'],
    [{ lastOperation: { state: 'Succeeded' } }, 'Degraded', { labels: { 'shoot.gardener.cloud/status': 'unhealthy' } }],
  ],
  'flink.apache.org/FlinkDeployment': [
    [undefined, 'Progressing'],
    [{ lifecycleState: 'STABLE' }, 'Healthy'],
    [{ lifecycleState: 'ROLLED_BACK' }, 'Degraded'],
    [{ jobManagerDeploymentStatus: 'READY', jobStatus: { state: 'RUNNING' } }, 'Healthy'],
    [{ jobManagerDeploymentStatus: 'DEPLOYING', jobStatus: { state: 'RUNNING' } }, 'Progressing'],
    [{ jobManagerDeploymentStatus: 'ERROR', error: 'no memory' }, 'Degraded: no memory'],
    [{}, 'Healthy: Job is suspended', { spec: { job: { state: 'suspended' } } }],
    [{ reconciliationStatus: { lastReconciledSpec: '{"state": "running"}' } }, 'Progressing', { spec: { job: { state: 'suspended' } } }],
  ],
  'gloo.solo.io/Upstream': [
    [undefined, 'Progressing'],
    [{ state: 1 }, 'Healthy'],
    [{ state: 'Pending' }, 'Suspended'],
    [{ statuses: { one: { state: 'Accepted' }, two: { state: 2, reason: 'no such host' } } }, 'Degraded: no such host'],
  ],
  'grafana.integreatly.org/Grafana': [
    [undefined, 'Progressing'],
    [{ stage: 'complete', stageStatus: 'success' }, 'Healthy'],
    [{ stage: 'deployment', stageStatus: 'in progress' }, 'Progressing: deployment'],
    [{ stage: 'deployment', stageStatus: 'failed', lastMessage: 'no image' }, 'Degraded: no image'],
  ],
  'grafana.integreatly.org/GrafanaDatasource': [
    [undefined, 'Progressing'],
    [{ uid: 'a' }, 'Healthy'],
    [conditions('DatasourceSynchronized=True'), 'Healthy'],
    [conditions('DatasourceSynchronized=False'), 'Degraded'],
    [{ uid: 'a', NoMatchingInstances: true }, 'Degraded'],
    [{ uid: 'a', lastMessage: 'refused' }, 'Degraded: refused'],
  ],
  'kubevirt.io/VirtualMachineInstance': [
    [undefined, 'Progressing'],
    [{ phase: 'Running' }, 'Healthy'],
    [{ phase: 'Running', ...conditions('Ready=False') }, 'Progressing'],
    [{ phase: 'Running', ...conditions('Paused=True') }, 'Suspended'],
    [{ phase: 'Succeeded' }, 'Suspended'],
    [{ phase: 'Failed' }, 'Degraded'],
  ],
  'lifecycle.keptn.sh/KeptnEvaluation': [
    [undefined, 'Progressing'],
    [{ overallStatus: 'Succeeded' }, 'Healthy'],
  ],
  'metrics.keptn.sh/KeptnMetric': [
    [undefined, 'Progressing'],
    [{ value: 100 }, 'Healthy'],
    [{ errMsg: 'no data' }, 'Degraded: no data'],
  ],
  'minio.min.io/Tenant': [
    [undefined, 'Progressing'],
    [{ currentState: 'Initialized', healthStatus: 'green' }, 'Healthy'],
    [{ currentState: 'Initialized', healthStatus: 'red' }, 'Degraded'],
    [{ currentState: 'Provisioning MinIO Statefulset' }, 'Progressing'],
    [{ currentState: 'Tenant credentials are not set properly' }, 'Degraded'],
  ],
  'networking.gke.io/ManagedCertificate': [
    [undefined, 'Progressing'],
    [{ certificateStatus: 'Active' }, 'Healthy'],
    [{ certificateStatus: 'Provisioning', domainStatus: [{ status: 'FailedNotVisible' }] }, 'Degraded: FailedNotVisible'],
  ],
  'nmstate.io/NodeNetworkConfigurationPolicy': [
    [undefined, 'Progressing'],
    [conditions('Available=True'), 'Healthy'],
    [conditions('Available=False/NoMatchingNode'), 'Suspended'],
    [conditions('Available=False', 'Degraded=True'), 'Degraded: Degraded says so'],
  ],
  'ocs.openshift.io/StorageCluster': [
    [undefined, 'Progressing'],
    [conditions('Available=True', 'Progressing=False'), 'Healthy'],
    [conditions('Available=True', 'Progressing=True'), 'Progressing: Progressing says so'],
  ],
  'opentelemetry.io/OpenTelemetryCollector': [
    [undefined, 'Progressing'],
    [{ scale: { statusReplicas: '1/2' } }, 'Progressing: 1 of 2 replicas are ready'],
    [{ scale: { statusReplicas: '2/2' } }, 'Healthy'],
    [{ version: '0.100.0' }, 'Healthy'],
  ],
  'operator.openshift.io/IngressController': [
    [undefined, 'Progressing'],
    [conditions('Available=True', 'DeploymentReplicasAllAvailable=False'), 'Progressing'],
  ],
  'policy.open-cluster-management.io/Policy': [
    [undefined, 'Progressing'],
    [{ compliant: 'Compliant' }, 'Healthy'],
    [{ compliant: 'NonCompliant' }, 'Degraded'],
    [{ compliant: 'NonCompliant', lastEvaluatedGeneration: 1 }, 'Progressing'],
    [{ placement: [{}] }, 'Healthy'],
    [undefined, 'Healthy', { spec: { disabled: true } }],
  ],
  'services.cloud.sap.com/ServiceInstance': [
    [undefined, 'Progressing'],
    [conditions('Ready=True'), 'Healthy'],
    [conditions('Ready=False', 'Failed=True'), 'Degraded: Failed says so'],
  ],
  'solr.apache.org/SolrCloud': [
    [undefined, 'Progressing', { spec: { replicas: 2 } }],
    [{ replicas: 2, readyReplicas: 2, upToDateNodes: 2 }, 'Healthy', { spec: { replicas: 2 } }],
    [{ replicas: 2, readyReplicas: 1, upToDateNodes: 2 }, 'Progressing: 1 of 2 nodes', { spec: { replicas: 2 } }],
    [{ replicas: 2, readyReplicas: 2, upToDateNodes: 1 }, 'Progressing', { spec: { replicas: 2 } }],
  ],
  'sparkoperator.k8s.io/SparkApplication': [
    [undefined, 'Progressing'],
    [{ applicationState: { state: 'RUNNING' } }, 'Healthy'],
    [{ applicationState: { state: 'SUBMISSION_FAILED' } }, 'Degraded'],
  ],
  'tower.ansible.com/AnsibleJob': [
    [undefined, 'Progressing'],
    [{ ansibleJobResult: { status: 'successful' } }, 'Healthy'],
    [{ ansibleJobResult: { status: 'canceled' } }, 'Degraded'],
  ],
  'work.karmada.io/ResourceBinding': [
    [undefined, 'Progressing'],
    [conditions('Scheduled=True', 'FullyApplied=True'), 'Healthy'],
    [conditions('Scheduled=False'), 'Degraded: Scheduled says so'],
    [
      { ...conditions('FullyApplied=True'), aggregatedStatus: [{ clusterName: 'a', applied: true, health: 'Unhealthy' }] },
      'Degraded: a: Unhealthy',
    ],
    [{ ...conditions('FullyApplied=True'), aggregatedStatus: [{ clusterName: 'a', applied: true, health: 'Unknown' }] }, 'Healthy'],
  ],
  'zookeeper.pravega.io/ZookeeperCluster': [
    [undefined, 'Progressing'],
    [{ replicas: 3, readyReplicas: 3 }, 'Healthy'],
    [{ replicas: 3, readyReplicas: 2 }, 'Progressing: 2 of 3 nodes have joined'],
    [{ replicas: 3, readyReplicas: 3, ...conditions('Upgrading=True') }, 'Progressing'],
    [{ replicas: 3, readyReplicas: 3, ...conditions('Error=True') }, 'Degraded: Error says so'],
  ],
};

function judge(name: string, status: Parts | undefined, { spec = {}, labels = {} }: NonNullable<Case[2]> = {}): string {
  const at = name.indexOf('/');
  const identity = { apiVersion: `${name.slice(0, at)}/v1`, kind: name.slice(at + 1), metadata: { name: 'one', generation: 2, labels } };
  const object = { ...identity, spec, ...(status && { status }) } as unknown as KubeObject;
  const { status: word, message } = assessHealth(object) ?? { status: 'none' };
  return message === undefined ? word : `${word}: ${message}`;
}

describe('Kinds of further platforms', () => {
  it.each(Object.entries(CASES))('%s', (name, cases) => {
    for (const [status, expected, more] of cases)
      expect(judge(name, status, more), JSON.stringify({ status, more })).toMatch(new RegExp(`^${expected}`));
  });

  it('are all judged, also those that are like another', () => {
    const alike = [...platformRules.keys()].filter((name) => !Object.hasOwn(CASES, name));
    expect(alike.filter((name) => !/^(?:gateway|gloo)\.solo\.io|^policy\.open|^services\.cloud|^work\.karmada/.test(name))).toEqual([]);
  });
});
