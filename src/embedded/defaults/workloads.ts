import type { JsonObject } from '../../objects/index.ts';
import type { KindRules } from '../kinds/kind.ts';
import { mapListAt, mapObjectAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from '../json-path.ts';
import { defaultPodSpec, defaultPodTemplate } from './pod-spec.ts';

type Defaults = Pick<KindRules, 'setDefaults' | 'prepareCreate' | 'prepareUpdate'>;

const UID_LABELS = ['batch.kubernetes.io/controller-uid', 'controller-uid'];
const NAME_LABELS = ['batch.kubernetes.io/job-name', 'job-name'];
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const deployment: Defaults = {
  setDefaults: (object) =>
    mapSpec(object, (spec) => {
      const strategy = withDefaults(objectAt(spec, 'strategy'), { type: 'RollingUpdate' });
      const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
      return {
        ...withDefaults(withTemplate(spec), { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
        strategy: strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
      };
    }),
  prepareCreate: withStatus({}),
};

export const replicaSet: Defaults = {
  setDefaults: (object) => mapSpec(object, (spec) => withDefaults(withTemplate(spec), { replicas: 1 })),
  prepareCreate: withStatus({ replicas: 0 }),
};

export const replicationController: Defaults = {
  setDefaults: (object) => {
    const labels = valueAt(object, ['spec', 'template', 'metadata', 'labels']);
    const withSelector = mapSpec(object, (spec) =>
      withDefaults(withTemplate(spec), { replicas: 1, ...(labels !== undefined && { selector: labels }) }),
    );
    return labels === undefined || valueAt(object, ['metadata', 'labels']) !== undefined
      ? withSelector
      : withValueAt(withSelector, ['metadata', 'labels'], labels);
  },
  prepareCreate: withStatus({ replicas: 0 }),
};

export const statefulSet: Defaults = {
  setDefaults: (object) =>
    mapSpec(object, (spec) => {
      const strategy = withDefaults(objectAt(spec, 'updateStrategy'), { type: 'RollingUpdate' });
      const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { partition: 0 });
      const result = withDefaults(withTemplate(spec), {
        replicas: 1,
        serviceName: '',
        podManagementPolicy: 'OrderedReady',
        revisionHistoryLimit: 10,
      });
      const retention = withDefaults(objectAt(spec, 'persistentVolumeClaimRetentionPolicy'), {
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
      });
      return {
        ...mapListAt(result, ['volumeClaimTemplates'], defaultClaimTemplate),
        updateStrategy: strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
        persistentVolumeClaimRetentionPolicy: retention,
      };
    }),
  prepareCreate: withStatus({ replicas: 0, availableReplicas: 0 }),
};

function defaultClaimTemplate(claim: JsonObject): JsonObject {
  const spec = withDefaults(objectAt(claim, 'spec'), { volumeMode: 'Filesystem' });
  return { ...withDefaults(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } }), spec };
}

