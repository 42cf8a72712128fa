import type { JsonObject } from '../json-value.ts';
import { mapListAt, mapObjectAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from '../json-path.ts';
import { defaultPodSpec, defaultPodTemplate } from './pod-spec.ts';
import type { SetDefaults } from './set-defaults.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const deployment: SetDefaults = (object) =>
  mapSpec(object, (spec) => {
    const strategy = withDefaults(objectAt(spec, 'strategy'), { type: 'RollingUpdate' });
    const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
    return {
      ...withDefaults(withTemplate(spec), { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
      strategy: strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
    };
  });

export const replicaSet: SetDefaults = (object) => mapSpec(object, (spec) => withDefaults(withTemplate(spec), { replicas: 1 }));

export const replicationController: SetDefaults = (object) => {
  const labels = valueAt(object, ['spec', 'template', 'metadata', 'labels']);
  const withSelector = mapSpec(object, (spec) =>
    withDefaults(withTemplate(spec), { replicas: 1, ...(labels !== undefined && { selector: labels }) }),
  );
  return labels === undefined || valueAt(object, ['metadata', 'labels']) !== undefined
    ? withSelector
    : withValueAt(withSelector, ['metadata', 'labels'], labels);
};

export const statefulSet: SetDefaults = (object) =>
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
  });

export const daemonSet: SetDefaults = (object) => {
  const counted = textAt(object, 'metadata', 'annotations', TEMPLATE_GENERATION) === '' ? withTemplateGeneration(object, '1') : object;
  return mapSpec(counted, (spec) => {
    const strategy = withDefaults(objectAt(spec, 'updateStrategy'), { type: 'RollingUpdate' });
    const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
    return {
      ...withDefaults(withTemplate(spec), { revisionHistoryLimit: 10 }),
      updateStrategy: strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
    };
  });
};

export const job: SetDefaults = (object) => mapSpec(object, defaultJobSpec);

export const cronJob: SetDefaults = (object) =>
  mapSpec(object, (spec) => {
    const jobSpec = defaultFailurePolicy(objectAt(spec, 'jobTemplate', 'spec'));
    const template = {
      metadata: {},
      ...objectAt(spec, 'jobTemplate'),
      spec: { ...jobSpec, template: defaultPodTemplate(objectAt(jobSpec, 'template')) },
    };
    return {
      ...withDefaults(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
      jobTemplate: template,
    };
  });

export const podTemplate: SetDefaults = (object) => mapObjectAt(object, ['template'], defaultPodTemplate);

export const pod: SetDefaults = (object) =>
  mapSpec(object, (spec) => mapPodContainers(withDefaults(defaultPodSpec(spec), { enableServiceLinks: true })));

function defaultClaimTemplate(claim: JsonObject): JsonObject {
  const spec = withDefaults(objectAt(claim, 'spec'), { volumeMode: 'Filesystem' });
  return { ...withDefaults(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } }), spec };
}

function defaultFailurePolicy(spec: JsonObject): JsonObject {
  return mapListAt(spec, ['podFailurePolicy', 'rules'], (rule) =>
    mapListAt(rule, ['onPodConditions'], (pattern) => withDefaults(pattern, { status: 'True' })),
  );
}

function defaultJobSpec(spec: JsonObject): JsonObject {
  const hasNeither = spec['completions'] === undefined && spec['parallelism'] === undefined;
  const hasFailurePolicy = spec['podFailurePolicy'] !== undefined;
  const policed = defaultFailurePolicy(spec);
  const { template } = policed;
  return withDefaults(template === undefined ? policed : { ...policed, template: defaultPodTemplate(objectAt(policed, 'template')) }, {
    ...(hasNeither && { completions: 1 }),
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: hasFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
  });
}

/** In a Pod, though not in a template, a limit is a request where none is given. */
function mapPodContainers(spec: JsonObject): JsonObject {
  const complete = (container: JsonObject): JsonObject => {
    const limits = objectAt(container, 'resources', 'limits');
    if (Object.keys(limits).length === 0) return container;
    return withValueAt(container, ['resources', 'requests'], { ...limits, ...objectAt(container, 'resources', 'requests') });
  };
  return mapListAt(mapListAt(spec, ['initContainers'], complete), ['containers'], complete);
}

function mapSpec(object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  return { ...object, spec: change(objectAt(object, 'spec')) };
}

function withTemplate(spec: JsonObject): JsonObject {
  return { ...spec, template: defaultPodTemplate(objectAt(spec, 'template')) };
}

function withTemplateGeneration(object: JsonObject, generation: string): JsonObject {
  return withValueAt(object, ['metadata', 'annotations', TEMPLATE_GENERATION], generation);
}
