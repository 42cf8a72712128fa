import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { assessHealth } from './assess-health.ts';

type Row = readonly [what: string, parts: JsonObject, status: string | undefined, message?: string];

function make(apiVersion: string, kind: string, { metadata, ...rest }: JsonObject): KubeObject {
  const own = metadata === undefined ? {} : (metadata as JsonObject);
  return { apiVersion, kind, metadata: { name: 'web', generation: 2, ...own }, ...rest } as KubeObject;
}

function table(apiVersion: string, kind: string, rows: readonly Row[]): void {
  describe(`${kind} of ${apiVersion}`, () => {
    it.each(rows.map(([what, parts, status, message = '']) => ({ what, parts, status, message })))(
      '$what',
      ({ parts, status, message }) => {
        const health = assessHealth(make(apiVersion, kind, parts));
        expect(health?.status).toBe(status);
        expect(health?.message ?? '').toBe(message);
      },
    );
  });
}

const seen = (status: JsonObject): JsonObject => ({ observedGeneration: 2, ...status });
const conditions = (...list: readonly (readonly [type: string, status: string, reason?: string, message?: string])[]): JsonValue =>
  list.map(([type, status, reason = '', message = '']) => ({ type, status, reason, message }));

table('apps/v1', 'Deployment', [
  ['paused', { spec: { paused: true } }, 'Suspended', 'Deployment is paused'],
  [
    'not yet observed',
    { spec: { replicas: 1 }, status: { observedGeneration: 1 } },
    'Progressing',
    'Waiting for rollout to finish: observed deployment generation less than desired generation',
  ],
  [
    'past its deadline',
    { spec: { replicas: 1 }, status: seen({ conditions: conditions(['Progressing', 'False', 'ProgressDeadlineExceeded']) }) },
    'Degraded',
    'Deployment "web" exceeded its progress deadline',
  ],
  [
    'being updated',
    { spec: { replicas: 3 }, status: seen({ updatedReplicas: 1 }) },
    'Progressing',
    'Waiting for rollout to finish: 1 out of 3 new replicas have been updated...',
  ],
  [
    'with old replicas',
    { spec: { replicas: 2 }, status: seen({ replicas: 3, updatedReplicas: 2 }) },
    'Progressing',
    'Waiting for rollout to finish: 1 old replicas are pending termination...',
  ],
  [
    'not yet available',
    { spec: { replicas: 2 }, status: seen({ replicas: 2, updatedReplicas: 2, availableReplicas: 1 }) },
    'Progressing',
    'Waiting for rollout to finish: 1 of 2 updated replicas are available...',
  ],
  ['available', { spec: { replicas: 2 }, status: seen({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 }) }, 'Healthy'],
  ['scaled to nothing', { spec: { replicas: 0 }, status: seen({}) }, 'Healthy'],
]);

table('apps/v1', 'ReplicaSet', [
  [
    'not yet observed',
    { status: {} },
    'Progressing',
    'Waiting for rollout to finish: observed replica set generation less than desired generation',
  ],
  [
    'that cannot make pods',
    { spec: { replicas: 1 }, status: seen({ conditions: conditions(['ReplicaFailure', 'True', 'FailedCreate', 'quota']) }) },
    'Degraded',
    'quota',
  ],
  [
    'not yet available',
    { spec: { replicas: 2 }, status: seen({ availableReplicas: 1 }) },
    'Progressing',
    'Waiting for rollout to finish: 1 out of 2 new replicas are available...',
  ],
  ['available', { spec: { replicas: 2 }, status: seen({ availableReplicas: 2 }) }, 'Healthy'],
]);

const rolling = (partition?: number): JsonObject => ({
  type: 'RollingUpdate',
  ...(partition !== undefined && { rollingUpdate: { partition } }),
});

