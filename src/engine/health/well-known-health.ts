import type { JsonObject } from '../../objects/index.ts';
import { textAt } from '../../objects/index.ts';
import { clusterApiHealth } from './cluster-api-health.ts';
import { byConditions, byPhase } from './condition-rules.ts';
import { conditionsOf, health } from './condition.ts';
import { crossplaneHealth } from './crossplane-health.ts';
import { gatewayClassHealth, gatewayHealth, policyHealth, routeHealth } from './gateway-health.ts';
import { configConnectorHealth, groupRules, operatorRules } from './operator-health.ts';
import { platformRules } from './platform-health.ts';
import { rolloutHealth } from './rollout-health.ts';
import type { Health } from './health-status.ts';

type Rule = (object: JsonObject) => Health;

const ready = byConditions({ good: ['Ready'] });

/** Flux says apart that it has given up. What is not ready while it tries again has failed, too. */
const flux = byConditions({ good: ['Ready'], bad: ['Stalled'], suspended: ['spec', 'suspend'] });
const crossplanePackage = byConditions({ good: ['Healthy', 'Installed'], busyReasons: ['UnpackingPackage'] });
const prometheus = byConditions({ good: ['Available', 'Reconciled'], busyReasons: ['SomePodsNotReady'] });
const tekton = byConditions({ good: ['Succeeded'] });
const scaledObject = byConditions({ good: ['Ready'], bad: ['Fallback'], paused: ['Paused'] });
const scaledJob = byConditions({ good: ['Ready'], paused: ['Paused'], isUnknownBad: true });

/** Repositories of charts in registries are not asked for anything, and say nothing. */
const helmRepository: Rule = (object) => (textAt(object, 'spec', 'type') === 'oci' ? health('Healthy') : flux(object));

/** The last condition is how it is now; the others are how it was. */
const lastCondition: Rule = (object) => {
  const last = conditionsOf(object).at(-1);
  if (last?.status !== 'True') return health('Progressing', 'Waiting for Ready');
  return health(last.type === 'Ready' ? 'Healthy' : 'Degraded', last.message);
};

const analysis = byPhase(['status', 'phase'], {
  Successful: 'Healthy',
  Failed: 'Degraded',
  Error: 'Degraded',
  Inconclusive: 'Unknown',
});

/** Kinds of other projects, judged by what those projects document of their status. */
export const wellKnownRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...operatorRules,
  ...platformRules,
  ['argoproj.io/Rollout', rolloutHealth],
  ['argoproj.io/AnalysisRun', analysis],
  ['argoproj.io/Experiment', analysis],
  ['cert-manager.io/Certificate', byConditions({ good: ['Ready'], busy: ['Issuing'], busyReasons: ['DoesNotExist', 'Issuing'] })],
  ['cert-manager.io/Issuer', ready],
  ['cert-manager.io/ClusterIssuer', ready],
  ['external-secrets.io/ExternalSecret', ready],
  ['external-secrets.io/ClusterExternalSecret', lastCondition],
  ['external-secrets.io/SecretStore', ready],
  ['external-secrets.io/ClusterSecretStore', ready],
  ['external-secrets.io/PushSecret', ready],
  ['bitnami.com/SealedSecret', byConditions({ good: ['Synced'] })],
  ['helm.toolkit.fluxcd.io/HelmRelease', flux],
  ['kustomize.toolkit.fluxcd.io/Kustomization', flux],
  ['source.toolkit.fluxcd.io/Bucket', flux],
  ['source.toolkit.fluxcd.io/GitRepository', flux],
  ['source.toolkit.fluxcd.io/HelmChart', flux],
  ['source.toolkit.fluxcd.io/HelmRepository', helmRepository],
  ['source.toolkit.fluxcd.io/OCIRepository', flux],
  ['image.toolkit.fluxcd.io/ImagePolicy', flux],
  ['image.toolkit.fluxcd.io/ImageRepository', flux],
  ['image.toolkit.fluxcd.io/ImageUpdateAutomation', flux],
  ['notification.toolkit.fluxcd.io/Receiver', flux],
  ['pkg.crossplane.io/Configuration', crossplanePackage],
  ['pkg.crossplane.io/Function', crossplanePackage],
  ['pkg.crossplane.io/Provider', crossplanePackage],
  ['apiextensions.crossplane.io/CompositeResourceDefinition', byConditions({ good: ['Established'] })],
  ['keda.sh/ScaledObject', scaledObject],
  ['keda.sh/ScaledJob', scaledJob],
  ['gateway.networking.k8s.io/Gateway', gatewayHealth],
  ['gateway.networking.k8s.io/GatewayClass', gatewayClassHealth],
  ['gateway.networking.k8s.io/BackendTLSPolicy', policyHealth],
  ['gateway.networking.k8s.io/HTTPRoute', routeHealth],
  ['gateway.networking.k8s.io/GRPCRoute', routeHealth],
  ['gateway.networking.k8s.io/TCPRoute', routeHealth],
  ['gateway.networking.k8s.io/TLSRoute', routeHealth],
  ['gateway.networking.k8s.io/UDPRoute', routeHealth],
  ['cluster.x-k8s.io/Cluster', clusterApiHealth],
  ['cluster.x-k8s.io/Machine', clusterApiHealth],
  ['cluster.x-k8s.io/MachineDeployment', clusterApiHealth],
  ['cluster.x-k8s.io/MachinePool', clusterApiHealth],
  ['cluster.x-k8s.io/MachineSet', clusterApiHealth],
  ['controlplane.cluster.x-k8s.io/KubeadmControlPlane', clusterApiHealth],
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

/** The rule for kinds that are known by their group alone; undefined for others. */
export function wellKnownRuleOfGroup(group: string): Rule | undefined {
  if (group.endsWith('.crossplane.io') || group.endsWith('.upbound.io')) return crossplaneHealth;
  if (group.endsWith('.cnrm.cloud.google.com')) return configConnectorHealth;
  return groupRules.get(group);
}
