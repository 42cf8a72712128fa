import type { JsonObject } from '../../objects/index.ts';
import type { KindRules } from '../kinds/kind.ts';
import { objectAt, textAt, valueAt, withDefaults, withValueAt } from '../json-path.ts';

type Defaults = Pick<KindRules, 'prepareCreate' | 'prepareUpdate'>;

const UID_LABELS = ['batch.kubernetes.io/controller-uid', 'controller-uid'];
const NAME_LABELS = ['batch.kubernetes.io/job-name', 'job-name'];
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const deployment: Defaults = {
  prepareCreate: withStatus({}),
};

export const replicaSet: Defaults = {
  prepareCreate: withStatus({ replicas: 0 }),
};

export const replicationController: Defaults = {
  prepareCreate: withStatus({ replicas: 0 }),
};

export const statefulSet: Defaults = {
  prepareCreate: withStatus({ replicas: 0, availableReplicas: 0 }),
};

export const daemonSet: Defaults = {
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
  prepareCreate: (object) => {
    const { uid, name } = { uid: textAt(object, 'metadata', 'uid'), name: textAt(object, 'metadata', 'name') };
    const isManual = valueAt(object, ['spec', 'manualSelector']) === true;
    return { ...(isManual ? object : selectByUid(object, uid, name)), status: {} };
  },
};

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
  prepareCreate: withStatus({}),
};

export const pod: Defaults = {
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

function withStatus(status: JsonObject): NonNullable<Defaults['prepareCreate']> {
  return (object) => ({ ...object, status });
}