table('apps/v1', 'StatefulSet', [
  ['not yet observed', { status: {} }, 'Progressing', 'Waiting for statefulset spec update to be observed...'],
  ['not ready', { spec: { replicas: 3 }, status: seen({ readyReplicas: 1 }) }, 'Progressing', 'Waiting for 2 pods to be ready...'],
  [
    'rolled out in part',
    { spec: { replicas: 3, updateStrategy: rolling(1) }, status: seen({ readyReplicas: 3, updatedReplicas: 1 }) },
    'Progressing',
    'Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...',
  ],
  [
    'rolled out up to its partition',
    { spec: { replicas: 3, updateStrategy: rolling(1) }, status: seen({ readyReplicas: 3, updatedReplicas: 2 }) },
    'Healthy',
    'partitioned roll out complete: 2 new pods have been updated...',
  ],
  [
    'updated on delete',
    { spec: { replicas: 1, updateStrategy: { type: 'OnDelete' } }, status: seen({ readyReplicas: 1 }) },
    'Healthy',
    'statefulset has 1 ready pods',
  ],
  [
    'between revisions',
    {
      spec: { replicas: 1, updateStrategy: rolling() },
      status: seen({ readyReplicas: 1, updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' }),
    },
    'Progressing',
    'waiting for statefulset rolling update to complete 1 pods at revision b...',
  ],
  [
    'at one revision',
    {
      spec: { replicas: 1, updateStrategy: rolling() },
      status: seen({ readyReplicas: 1, currentReplicas: 1, updateRevision: 'a', currentRevision: 'a' }),
    },
    'Healthy',
    'statefulset rolling update complete 1 pods at revision a...',
  ],
]);

table('apps/v1', 'DaemonSet', [
  [
    'not yet observed',
    { status: {} },
    'Progressing',
    'Waiting for rollout to finish: observed daemon set generation less than desired generation',
  ],
  [
    'updated on delete',
    { spec: { updateStrategy: { type: 'OnDelete' } }, status: seen({ updatedNumberScheduled: 1, desiredNumberScheduled: 2 }) },
    'Healthy',
    'daemon set 1 out of 2 new pods have been updated',
  ],
  [
    'being updated',
    { status: seen({ updatedNumberScheduled: 1, desiredNumberScheduled: 2 }) },
    'Progressing',
    'Waiting for daemon set "web" rollout to finish: 1 out of 2 new pods have been updated...',
  ],
  [
    'not yet available',
    { status: seen({ updatedNumberScheduled: 2, desiredNumberScheduled: 2, numberAvailable: 1 }) },
    'Progressing',
    'Waiting for daemon set "web" rollout to finish: 1 of 2 updated pods are available...',
  ],
  ['available', { status: seen({ updatedNumberScheduled: 2, desiredNumberScheduled: 2, numberAvailable: 2 }) }, 'Healthy'],
]);

const always = { restartPolicy: 'Always' };
const waiting = (reason: string, message: string): JsonObject => ({ name: reason, state: { waiting: { reason, message } } });

table('v1', 'Pod', [
  [
    'whose containers cannot start',
    {
      spec: always,
      status: { phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff', 'no image'), waiting('ErrImagePull', 'none')] },
    },
    'Degraded',
    'no image, none',
  ],
  [
    'that does not restart its containers',
    { spec: { restartPolicy: 'Never' }, status: { phase: 'Pending', containerStatuses: [waiting('ErrImagePull', 'none')] } },
    'Progressing',
  ],
  ['that is pending', { spec: always, status: { phase: 'Pending', message: 'no node' } }, 'Progressing', 'no node'],
  ['that has succeeded', { spec: always, status: { phase: 'Succeeded' } }, 'Healthy'],
  ['that has failed and says why', { status: { phase: 'Failed', message: 'evicted' } }, 'Degraded', 'evicted'],
  [
    'that ran out of memory',
    { status: { phase: 'Failed', containerStatuses: [{ name: 'c', state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } }] } },
    'Degraded',
    'OOMKilled',
  ],
  [
    'whose container has failed',
    { status: { phase: 'Failed', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 3 } } }] } },
    'Degraded',
    'container "i" failed with exit code 3',
  ],
  ['that is ready', { spec: always, status: { phase: 'Running', conditions: conditions(['Ready', 'True']) } }, 'Healthy'],
  [
    'that has died before and is not ready',
    { spec: always, status: { phase: 'Running', containerStatuses: [{ lastState: { terminated: { exitCode: 1 } } }] } },
    'Degraded',
  ],
  ['that is not ready', { spec: always, status: { phase: 'Running' } }, 'Progressing'],
  [
    'that runs to its end',
    { spec: { restartPolicy: 'OnFailure' }, status: { phase: 'Running', conditions: conditions(['Ready', 'True']) } },
    'Progressing',
  ],
  ['of which nothing is known', { spec: always, status: { phase: 'Unknown' } }, 'Unknown'],
]);

