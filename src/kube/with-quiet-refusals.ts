import { isStatusError, StatusError } from '../objects/index.ts';
import type { KubeApi, ResourceType } from './kube-api.ts';

/** What servers say by themselves of any object: its name, and who may not do what to it. */
const HARMLESS: readonly RegExp[] = [
  /^[a-z.]+ "[^"]*" (?:not found|already exists)$/,
  /^Operation cannot be fulfilled on secrets "[^"]*": (?:the object has been modified|Precondition failed|StorageError)/,
  /^secrets "[^"]*" is forbidden: User "[^"]*" cannot [a-z]+ resource "secrets" in API group ""/,
  /^secrets "[^"]*" is forbidden: (?:exceeded quota: |unable to create new content in namespace )/,
  /^admission webhook "[^"]*" does not support dry run$/,
];

/** A server that checks an object names the fields; of a patch that it cannot read it names not even the kind. */
const CHECKED = /^(?:Secret)? "[^"]*" is invalid: /;

/**
 * The same API, whose refusals to write a Secret quote nothing of it. What a server says of an object that it does not take may repeat all
 * of it, with its record of what was applied, and what admission says may be anything.
 */
export function withQuietRefusals(api: KubeApi): KubeApi {
  return {
    ...api,
    create: (type, object, options) => quietly(type, object.metadata, () => api.create(type, object, options)),
    update: (type, object, options) => quietly(type, object.metadata, () => api.update(type, object, options)),
    patch: (type, ref, patch, options) => quietly(type, ref, () => api.patch(type, ref, patch, options)),
    delete: (type, ref, options) => quietly(type, ref, () => api.delete(type, ref, options)),
  };
}

interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

async function quietly<Result>({ group, kind }: ResourceType, place: Place, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    const isTold = group !== '' || kind !== 'Secret' || !isStatusError(error) || HARMLESS.some((form) => form.test(error.message));
    throw isTold ? error : withoutQuotes(error, place);
  }
}

function withoutQuotes({ status, message, reason }: StatusError, { namespace = '', name = '' }: Place): StatusError {
  const { causes = [], ...details } = status.details ?? {};
  const fields = CHECKED.test(message) ? causes.flatMap(({ field }) => field ?? []) : [];
  const why = [reason || 'Unknown', ...(fields.length > 0 ? [fields.join(', ')] : [])].join(': ');
  return new StatusError({ ...status, message: `the cluster refuses the Secret ${namespace}/${name} (${why})`, details });
}
