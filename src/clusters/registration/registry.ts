import { ApiError, Code } from '../../base/index.ts';
import { checkServer, type KubeApi, type ResourceType } from '../../kube/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { Settings } from '../../settings/index.ts';
import { formatRegistration, type RegistrationEntry } from './format-registration.ts';
import { managedByAnnotation, managedByValue, refreshAnnotation, secretTypeLabel, type Registration } from './registration.ts';
import { clusterSecretName } from './secret-name.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

export interface RegistryOptions {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
}

/** Writes registrations. The settings, and with them the clusters, show a write when it returns. Refusals are StatusErrors. */
export interface Registry {
  create(entry: RegistrationEntry, signal?: AbortSignal): Promise<void>;
  /**
   * Replaces all that is registered; makes the Secret of a cluster that has none. Throws Aborted where the Secret is not the one any more
   * that the registration was read from: the entry may have old credentials, and whoever asked was allowed to change what was known then.
   */
  update(registration: Registration, entry: RegistrationEntry, signal?: AbortSignal): Promise<void>;
  /** Has the cluster read anew by whoever reads it, and changes nothing else. The cluster has a Secret. */
  requestRefresh(registration: Registration, requestedAt: string, signal?: AbortSignal): Promise<void>;
  /** Deletes the Secret, or takes the label off one that was not made here. Throws Aborted as an update does. */
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

  async function replace(name: string, known: Registration, entry: RegistrationEntry, signal: AbortSignal | undefined): Promise<void> {
    const secret = await home.get(SECRET, { namespace, name }, options(signal));
    if (secret.metadata.resourceVersion !== known.resourceVersion) throw changedMeanwhile(known);
    const type = typeof secret['type'] === 'string' ? { type: secret['type'] } : {};
    try {
      settings.noticeWrite(await home.update(SECRET, formatRegistration(entry, { metadata: secret.metadata, ...type }), options(signal)));
    } catch (error) {
      throw isStatusError(error, 'Conflict') ? changedMeanwhile(known) : error;
    }
  }

  async function remove(name: string, known: Registration, signal: AbortSignal | undefined): Promise<void> {
    const { resourceVersion } = known;
    const secret = await home.get(SECRET, { namespace, name }, options(signal));
    const { uid, annotations = {} } = secret.metadata;
    if (secret.metadata.resourceVersion !== resourceVersion) throw changedMeanwhile(known);
    try {
      if (annotations[managedByAnnotation] === managedByValue) {
        const preconditions = { ...(uid !== undefined && { uid }), resourceVersion };
        await home.delete(SECRET, { namespace, name }, { preconditions, ...options(signal) });
        settings.noticeDelete(secret);
        return;
      }
      const body = { metadata: { resourceVersion, labels: { [secretTypeLabel]: null } } };
      settings.noticeWrite(await home.patch(SECRET, { namespace, name }, { type: 'merge', body }, options(signal)));
    } catch (error) {
      throw isStatusError(error, 'Conflict') ? changedMeanwhile(known) : error;
    }
  }

  return {
    create,
    async update(registration, entry, signal) {
      const { secretName } = registration;
      await (secretName === undefined ? create(entry, signal) : replace(secretName, registration, entry, signal));
    },
    async requestRefresh({ server, secretName: name }, requestedAt, signal) {
      if (name === undefined) throw notFound(server);
      const body = { metadata: { annotations: { [refreshAnnotation]: requestedAt } } };
      settings.noticeWrite(await home.patch(SECRET, { namespace, name }, { type: 'merge', body }, options(signal)));
    },
    async remove(registration, signal) {
      const { server, secretName } = registration;
      if (secretName === undefined) throw notFound(server);
      await remove(secretName, registration, signal);
    },
  };
}

function notFound(server: string): ApiError {
  return new ApiError(Code.NotFound, `cluster ${JSON.stringify(server)} not found`);
}

function changedMeanwhile({ server }: Registration): ApiError {
  return new ApiError(Code.Aborted, `cluster ${JSON.stringify(server)} was changed meanwhile, please try again`);
}

function options(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