table('batch/v1', 'Job', [
  ['that runs', { status: {} }, 'Progressing'],
  ['that has failed', { status: { conditions: conditions(['Failed', 'True', '', 'too often']) } }, 'Degraded', 'too often'],
  ['that says Failed without meaning it', { status: { conditions: conditions(['Failed', 'False']) } }, 'Degraded'],
  ['that is suspended', { status: { conditions: conditions(['Suspended', 'True', '', 'by hand']) } }, 'Suspended', 'by hand'],
  ['that was suspended', { status: { conditions: conditions(['Suspended', 'False']) } }, 'Healthy'],
  ['that is complete', { status: { conditions: conditions(['Complete', 'True']) } }, 'Healthy'],
]);

const last = (schedule: string, success?: string, active: readonly JsonObject[] = []): JsonObject => ({
  status: { lastScheduleTime: schedule, ...(success && { lastSuccessfulTime: success }), active },
});
const [earlier, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

describe('CronJob', () => {
  it.each([
    ['that is suspended', { spec: { suspend: true } }, 'Healthy'],
    ['without a status', {}, 'Progressing'],
    ['that never ran', { status: {} }, 'Healthy'],
    ['whose last run failed', last(later, earlier), 'Degraded'],
    ['that never succeeded, which may be a failure or not', last(later), 'Healthy'],
    ['that runs', last(later, earlier, [{}]), 'Healthy'],
    ['whose last run succeeded', last(earlier, later), 'Healthy'],
  ])('%s', (_what, parts, status) => {
    expect(assessHealth(make('batch/v1', 'CronJob', parts as JsonObject))?.status).toBe(status);
  });
});

const balanced = { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } };
table('v1', 'Service', [
  ['inside the cluster', { spec: { type: 'ClusterIP' } }, 'Healthy'],
  ['that waits for an address', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }, 'Progressing'],
  ['that has an address', { spec: { type: 'LoadBalancer' }, status: balanced }, 'Healthy'],
]);
table('networking.k8s.io/v1', 'Ingress', [
  ['that waits for an address', { status: {} }, 'Progressing'],
  ['that has an address', { status: balanced }, 'Healthy'],
]);
table('v1', 'PersistentVolumeClaim', [
  ['lost', { status: { phase: 'Lost' } }, 'Degraded'],
  ['pending', { status: { phase: 'Pending' } }, 'Progressing'],
  ['bound', { status: { phase: 'Bound' } }, 'Healthy'],
  ['of which nothing is known', {}, 'Unknown'],
]);

