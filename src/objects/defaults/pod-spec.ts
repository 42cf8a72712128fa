import { isJsonObject } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { mapListAt, mapObjectAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from '../json-path.ts';

const POD_DEFAULTS: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const PROBE_DEFAULTS: JsonObject = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const FILE_MODE = 0o644;

/** A pod template gets what a Pod gets, but for what only a Pod of its own has. */
export function defaultPodTemplate(template: JsonObject): JsonObject {
  return { ...template, metadata: objectAt(template, 'metadata'), spec: defaultPodSpec(objectAt(template, 'spec')) };
}

export function defaultPodSpec(spec: JsonObject): JsonObject {
  let result = withDefaults(spec, POD_DEFAULTS);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) result = mapListAt(result, [list], defaultContainer);
  result = mapListAt(result, ['volumes'], defaultVolume);
  // The older name of the same field, kept in step.
  const account = textAt(result, 'serviceAccountName') || textAt(result, 'serviceAccount');
  if (account !== '') result = { ...result, serviceAccountName: account, serviceAccount: account };
  return result['hostNetwork'] === true ? mapListAt(result, ['containers'], defaultHostPorts) : result;
}

function defaultContainer(container: JsonObject): JsonObject {
  let result = withDefaults(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(textAt(container, 'image')),
  });
  result = mapListAt(result, ['ports'], (port) => withDefaults(port, { protocol: 'TCP' }));
  result = mapListAt(result, ['env'], (variable) => mapObjectAt(variable, ['valueFrom'], defaultFieldSource));
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) result = mapObjectAt(result, [probe], defaultProbe);
  for (const hook of ['postStart', 'preStop']) result = mapObjectAt(result, ['lifecycle', hook, 'httpGet'], defaultHttpGet);
  return result;
}

/** An image without a tag, or with the tag `latest`, may be another one tomorrow. */
export function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(probe: JsonObject): JsonObject {
  const result = mapObjectAt(withDefaults(probe, PROBE_DEFAULTS), ['httpGet'], defaultHttpGet);
  return mapObjectAt(result, ['grpc'], (grpc) => withDefaults(grpc, { service: '' }));
}

function defaultHttpGet(action: JsonObject): JsonObject {
  return withDefaults(action, { path: '/', scheme: 'HTTP' });
}

function defaultHostPorts(container: JsonObject): JsonObject {
  return mapListAt(container, ['ports'], (port) => {
    const { containerPort, hostPort } = port;
    return hostPort === undefined && containerPort !== undefined ? { ...port, hostPort: containerPort } : port;
  });
}

function defaultVolume(volume: JsonObject): JsonObject {
  const hasSource = Object.keys(volume).some((name) => name !== 'name');
  let result = hasSource ? volume : { ...volume, emptyDir: {} };
  for (const source of ['configMap', 'secret', 'downwardAPI', 'projected'])
    result = mapObjectAt(result, [source], (value) => withDefaults(value, { defaultMode: FILE_MODE }));
  result = mapListAt(result, ['downwardAPI', 'items'], defaultFieldSource);
  result = mapObjectAt(result, ['hostPath'], (path) => withDefaults(path, { type: '' }));
  result = mapListAt(result, ['projected', 'sources'], defaultProjection);
  const claim = valueAt(result, ['ephemeral', 'volumeClaimTemplate', 'spec']);
  if (!isJsonObject(claim)) return result;
  return withValueAt(result, ['ephemeral', 'volumeClaimTemplate', 'spec'], withDefaults(claim, { volumeMode: 'Filesystem' }));
}

function defaultProjection(source: JsonObject): JsonObject {
  const token = mapObjectAt(source, ['serviceAccountToken'], (value) => withDefaults(value, { expirationSeconds: 3_600 }));
  return mapListAt(token, ['downwardAPI', 'items'], defaultFieldSource);
}

/** A field of the pod, or an amount of one of its containers. */
function defaultFieldSource(source: JsonObject): JsonObject {
  const field = mapObjectAt(source, ['fieldRef'], (value) => withDefaults(value, { apiVersion: 'v1' }));
  return mapObjectAt(field, ['resourceFieldRef'], (value) => withDefaults(value, { divisor: '0' }));
}
