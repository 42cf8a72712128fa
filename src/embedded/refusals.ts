import { describeFieldErrors, formatApiVersion, StatusError, statusError } from '../objects/index.ts';
import type { FieldError, JsonValue, StatusDetails } from '../objects/index.ts';
import type { ResourceType } from '../kube/index.ts';

// The refusals of an API server, in its own words: clients match on them.

type Resource = Pick<ResourceType, 'group' | 'plural'>;

export function resourceNotServed(): StatusError {
  return statusError('NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  return statusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

export function objectNotFound(type: Resource, name: string): StatusError {
  return statusError('NotFound', `${qualified(type)} "${name}" not found`, details(type.group, type.plural, name));
}

export function objectExists(type: Resource, name: string): StatusError {
  return statusError('AlreadyExists', `${qualified(type)} "${name}" already exists`, details(type.group, type.plural, name));
}

/** The name is taken by an object that is on its way out. */
export function objectBeingDeleted(type: Resource, name: string): StatusError {
  const text = `object is being deleted: ${qualified(type)} "${name}" already exists`;
  return statusError('AlreadyExists', text, details(type.group, type.plural, name));
}

export function nameGenerationFailed(type: Resource, name: string): StatusError {
  const text = `${qualified(type)} "${name}" already exists, the server was not able to generate a unique name for the object`;
  return statusError('AlreadyExists', text, details(type.group, type.plural, name));
}

export function objectModified(type: Resource, name: string): StatusError {
  return operationConflict(type, name, 'the object has been modified; please apply your changes to the latest version and try again');
}

export function operationConflict(type: Resource, name: string, text: string): StatusError {
  return statusError(
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${text}`,
    details(type.group, type.plural, name),
  );
}

/** Preconditions of a delete are refused with the kind where other conflicts name the resource. */
export function preconditionConflict({ group, kind }: ResourceType, name: string, text: string): StatusError {
  return operationConflict({ group, plural: kind }, name, text);
}

export function objectForbidden(type: Resource, name: string, text: string, causes?: StatusDetails['causes']): StatusError {
  const named = name === '' ? '' : ` "${name}"`;
  return statusError('Forbidden', `${qualified(type)}${named} is forbidden: ${text}`, {
    ...details(type.group, type.plural, name),
    ...(causes && { causes }),
  });
}

export function objectInvalid({ group, kind }: { group: string; kind: string }, name: string, errors: readonly FieldError[]): StatusError {
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const text = `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${describeFieldErrors(errors)}`;
  return statusError('Invalid', text, { ...details(group, kind, name), causes });
}

export function cannotDecode(type: ResourceType, text: string): StatusError {
  return statusError('BadRequest', `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${text}`);
}

/** What was sent is of another version or kind, or says neither in a text. */
export function wrongKind(type: ResourceType, givenVersion: JsonValue, givenKind: JsonValue): StatusError {
  const [apiVersion, kind] = [givenVersion, givenKind].map((given) => (typeof given === 'string' ? given : JSON.stringify(given)));
  const expected = formatApiVersion(type);
  if (apiVersion !== expected)
    return statusError('BadRequest', `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
  // The names of Go packages: a group's is mostly the first part of its name.
  const conversion = `converting (${type.version}.${kind}) to (${type.group === '' ? 'core' : type.group.split('.')[0]}.${type.kind})`;
  const text = `${kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${conversion}: unknown conversion`;
  return statusError('BadRequest', text);
}

/** What the API server fails with and gives no reason for. */
export function unclassifiedError(message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** The words for a watch or list from a version whose history is gone. */
export function versionTooOld(version: number, oldest: number): StatusError {
  return statusError('Expired', `too old resource version: ${version} (${oldest})`);
}

export function versionTooLarge(version: number, current: number): StatusError {
  return statusError('Timeout', `Timeout: Too large resource version: ${version}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function qualified({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function details(group: string, kind: string, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), ...(kind !== '' && { kind }) };
}
