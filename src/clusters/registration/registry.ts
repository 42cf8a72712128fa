import { ApiError, Code } from '../../base/index.ts';
import { checkServer, type KubeApi, type ResourceType } from '../../kube/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { Settings } from '../../settings/index.ts';
import { formatRegistration, type RegistrationEntry } from './format-registration.ts';
import { managedByAnnotation, managedByValue, secretTypeLabel, type Registration } from './registration.ts';
import { clusterSecretName } from './secret-name.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
/** How often a change starts over because somebody else changed the Secret meanwhile. */
const CONFLICTS_MAX = 5;

export interface RegistryOptions {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
}

/** Writes registrations. The settings, and with them the clusters, show a write when it returns. Refusals are StatusErrors. */
export interface Registry {
  create(entry: RegistrationEntry, signal?: AbortSignal): Promise<void>;
  /** Replaces all that is registered; makes the Secret of a cluster that has none. */
  update(registration: Registration, entry: RegistrationEntry, signal?: AbortSignal): Promise<void>;
  /** Deletes the Secret, or takes the label off one that was not made here. */
  remove(registration: Registration, signal?: AbortSignal): Promise<void>;
}

export function createRegistry({ home, namespace, settings }: RegistryOptions): Registry {
  async function create(entry: RegistrationEntry, signal: AbortSignal | undefined): Promise<void> {
    checkServer(entry.server);
    const name = clusterSecretName(entry.server);
    try {
      const written = await home.create(SECRET, formatRegistration(entry, { metadata: { name, namespace } }), options(signal));
      settings.noticeWrite(written);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error;
      throw new ApiError(Code.AlreadyExists, `cluster ${JSON.stringify(entry.server)} already exists`);
    }
  }

  async function replace(name: string, entry: RegistrationEntry, signal: AbortSignal | undefined): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const secret = await home.get(SECRET, { namespace, name }, options(signal));
      const type = typeof secret['type'] === 'string' ? { type: secret['type'] } : {};
      try {
        settings.noticeWrite(await home.update(SECRET, formatRegistration(entry, { metadata: secret.metadata, ...type }), options(signal)));
        return;
      } catch (error) {
        if (attempt >= CONFLICTS_MAX || !isStatusError(error, 'Conflict')) throw error;
      }
    }
  }

  async function remove(name: string, signal: AbortSignal | undefined): Promise<void> {
    const secret = await home.get(SECRET, { namespace, name }, options(signal));
    const { uid, annotations = {} } = secret.metadata;
    if (annotations[managedByAnnotation] === managedByValue) {
      await home.delete(SECRET, { namespace, name }, { ...(uid !== undefined && { preconditions: { uid } }), ...options(signal) });
      settings.noticeDelete(secret);
      return;
    }
    const body = { metadata: { labels: { [secretTypeLabel]: null } } };
    settings.noticeWrite(await home.patch(SECRET, { namespace, name }, { type: 'merge', body }, options(signal)));
  }

  return {
    create,
    update: ({ secretName }, entry, signal) => (secretName === undefined ? create(entry, signal) : replace(secretName, entry, signal)),
    async remove({ server, secretName }, signal) {
      if (secretName === undefined) throw new ApiError(Code.NotFound, `cluster ${JSON.stringify(server)} not found`);
      await remove(secretName, signal);
    },
  };
}

function options(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