export const daemonSet: Defaults = {
  setDefaults: (object) => {
    const counted = textAt(object, 'metadata', 'annotations', TEMPLATE_GENERATION) === '' ? withTemplateGeneration(object, '1') : object;
    return mapSpec(counted, (spec) => {
      const strategy = withDefaults(objectAt(spec, 'updateStrategy'), { type: 'RollingUpdate' });
      const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
      return {
        ...withDefaults(withTemplate(spec), { revisionHistoryLimit: 10 }),
        updateStrategy: strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
      };
    });
  },
  prepareCreate: withStatus({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  prepareUpdate: (object, before) => {
    const old = textAt(before, 'metadata', 'annotations', TEMPLATE_GENERATION);
    if (old === '') return object;
    const isSame = JSON.stringify(valueAt(object, ['spec', 'template'])) === JSON.stringify(valueAt(before, ['spec', 'template']));
    return withTemplateGeneration(object, isSame ? old : String(Number(old) + 1));
  },
};

function withTemplateGeneration(object: JsonObject, generation: string): JsonObject {
  return withValueAt(object, ['metadata', 'annotations', TEMPLATE_GENERATION], generation);
}

export const job: Defaults = {
  setDefaults: (object) => mapSpec(object, defaultJobSpec),
  prepareCreate: (object) => {
    const { uid, name } = { uid: textAt(object, 'metadata', 'uid'), name: textAt(object, 'metadata', 'name') };
    const isManual = valueAt(object, ['spec', 'manualSelector']) === true;
    return { ...(isManual ? object : selectByUid(object, uid, name)), status: {} };
  },
};

function defaultJobSpec(spec: JsonObject): JsonObject {
  const hasNeither = spec['completions'] === undefined && spec['parallelism'] === undefined;
  const hasFailurePolicy = spec['podFailurePolicy'] !== undefined;
  const { template } = spec;
  return withDefaults(template === undefined ? spec : { ...spec, template: defaultPodTemplate(objectAt(spec, 'template')) }, {
    ...(hasNeither && { completions: 1 }),
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: hasFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
  });
}

/** A Job finds its pods by its own uid unless told otherwise. */
function selectByUid(object: JsonObject, uid: string, name: string): JsonObject {
  const labels: JsonObject = {
    ...Object.fromEntries(UID_LABELS.map((label) => [label, uid])),
    ...Object.fromEntries(NAME_LABELS.map((label) => [label, name])),
  };
  const inTemplate = { ...objectAt(object, 'spec', 'template', 'metadata', 'labels'), ...labels };
  const withTemplateLabels = withValueAt(object, ['spec', 'template', 'metadata', 'labels'], inTemplate);
  const withOwnLabels = withValueAt(withTemplateLabels, ['metadata', 'labels'], { ...labels, ...objectAt(object, 'metadata', 'labels') });
  return withValueAt(withOwnLabels, ['spec', 'selector'], { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
}

export const cronJob: Defaults = {
  setDefaults: (object) =>
    mapSpec(object, (spec) => {
      const jobSpec = objectAt(spec, 'jobTemplate', 'spec');
      const template = {
        metadata: {},
        ...objectAt(spec, 'jobTemplate'),
        spec: { ...jobSpec, template: defaultPodTemplate(objectAt(jobSpec, 'template')) },
      };
      return {
        ...withDefaults(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
        jobTemplate: template,
      };
    }),
  prepareCreate: withStatus({}),
};

export const podTemplate: Defaults = { setDefaults: (object) => mapObjectAt(object, ['template'], defaultPodTemplate) };

export const pod: Defaults = {
  setDefaults: (object) => mapSpec(object, (spec) => mapPodContainers(withDefaults(defaultPodSpec(spec), { enableServiceLinks: true }))),
  // What the admission plugins of every cluster add: a priority and how long to wait for a lost node.
  prepareCreate: (object) => ({
    ...mapSpec(object, (spec) =>
      withDefaults(spec, {
        serviceAccountName: 'default',
        serviceAccount: 'default',
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: ['not-ready', 'unreachable'].map((key) => ({
          key: `node.kubernetes.io/${key}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
      }),
    ),
    status: { phase: 'Pending', qosClass: qosClassOf(object) },
  }),
};

/** In a Pod, though not in a template, a limit is a request where none is given. */
function mapPodContainers(spec: JsonObject): JsonObject {
  const complete = (container: JsonObject): JsonObject => {
    const limits = objectAt(container, 'resources', 'limits');
    if (Object.keys(limits).length === 0) return container;
    return withValueAt(container, ['resources', 'requests'], { ...limits, ...objectAt(container, 'resources', 'requests') });
  };
  return mapListAt(mapListAt(spec, ['initContainers'], complete), ['containers'], complete);
}

function qosClassOf(object: JsonObject): string {
  const containers = ['containers', 'initContainers'].flatMap((list) => (valueAt(object, ['spec', list]) ?? []) as readonly JsonObject[]);
  const resources = containers.map((container) => ({
    limits: objectAt(container, 'resources', 'limits'),
    requests: objectAt(container, 'resources', 'requests'),
  }));
  const names = ['cpu', 'memory'];
  if (resources.every(({ limits, requests }) => names.every((name) => limits[name] === undefined && requests[name] === undefined)))
    return 'BestEffort';
  const isGuaranteed = resources.every(({ limits, requests }) =>
    names.every((name) => limits[name] !== undefined && limits[name] === requests[name]),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function mapSpec(object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  return { ...object, spec: change(objectAt(object, 'spec')) };
}

function withTemplate(spec: JsonObject): JsonObject {
  return { ...spec, template: defaultPodTemplate(objectAt(spec, 'template')) };
}

function withStatus(status: JsonObject): NonNullable<Defaults['prepareCreate']> {
  return (object) => ({ ...object, status });
}
