import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { assessHealth } from './assess-health.ts';
import { wellKnownRules } from './well-known-health.ts';

const conditions = (...list: readonly (readonly [type: string, status: string, reason?: string, message?: string])[]): JsonValue =>
  list.map(([type, status, reason = '', message = '']) => ({ type, status, reason, message }));

function make(name: string, parts: JsonObject): KubeObject {
  const at = name.lastIndexOf('/');
  return {
    apiVersion: `${name.slice(0, at)}/v1`,
    kind: name.slice(at + 1),
    metadata: { name: 'one', generation: 2 },
    ...parts,
  } as KubeObject;
}

const parents = (...list: JsonValue[]): JsonObject => ({ status: { parents: list.map((own) => ({ conditions: own })) } });

describe('Kinds of other projects', () => {
  it.each<[string, JsonObject, string, string?]>([
    ['cert-manager.io/Certificate', { status: { conditions: conditions(['Ready', 'True', '', 'up to date']) } }, 'Healthy', 'up to date'],
    ['cert-manager.io/Certificate', { status: { conditions: conditions(['Ready', 'False'], ['Issuing', 'True']) } }, 'Progressing'],
    [
      'cert-manager.io/Certificate',
      { status: { conditions: conditions(['Ready', 'False', 'Expired', 'too late']) } },
      'Degraded',
      'too late',
    ],
    ['cert-manager.io/Issuer', {}, 'Progressing', 'Waiting for Ready'],
    ['kustomize.toolkit.fluxcd.io/Kustomization', { spec: { suspend: true } }, 'Suspended', 'held on purpose'],
    [
      'kustomize.toolkit.fluxcd.io/Kustomization',
      { status: { observedGeneration: 1, conditions: conditions(['Ready', 'True']) } },
      'Progressing',
      'Waiting for the controller to see the latest change',
    ],
    [
      'helm.toolkit.fluxcd.io/HelmRelease',
      { status: { conditions: conditions(['Ready', 'True'], ['Stalled', 'True', 'RetriesExceeded', 'gave up']) } },
      'Degraded',
      'gave up',
    ],
    [
      'helm.toolkit.fluxcd.io/HelmRelease',
      { status: { conditions: conditions(['Ready', 'False', 'x', 'tries again'], ['Reconciling', 'True']) } },
      'Degraded',
      'tries again',
    ],
    [
      'external-secrets.io/ExternalSecret',
      { status: { conditions: conditions(['Ready', 'False', 'SecretSyncedError', 'no access']) } },
      'Degraded',
      'no access',
    ],
    ['keda.sh/ScaledObject', { status: { conditions: conditions(['Ready', 'Unknown']) } }, 'Progressing', 'Waiting for Ready'],
    ['pkg.crossplane.io/Provider', { status: { conditions: conditions(['Healthy', 'True'], ['Installed', 'True']) } }, 'Healthy'],
    [
      'ec2.aws.upbound.io/Instance',
      { status: { conditions: conditions(['Synced', 'False', 'ReconcileError', 'denied']) } },
      'Degraded',
      'denied',
    ],
    [
      's3.aws.crossplane.io/Bucket',
      { status: { conditions: conditions(['Synced', 'True'], ['Ready', 'False', 'Creating']) } },
      'Progressing',
      'Creating',
    ],
    ['gateway.networking.k8s.io/Gateway', { status: { conditions: conditions(['Accepted', 'True'], ['Programmed', 'True']) } }, 'Healthy'],
    ['gateway.networking.k8s.io/HTTPRoute', parents(conditions(['Accepted', 'True'], ['ResolvedRefs', 'True'])), 'Healthy'],
    [
      'gateway.networking.k8s.io/HTTPRoute',
      parents(conditions(['Accepted', 'True'], ['ResolvedRefs', 'False', '', 'no service'])),
      'Degraded',
      'Parent : no service',
    ],
    ['gateway.networking.k8s.io/HTTPRoute', {}, 'Progressing', 'Waiting for a gateway to accept it'],
    ['argoproj.io/Rollout', { status: { phase: 'Paused', message: 'canary' } }, 'Suspended', 'canary'],
    ['argoproj.io/Rollout', { status: { phase: 'Degraded', message: 'aborted' } }, 'Degraded', 'aborted'],
    ['argoproj.io/AnalysisRun', { status: { phase: 'Successful' } }, 'Healthy'],
    [
      'tekton.dev/PipelineRun',
      { status: { conditions: conditions(['Succeeded', 'Unknown', 'Running']) } },
      'Progressing',
      'Waiting for Succeeded',
    ],
    [
      'monitoring.coreos.com/Prometheus',
      { status: { conditions: conditions(['Available', 'True'], ['Reconciled', 'False', '', 'bad config']) } },
      'Degraded',
      'bad config',
    ],
  ])('%s with %j is %s', (name, parts, status, message = '') => {
    const health = assessHealth(make(name, parts));
    expect([health?.status, health?.message ?? '']).toEqual([status, message]);
  });

  it('are many, and none of their rules fails on an object without a status', () => {
    expect(wellKnownRules.size).toBeGreaterThanOrEqual(40);
    for (const name of wellKnownRules.keys()) expect(assessHealth(make(name, {}))?.status).toBe('Progressing');
  });

  it('that are settings of Crossplane have nothing that could go wrong', () => {
    expect(assessHealth(make('aws.upbound.io/ProviderConfig', {}))).toEqual({ status: 'Healthy' });
    expect(assessHealth(make('s3.aws.upbound.io/Bucket', {}))?.status).toBe('Progressing');
  });
});
