import { formatTime, listAt, textAt, valueAt, withValueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { annotate, annotation, isNotTrue, isTrue, readReplicas, removeAnnotations, set, stampAnnotation, unset } from './changes.ts';
import { ActionError } from './resource-action.ts';
import type { ActionInput, BuiltInAction } from './resource-action.ts';

const suspend: BuiltInAction = { name: 'suspend', isDisabled: isTrue('spec', 'suspend'), run: set(['spec', 'suspend'], true) };
const resume: BuiltInAction = { name: 'resume', isDisabled: isNotTrue('spec', 'suspend'), run: unset(['spec', 'suspend']) };

/** What Flux cannot be asked to do at once. */
export const fluxSwitchActions: readonly BuiltInAction[] = [suspend, resume];
export const fluxActions: readonly BuiltInAction[] = [
  {
    name: 'reconcile',
    isDisabled: isTrue('spec', 'suspend'),
    run: stampAnnotation('reconcile.fluxcd.io/requestedAt', (time) => `By Argo CD at: ${time.replace(/Z$/, '')}`),
  },
  suspend,
  resume,
];

export const mariaDbActions: readonly BuiltInAction[] = [
  {
    name: 'resume',
    displayName: 'Resume',
    iconClass: 'fa fa-fw fa-play',
    isOffered: isTrue('spec', 'suspend'),
    run: unset(['spec', 'suspend']),
  },
  {
    name: 'suspend',
    displayName: 'Suspend',
    iconClass: 'fa fa-fw fa-pause',
    isOffered: isNotTrue('spec', 'suspend'),
    run: set(['spec', 'suspend'], true),
  },
];

/** An interval of 0 means never, and then nothing would come of it. */
function isNever(object: JsonObject): boolean {
  const interval = valueAt(object, ['spec', 'refreshInterval']);
  return interval !== undefined && interval !== null && /^0(?:ns|us|µs|ms|s|m|h)?$/.test(textOf(interval));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const externalSecretActions: readonly BuiltInAction[] = [
  {
    name: 'refresh',
    isDisabled: (secret) => isNever(secret) && textAt(secret, 'spec', 'refreshPolicy') !== 'OnChange',
    run: stampAnnotation('force-sync'),
  },
];
export const pushSecretActions: readonly BuiltInAction[] = [{ name: 'push', isDisabled: isNever, run: stampAnnotation('force-sync') }];

const PAUSED = 'autoscaling.keda.sh/paused';
const PAUSED_REPLICAS = 'autoscaling.keda.sh/paused-replicas';
const [pauseIcon, playIcon] = ['fa fa-fw fa-pause-circle', 'fa fa-fw fa-play-circle'];
const isPaused = (object: JsonObject): boolean => annotation(object, PAUSED) === 'true';
const isHeld = (object: JsonObject): boolean => isPaused(object) || annotation(object, PAUSED_REPLICAS) !== undefined;

export const scaledJobActions: readonly BuiltInAction[] = [
  { name: 'pause', iconClass: pauseIcon, isDisabled: isPaused, run: annotate(PAUSED, 'true') },
  { name: 'resume', iconClass: playIcon, isDisabled: (object) => !isPaused(object), run: removeAnnotations(PAUSED) },
];
export const scaledObjectActions: readonly BuiltInAction[] = [
  { name: 'pause', iconClass: pauseIcon, isDisabled: isHeld, run: annotate(PAUSED, 'true') },
  {
    name: 'paused-replicas',
    iconClass: pauseIcon,
    params: ['replicas'],
    isDisabled: isPaused,
    run: (object, input) => annotate(PAUSED_REPLICAS, String(readReplicas(input)))(object, input),
  },
  {
    name: 'resume',
    iconClass: playIcon,
    isDisabled: (object) => !isHeld(object),
    run: removeAnnotations(PAUSED, PAUSED_REPLICAS),
  },
];

const LOOP = 'cnpg.io/reconciliationLoop';

function healthyInstances(cluster: JsonObject): readonly string[] {
  return listAt(cluster, 'status', 'instancesStatus', 'healthy').filter((name) => typeof name === 'string');
}

/** Makes another instance the primary one: one that is named, whole or by its number, or else the next that is well. */
function promote(cluster: JsonObject, { parameters, nowMs }: ActionInput): JsonObject {
  const wanted = parameters.get('instance') ?? '';
  const healthy = healthyInstances(cluster);
  const next = healthy[(healthy.indexOf(textAt(cluster, 'status', 'currentPrimary')) + 1) % Math.max(1, healthy.length)];
  const name = /^\d+$/.test(wanted) ? `${textAt(cluster, 'metadata', 'name')}-${wanted}` : wanted;
  const selected = wanted === 'any' ? next : healthy.find((one) => one === name);
  if (selected === undefined) throw new ActionError(`Could not find a healthy instance matching the criteria: ${wanted}`);
  const status = {
    targetPrimary: selected,
    targetPrimaryTimestamp: formatTime(nowMs),
    phase: 'Switchover in progress',
    phaseReason: `Switching over to ${selected}`,
  };
  return Object.entries(status).reduce((changed, [field, value]) => withValueAt(changed, ['status', field], value), cluster);
}

export const postgresActions: readonly BuiltInAction[] = [
  {
    name: 'restart',
    displayName: 'Rollout restart Cluster',
    iconClass: 'fa fa-fw fa-recycle',
    run: stampAnnotation('kubectl.kubernetes.io/restartedAt'),
  },
  {
    name: 'reload',
    displayName: 'Reload all Configuration',
    iconClass: 'fa fa-fw fa-rotate-right',
    run: stampAnnotation('cnpg.io/reloadedAt'),
  },
  {
    name: 'promote',
    displayName: 'Promote Replica to Primary',
    iconClass: 'fa fa-fw fa-angles-up',
    params: ['instance'],
    isDisabled: (cluster) => healthyInstances(cluster).length < 2,
    run: promote,
  },
  {
    name: 'resume',
    displayName: 'Resume Reconciliation',
    iconClass: 'fa fa-fw fa-play',
    isOffered: (cluster) => annotation(cluster, LOOP) === 'disabled',
    run: removeAnnotations(LOOP),
  },
  {
    name: 'suspend',
    displayName: 'Suspend Reconciliation',
    iconClass: 'fa fa-fw fa-pause',
    isOffered: (cluster) => annotation(cluster, LOOP) !== 'disabled',
    run: annotate(LOOP, 'disabled'),
  },
];

const ROLLING = 'strimzi.io/manual-rolling-update';
export const strimziActions: readonly BuiltInAction[] = [
  { name: 'rolling-update', isDisabled: (set) => annotation(set, ROLLING) === 'true', run: annotate(ROLLING, 'true') },
];

export const pullRequestActions: readonly BuiltInAction[] = [
  {
    name: 'merge',
    displayName: 'Merge PR',
    iconClass: 'fa fa-fw fa-code-merge',
    isDisabled: (request) => textAt(request, 'spec', 'state') !== 'open',
    run: set(['spec', 'state'], 'merged'),
  },
];

export const mongoDbActions: readonly BuiltInAction[] = [
  { name: 'pause', iconClass: pauseIcon, isDisabled: isTrue('spec', 'pause'), run: set(['spec', 'pause'], true) },
  { name: 'unpause', iconClass: playIcon, isDisabled: isNotTrue('spec', 'pause'), run: set(['spec', 'pause'], false) },
];