const annotated = (list: JsonValue): JsonObject => ({
  metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify(list) } },
});
table('autoscaling/v1', 'HorizontalPodAutoscaler', [
  ['without conditions', {}, 'Progressing', 'Waiting to Autoscale'],
  ['that cannot get its scale', annotated(conditions(['AbleToScale', 'False', 'FailedGetScale', 'none'])), 'Degraded', 'none'],
  ['that is able', annotated(conditions(['AbleToScale', 'True', '', 'fine'])), 'Healthy', 'fine'],
  [
    'whose annotation is no JSON',
    { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': '{' } } },
    'Progressing',
    'Waiting to Autoscale',
  ],
]);
table('autoscaling/v2', 'HorizontalPodAutoscaler', [
  [
    'without metrics',
    { status: { conditions: conditions(['ScalingActive', 'False', 'FailedGetResourceMetric', 'no metrics'], ['AbleToScale', 'True']) } },
    'Degraded',
    'no metrics',
  ],
  [
    'that is able and has no metrics',
    {
      status: {
        conditions: conditions(['AbleToScale', 'True', '', 'fine'], ['ScalingActive', 'False', 'FailedGetResourceMetric', 'none']),
      },
    },
    'Degraded',
    'none',
  ],
  ['at its limit', { status: { conditions: conditions(['ScalingLimited', 'True', '', 'most']) } }, 'Healthy', 'most'],
]);
table('autoscaling/v9', 'HorizontalPodAutoscaler', [['of an unknown version', {}, 'Unknown', 'unsupported HPA version: autoscaling/v9']]);
table('apiregistration.k8s.io/v1', 'APIService', [
  ['not yet seen', {}, 'Progressing', 'Waiting to be processed'],
  ['that is available', { status: { conditions: conditions(['Available', 'True', 'Local', 'ok']) } }, 'Healthy', 'Local: ok'],
  ['that is not', { status: { conditions: conditions(['Available', 'False', 'Gone', 'no']) } }, 'Progressing', 'Gone: no'],
]);
table('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [
  ['established', { status: { conditions: conditions(['NamesAccepted', 'True'], ['Established', 'True']) } }, 'Healthy', 'CRD is healthy'],
  [
    'with names that are taken',
    { status: { conditions: conditions(['NamesAccepted', 'False', '', 'taken']) } },
    'Degraded',
    'CRD names have not been accepted: taken',
  ],
  [
    'without a structural schema',
    { status: { conditions: conditions(['NonStructuralSchema', 'True', '', 'x']) } },
    'Degraded',
    'Schema violations found: x',
  ],
  ['not established', { status: { conditions: conditions(['Established', 'False']) } }, 'Degraded', 'CRD is not established'],
  [
    'being installed',
    { status: { conditions: conditions(['Established', 'False', 'Installing']) } },
    'Progressing',
    'CRD is being installed',
  ],
  [
    'on its way out',
    { status: { conditions: conditions(['Terminating', 'True'], ['Established', 'True']) } },
    'Progressing',
    'CRD is terminating: ',
  ],
]);

describe('Other kinds', () => {
  it.each([
    ['policy/v1', 'PodDisruptionBudget', { status: { conditions: conditions(['DisruptionAllowed', 'False', 'SyncFailed']) } }, 'Degraded'],
    [
      'policy/v1',
      'PodDisruptionBudget',
      { status: { conditions: conditions(['DisruptionAllowed', 'False', 'InsufficientPods']) } },
      'Healthy',
    ],
    ['argoproj.io/v1alpha1', 'Workflow', { status: { phase: 'Running' } }, 'Progressing'],
    ['argoproj.io/v1alpha1', 'Workflow', { status: { phase: 'Error' } }, 'Degraded'],
    ['argoproj.io/v1alpha1', 'Workflow', { status: { phase: 'Odd' } }, 'Unknown'],
    ['argoproj.io/v1alpha1', 'ApplicationSet', { status: { conditions: conditions(['ErrorOccurred', 'True']) } }, 'Degraded'],
    ['argoproj.io/v1alpha1', 'ApplicationSet', { status: { conditions: conditions(['ResourcesUpToDate', 'True']) } }, 'Healthy'],
    ['argoproj.io/v1alpha1', 'Application', { status: { health: { status: 'Degraded' } } }, undefined],
    ['v1', 'ConfigMap', {}, undefined],
    ['example.com/v1', 'Deployment', {}, undefined],
  ])('%s %s %j is %s', (apiVersion, kind, parts, status) => {
    expect(assessHealth(make(apiVersion, kind, parts as JsonObject))?.status).toBe(status);
  });
});

describe('Any object', () => {
  const deleting = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

  it('that is being deleted is progressing, also where no rule speaks about its kind', () => {
    expect(assessHealth(make('v1', 'ConfigMap', deleting))).toEqual({ status: 'Progressing', message: 'Pending deletion' });
  });

  it('that is a hook whose end nobody has seen is judged by its kind', () => {
    const metadata = { ...deleting.metadata, finalizers: ['argocd.argoproj.io/hook-finalizer'] };
    expect(assessHealth(make('batch/v1', 'Job', { metadata, status: { conditions: conditions(['Complete', 'True']) } }))?.status).toBe(
      'Healthy',
    );
  });

  it('is judged by a rule of the user first, and unknown where that fails', () => {
    const pod = make('v1', 'Pod', {});
    expect(assessHealth(pod, () => ({ health: { status: 'Suspended', message: 'mine' } }))).toEqual({
      status: 'Suspended',
      message: 'mine',
    });
    const broken = (): never => {
      throw new Error('broken rule');
    };
    expect(assessHealth(pod, broken)).toEqual({ status: 'Unknown', message: 'broken rule' });
  });
});
