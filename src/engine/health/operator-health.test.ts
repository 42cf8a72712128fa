import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { assessHealth } from './assess-health.ts';
import { operatorRules } from './operator-health.ts';
import { wellKnownRules } from './well-known-health.ts';

type Given = readonly [type: string, status: string, reason?: string, message?: string];

/** `Ready=True`, or with a reason `Ready=False/Paused`. */
function status(...given: readonly Given[]): JsonObject {
  return { status: { conditions: given.map(([type, word, reason = '', message = '']) => ({ type, status: word, reason, message })) } };
}

function judge(name: string, parts: object, metadata: object = {}): string {
  const at = name.indexOf('/');
  const object = {
    apiVersion: `${name.slice(0, at)}/v1`,
    kind: name.slice(at + 1),
    metadata: { name: 'one', generation: 2, ...metadata },
    ...parts,
  };
  const { status: word, message = '' } = assessHealth(object as unknown as KubeObject) ?? { status: 'none' };
  return message === '' ? word : `${word}: ${message}`;
}

describe('A Rollout', () => {
  const rollout = (parts: { spec?: object; status?: object }): string => judge('argoproj.io/Rollout', parts);
  const done = { observedGeneration: '2', currentPodHash: 'a', stableRS: 'a', replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  const canary = { replicas: 1, strategy: { canary: {} } };

  it.each<[string, { spec?: object; status?: object }, string]>([
    ['says itself how it is', { status: { phase: 'Degraded', message: 'aborted' } }, 'Degraded: aborted'],
    ['is held while it is paused', { status: { phase: 'Paused', message: 'CanaryPauseStep' } }, 'Suspended: CanaryPauseStep'],
    ['nobody has looked at', {}, 'Progressing: Waiting for rollout spec update to be observed'],
    [
      'was changed since',
      { status: { phase: 'Healthy', observedGeneration: '1' } },
      'Progressing: Waiting for rollout spec update to be observed',
    ],
    ['whose workload was changed since', { spec: { workloadRef: {} }, status: { phase: 'Healthy', observedGeneration: '2' } }, 'Healthy'],
    ['of old is well', { spec: canary, status: done }, 'Healthy'],
    ['of old with a hash for a generation is well', { spec: canary, status: { ...done, observedGeneration: '7d4f9' } }, 'Healthy'],
    ['of old is paused', { spec: canary, status: { ...done, pauseConditions: [{}] } }, 'Suspended: Rollout is paused'],
    [
      'of old has given up',
      { spec: canary, status: { ...done, conditions: [{ type: 'Progressing', reason: 'RolloutAborted', message: 'aborted' }] } },
      'Degraded: aborted',
    ],
    ['of old has steps to go', { spec: canary, status: { ...done, stableRS: 'b' } }, 'Progressing: Waiting for rollout to finish steps'],
    [
      'of old has old replicas',
      { spec: canary, status: { ...done, replicas: 2 } },
      'Progressing: Waiting for roll out to finish: old replicas are pending termination',
    ],
    [
      'of old has not switched over',
      { spec: { replicas: 1, strategy: { blueGreen: {} } }, status: { ...done, blueGreen: { activeSelector: 'b' } } },
      'Progressing: active service cutover pending',
    ],
    [
      'of old has switched over',
      { spec: { replicas: 1, strategy: { blueGreen: {} } }, status: { ...done, blueGreen: { activeSelector: 'a' } } },
      'Healthy',
    ],
  ])('that %s', (_what, parts, expected) => expect(rollout(parts)).toBe(expected));
});

describe('The Gateway API', () => {
  const listener = (...given: readonly Given[]) => ({
    conditions: status(...given)['status'] && (status(...given)['status'] as JsonObject)['conditions'],
  });

  it.each<[string, object, string]>([
    ['Gateway', status(['Accepted', 'True'], ['Programmed', 'True']), 'Healthy'],
    ['Gateway', status(['Accepted', 'False', 'Invalid', 'no such class']), 'Degraded: no such class'],
    ['Gateway', status(['Accepted', 'True'], ['Programmed', 'False', '', 'no address']), 'Progressing: no address'],
    ['Gateway', { status: { listeners: [listener(['ResolvedRefs', 'False', '', 'no secret'])] } }, 'Degraded: Listener: no secret'],
    ['Gateway', {}, 'Progressing: Waiting for Gateway status'],
    ['GatewayClass', status(['Accepted', 'False', '', 'refused']), 'Degraded: refused'],
    [
      'GatewayClass',
      { status: { conditions: [{ type: 'Accepted', status: 'True', observedGeneration: 1 }] } },
      'Progressing: Waiting for GatewayClass status',
    ],
    [
      'BackendTLSPolicy',
      { status: { ancestors: [{ ancestorRef: { name: 'g' }, ...listener(['Accepted', 'False', '', 'bad']) }] } },
      'Degraded: Parent g: bad',
    ],
    [
      'HTTPRoute',
      {
        status: {
          parents: [{ conditions: [{ type: 'Accepted', status: 'False', observedGeneration: 1 }] }, listener(['Accepted', 'True'])],
        },
      },
      'Healthy',
    ],
  ])('%s with %j', (kind, parts, expected) => expect(judge(`gateway.networking.k8s.io/${kind}`, parts)).toBe(expected));
});

describe('Kinds that operators bring', () => {
  it.each<[string, object, string]>([
    ['cluster.x-k8s.io/Cluster', { status: { phase: 'Provisioned' } }, 'Healthy: Cluster is Provisioned'],
    ['cluster.x-k8s.io/Cluster', { spec: { paused: true } }, 'Suspended: Cluster is paused'],
    [
      'cluster.x-k8s.io/Cluster',
      { status: { phase: 'Provisioning', conditions: [{ type: 'Ready', status: 'False', severity: 'Info', message: 'working' }] } },
      'Progressing: working',
    ],
    [
      'cluster.x-k8s.io/Cluster',
      { status: { phase: 'Provisioning', conditions: [{ type: 'Ready', status: 'False', severity: 'Error', message: 'quota' }] } },
      'Degraded: quota',
    ],
    ['cluster.x-k8s.io/Machine', { status: { phase: 'Failed' } }, 'Degraded: Machine is Failed'],
    ['controlplane.cluster.x-k8s.io/KubeadmControlPlane', status(['Ready', 'True']), 'Healthy'],
    ['ec2.aws.upbound.io/Instance', status(['Synced', 'False', 'ReconcilePaused'], ['Ready', 'True']), 'Suspended: ReconcilePaused'],
    [
      'ec2.aws.upbound.io/Instance',
      status(['Ready', 'False', 'Creating'], ['Synced', 'False', 'ReconcileError', 'denied']),
      'Degraded: denied',
    ],
    ['ec2.aws.upbound.io/Instance', status(['Synced', 'True'], ['LastAsyncOperation', 'False', '', 'too many']), 'Degraded: too many'],
    ['keda.sh/ScaledObject', status(['Ready', 'True'], ['Paused', 'True', '', 'by hand']), 'Suspended: by hand'],
    ['keda.sh/ScaledObject', status(['Ready', 'True'], ['Fallback', 'True', '', 'no metric']), 'Degraded: no metric'],
    ['keda.sh/ScaledJob', status(['Ready', 'Unknown', '', 'triggers fail']), 'Degraded: triggers fail'],
    [
      'external-secrets.io/ClusterExternalSecret',
      status(['Ready', 'True'], ['PartiallyReady', 'True', '', 'one failed']),
      'Degraded: one failed',
    ],
    ['source.toolkit.fluxcd.io/HelmRepository', { spec: { type: 'oci' } }, 'Healthy'],
    [
      'source.toolkit.fluxcd.io/HelmRepository',
      { status: { observedGeneration: -1, conditions: [{ type: 'Ready', status: 'False', message: 'gone' }] } },
      'Degraded: gone',
    ],
    ['kafka.strimzi.io/Kafka', status(['NotReady', 'True', '', 'no broker']), 'Degraded: no broker'],
    ['elasticsearch.k8s.elastic.co/Elasticsearch', { status: { health: 'green', phase: 'Ready' } }, 'Healthy'],
    [
      'elasticsearch.k8s.elastic.co/Elasticsearch',
      { status: { health: 'green', phase: 'MigratingData' } },
      'Progressing: the phase is MigratingData',
    ],
    ['ceph.rook.io/CephCluster', { status: { phase: 'Ready', ceph: { health: 'HEALTH_WARN' } } }, 'Degraded: Ceph health is HEALTH_WARN'],
    ['postgresql.cnpg.io/Cluster', { status: { phase: 'Cluster in healthy state' } }, 'Healthy: Cluster in healthy state'],
    ['postgresql.cnpg.io/Cluster', { status: { phase: 'Failing over', phaseReason: 'web-1 is gone' } }, 'Degraded: web-1 is gone'],
    ['kubevirt.io/VirtualMachine', { spec: { running: false } }, 'Healthy: Stopped as declared'],
    [
      'kubevirt.io/VirtualMachine',
      { spec: { running: true }, status: { printableStatus: 'CrashLoopBackOff' } },
      'Degraded: CrashLoopBackOff',
    ],
    ['snapshot.storage.k8s.io/VolumeSnapshot', { status: { readyToUse: true } }, 'Healthy'],
    ['snapshot.storage.k8s.io/VolumeSnapshot', { status: { error: { message: 'no space' } } }, 'Degraded: no space'],
    ['operators.coreos.com/Subscription', { status: { state: 'AtLatestKnown' } }, 'Healthy: AtLatestKnown'],
    ['operators.coreos.com/Subscription', status(['ResolutionFailed', 'True', '', 'no bundle']), 'Degraded: no bundle'],
    [
      'route.openshift.io/Route',
      { status: { ingress: [{ conditions: [{ type: 'Admitted', status: 'False', reason: 'HostAlreadyClaimed' }] }] } },
      'Degraded: HostAlreadyClaimed',
    ],
    ['k8s.mariadb.com/SqlJob', status(['Complete', 'True', 'JobFailed', 'Failed']), 'Degraded: Failed'],
    ['serving.kserve.io/InferenceService', status(['Ready', 'False'], ['Stopped', 'True']), 'Suspended: InferenceService is Stopped'],
    [
      'promoter.argoproj.io/ScmProvider',
      { status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] } },
      'Progressing: Waiting for the controller to see the latest change',
    ],
    ['compute.cnrm.cloud.google.com/ComputeAddress', status(['Ready', 'False', 'UpdateFailed', 'quota']), 'Degraded: quota'],
    ['compute.cnrm.cloud.google.com/ComputeAddress', status(['Ready', 'True', 'UpToDate']), 'Healthy'],
    ['operator.victoriametrics.com/VMSingle', { status: { updateStatus: 'paused' } }, 'Suspended'],
    ['grafana-org-operator.kubitus-project.gitlab.io/Organization', status(['Ready', 'True']), 'Healthy'],
    ['nobody.example/Thing', {}, 'none'],
  ])('%s with %j', (name, parts, expected) => expect(judge(name, parts)).toBe(expected));

  it('are many', () => {
    expect(operatorRules.size).toBeGreaterThanOrEqual(90);
    expect(wellKnownRules.size).toBeGreaterThanOrEqual(130);
  });
});
