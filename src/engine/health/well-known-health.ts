import type { JsonObject } from '../../objects/index.ts';
import { byConditions, byPhase, routeHealth } from './condition-rules.ts';
import type { Health } from './health-status.ts';

type Rule = (object: JsonObject) => Health;

const ready = byConditions({ good: ['Ready'] });

/** Flux says apart that it works on something, and that it has given up. */
const flux = byConditions({
  good: ['Ready'],
  bad: ['Stalled'],
  busy: ['Reconciling'],
  busyReasons: ['Progressing', 'DependencyNotReady'],
  suspended: ['spec', 'suspend'],
});
const crossplanePackage = byConditions({ good: ['Healthy', 'Installed'], busyReasons: ['UnpackingPackage', 'UnhealthyPackageRevision'] });
const crossplaneManaged = byConditions({ good: ['Synced', 'Ready'], busyReasons: ['Creating', 'Unavailable', 'Deleting'] });
const clusterApi = byConditions({
  good: ['Ready'],
  busyReasons: ['WaitingForInfrastructure', 'WaitingForControlPlane', 'Deleting', 'ScalingUp', 'ScalingDown'],
});
const prometheus = byConditions({ good: ['Available', 'Reconciled'], busyReasons: ['SomePodsNotReady'] });
const tekton = byConditions({ good: ['Succeeded'] });
const keda = byConditions({ good: ['Ready'] });
const route: Rule = routeHealth;

const rollout = byPhase(['status', 'phase'], { Healthy: 'Healthy', Degraded: 'Degraded', Paused: 'Suspended', Progressing: 'Progressing' });
const analysis = byPhase(['status', 'phase'], {
  Successful: 'Healthy',
  Failed: 'Degraded',
  Error: 'Degraded',
  Inconclusive: 'Unknown',
});

/** Kinds of other projects, judged by what those projects document of their status. */
export const wellKnownRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['argoproj.io/Rollout', rollout],
  ['argoproj.io/AnalysisRun', analysis],
  ['argoproj.io/Experiment', analysis],
  ['cert-manager.io/Certificate', byConditions({ good: ['Ready'], busy: ['Issuing'], busyReasons: ['DoesNotExist', 'Issuing'] })],
  ['cert-manager.io/Issuer', ready],
  ['cert-manager.io/ClusterIssuer', ready],
  ['external-secrets.io/ExternalSecret', ready],
  ['external-secrets.io/ClusterExternalSecret', ready],
  ['external-secrets.io/SecretStore', ready],
  ['external-secrets.io/ClusterSecretStore', ready],
  ['external-secrets.io/PushSecret', ready],
  ['bitnami.com/SealedSecret', byConditions({ good: ['Synced'] })],
  ['helm.toolkit.fluxcd.io/HelmRelease', flux],
  ['kustomize.toolkit.fluxcd.io/Kustomization', flux],
  ['source.toolkit.fluxcd.io/Bucket', flux],
  ['source.toolkit.fluxcd.io/GitRepository', flux],
  ['source.toolkit.fluxcd.io/HelmChart', flux],
  ['source.toolkit.fluxcd.io/HelmRepository', flux],
  ['source.toolkit.fluxcd.io/OCIRepository', flux],
  ['image.toolkit.fluxcd.io/ImagePolicy', flux],
  ['image.toolkit.fluxcd.io/ImageRepository', flux],
  ['image.toolkit.fluxcd.io/ImageUpdateAutomation', flux],
  ['notification.toolkit.fluxcd.io/Receiver', flux],
  ['pkg.crossplane.io/Configuration', crossplanePackage],
  ['pkg.crossplane.io/Function', crossplanePackage],
  ['pkg.crossplane.io/Provider', crossplanePackage],
  ['apiextensions.crossplane.io/CompositeResourceDefinition', byConditions({ good: ['Established'] })],
  ['keda.sh/ScaledObject', keda],
  ['keda.sh/ScaledJob', keda],
  ['gateway.networking.k8s.io/Gateway', byConditions({ good: ['Accepted', 'Programmed'], busyReasons: ['Pending', 'AddressNotAssigned'] })],
  ['gateway.networking.k8s.io/GatewayClass', byConditions({ good: ['Accepted'], busyReasons: ['Pending', 'Waiting'] })],
  ['gateway.networking.k8s.io/HTTPRoute', route],
  ['gateway.networking.k8s.io/GRPCRoute', route],
  ['gateway.networking.k8s.io/TCPRoute', route],
  ['gateway.networking.k8s.io/TLSRoute', route],
  ['gateway.networking.k8s.io/UDPRoute', route],
  ['cluster.x-k8s.io/Cluster', clusterApi],
  ['cluster.x-k8s.io/Machine', clusterApi],
  ['cluster.x-k8s.io/MachineDeployment', clusterApi],
  ['cluster.x-k8s.io/MachinePool', clusterApi],
  ['cluster.x-k8s.io/MachineSet', clusterApi],
  ['controlplane.cluster.x-k8s.io/KubeadmControlPlane', clusterApi],
  ['monitoring.coreos.com/Alertmanager', prometheus],
  ['monitoring.coreos.com/Prometheus', prometheus],
  ['monitoring.coreos.com/ThanosRuler', prometheus],
  ['serving.knative.dev/Configuration', ready],
  ['serving.knative.dev/Revision', ready],
  ['serving.knative.dev/Route', ready],
  ['serving.knative.dev/Service', ready],
  ['tekton.dev/PipelineRun', tekton],
  ['tekton.dev/TaskRun', tekton],
]);

/** Settings of Crossplane and of its providers have no status to judge by. */
const CROSSPLANE_SETTINGS =
  /^(?:ProviderConfig(?:Usage)?|ClusterProviderConfig|StoreConfig|Composition|CompositionRevision|DeploymentRuntimeConfig|ControllerConfig|Usage)$/;

/** The rule for kinds that are known by their group alone; undefined for others. */
export function wellKnownRuleOfGroup(group: string, kind: string): Rule | undefined {
  const isCrossplane = group.endsWith('.crossplane.io') || group.endsWith('.upbound.io');
  return isCrossplane && !CROSSPLANE_SETTINGS.test(kind) ? crossplaneManaged : undefined;
}
