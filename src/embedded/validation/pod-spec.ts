import { invalidValue, requiredValue, validateDns1123Label } from '../../objects/index.ts';
import type { FieldError, JsonObject, JsonValue } from '../../objects/index.ts';
import { listAt, numberAt, textAt } from '../json-path.ts';

const PORT_MAX = 65_535;

export function validatePodSpec(spec: JsonObject, path: string): readonly FieldError[] {
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) return [requiredValue(`${path}.containers`)];
  return [
    ...validateContainers(listAt(spec, 'initContainers'), `${path}.initContainers`),
    ...validateContainers(containers, `${path}.containers`),
    ...validateChoice(spec, path, 'restartPolicy', ['Always', 'OnFailure', 'Never']),
    ...validateChoice(spec, path, 'dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  ];
}

function validateContainers(containers: readonly JsonValue[], path: string): readonly FieldError[] {
  const names = containers.map((container) => textAt(container, 'name'));
  return containers.flatMap((container, index) => [
    ...(names[index] === ''
      ? [requiredValue(`${path}[${index}].name`)]
      : validateContainerName(names[index] ?? '', `${path}[${index}].name`)),
    ...(names[index] !== '' && names.indexOf(names[index] ?? '') !== index
      ? [duplicate(`${path}[${index}].name`, names[index] ?? '')]
      : []),
    ...(textAt(container, 'image') === '' ? [requiredValue(`${path}[${index}].image`)] : []),
    ...validateChoice(container, `${path}[${index}]`, 'terminationMessagePolicy', ['File', 'FallbackToLogsOnError']),
    ...validateChoice(container, `${path}[${index}]`, 'imagePullPolicy', ['Always', 'IfNotPresent', 'Never']),
    ...listAt(container, 'ports').flatMap((port, portIndex) =>
      validateContainerPort(port, `${path}[${index}].ports[${portIndex}].containerPort`),
    ),
  ]);
}

function validateContainerName(name: string, path: string): readonly FieldError[] {
  return validateDns1123Label(name).map((sentence) => invalidValue(path, name, sentence));
}

/** What a container mounts must be one of the volumes. */
export function validateMounts(spec: JsonObject, path: string): readonly FieldError[] {
  const volumes = new Set(listAt(spec, 'volumes').map((volume) => textAt(volume, 'name')));
  return ['initContainers', 'containers'].flatMap((list) =>
    listAt(spec, list).flatMap((container, index) =>
      listAt(container, 'volumeMounts').flatMap((mount, place) =>
        volumes.has(textAt(mount, 'name'))
          ? []
          : [notFound(`${path}.${list}[${index}].volumeMounts[${place}].name`, textAt(mount, 'name'))],
      ),
    ),
  );
}

function notFound(field: string, value: string): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${JSON.stringify(value)}` };
}

export function unsupported(field: string, value: JsonValue, choices: readonly string[]): FieldError {
  const supported = choices.map((text) => JSON.stringify(text)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
  };
}

function validateChoice(value: JsonValue, path: string, name: string, choices: readonly string[]): readonly FieldError[] {
  const choice = textAt(value, name);
  if (choice === '' || choices.includes(choice)) return [];
  return [unsupported(`${path}.${name}`, choice, choices)];
}

function validateContainerPort(port: JsonValue, path: string): readonly FieldError[] {
  const number = numberAt(port, 'containerPort') ?? 0;
  return number === 0 ? [requiredValue(path)] : validatePort(number, path);
}

export function validatePort(number: number, path: string): readonly FieldError[] {
  if (number >= 1 && number <= PORT_MAX) return [];
  return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${number}: must be between 1 and ${PORT_MAX}, inclusive` }];
}

export function duplicate(field: string, value: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${JSON.stringify(value)}` };
}
