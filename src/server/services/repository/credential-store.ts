import { ApiError, Code } from '../../../base/index.ts';
import type { KubeApi, ResourceType } from '../../../kube/index.ts';
import { isJsonObject, isStatusError, type JsonObject, type KubeObject } from '../../../objects/index.ts';
import type { LabelledSecret, LabelledSecretType, Settings } from '../../../settings/index.ts';
import { withHomeErrors } from '../../home-errors.ts';
import { encodeFields, type CredentialField, type FieldValues } from './credential-fields.ts';
import { credentialSecretName, type CredentialSecretType } from './credential-secret-name.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const TYPE_LABEL = 'argocd.argoproj.io/secret-type';
const MANAGED_BY = { 'managed-by': 'argocd.argoproj.io' } as const;

export interface CredentialStoreOptions {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
  readonly type: CredentialSecretType;
  readonly fields: readonly CredentialField[];
}

/** Repositories, or templates, as labelled Secrets. The settings show a write when it returns. */
export interface CredentialStore {
  list(): readonly LabelledSecret[];
  create(url: string, project: string, values: FieldValues, signal: AbortSignal): Promise<void>;
  /** Throws Aborted where the Secret was changed since it was known like this: the values may be made from it, secrets and all. */
  update(secret: LabelledSecret, values: FieldValues, signal: AbortSignal): Promise<void>;
  /**
   * Deletes the Secret, or takes the label off one that was not made here. Throws Aborted where it was changed since it was known like
   * this: whoever asked was allowed to remove what was known then.
   */
  remove(secret: LabelledSecret, signal: AbortSignal): Promise<void>;
}

export function createCredentialStore({ home, namespace, settings, type, fields }: CredentialStoreOptions): CredentialStore {
  async function create(name: string, values: FieldValues, signal: AbortSignal): Promise<void> {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels: { [TYPE_LABEL]: type }, annotations: MANAGED_BY },
      type: 'Opaque',
      data: encodeData(encodeFields(fields, values)),
    };
    try {
      settings.noticeWrite(await home.create(SECRET, secret, { signal }));
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error;
      throw await describeClash(name, signal);
    }
  }

  /** Why a name is taken, although the settings know no such repository. */
  async function describeClash(name: string, signal: AbortSignal): Promise<ApiError> {
    const { metadata } = await home.get(SECRET, { namespace, name }, { signal });
    if (metadata.labels?.[TYPE_LABEL] === type) return new ApiError(Code.AlreadyExists, `secret ${JSON.stringify(name)} already exists`);
    const text = `secret ${JSON.stringify(name)} doesn't have the proper "${TYPE_LABEL}" label: please fix the secret or delete it`;
    return new ApiError(Code.InvalidArgument, text);
  }

  async function update(known: LabelledSecret, values: FieldValues, signal: AbortSignal): Promise<void> {
    const secret = await home.get(SECRET, { namespace, name: known.name }, { signal });
    if (secret.metadata.resourceVersion !== known.resourceVersion) throw changedMeanwhile();
    const stored = isJsonObject(secret['data']) ? secret['data'] : {};
    const data = { ...stored, ...encodeData(encodeFields(fields, values, (key) => Object.hasOwn(stored, key))) };
    const metadata = { ...secret.metadata, annotations: { ...secret.metadata.annotations, ...MANAGED_BY } };
    try {
      settings.noticeWrite(await home.update(SECRET, { ...secret, metadata, data }, { signal }));
    } catch (error) {
      throw isStatusError(error, 'Conflict') ? changedMeanwhile() : error;
    }
  }

  async function remove({ name, uid, resourceVersion }: LabelledSecret, signal: AbortSignal): Promise<void> {
    const secret = await home.get(SECRET, { namespace, name }, { signal });
    if (secret.metadata.resourceVersion !== resourceVersion) throw changedMeanwhile();
    try {
      if (secret.metadata.annotations?.['managed-by'] === MANAGED_BY['managed-by']) {
        await home.delete(SECRET, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
        settings.noticeDelete(secret);
        return;
      }
      const body = { metadata: { resourceVersion, labels: { [TYPE_LABEL]: null } } };
      settings.noticeWrite(await home.patch(SECRET, { namespace, name }, { type: 'merge', body }, { signal }));
    } catch (error) {
      throw isStatusError(error, 'Conflict') ? changedMeanwhile() : error;
    }
  }

  return {
    list: () => secretsOf(settings, type),
    create: (url, project, values, signal) => withHomeErrors(() => create(credentialSecretName(type, url, project), values, signal)),
    update: (secret, values, signal) => withHomeErrors(() => update(secret, values, signal)),
    remove: (secret, signal) => withHomeErrors(() => remove(secret, signal)),
  };
}

function changedMeanwhile(): ApiError {
  return new ApiError(Code.Aborted, 'the credentials were changed meanwhile, please try again');
}

function secretsOf({ current }: Settings, type: LabelledSecretType): readonly LabelledSecret[] {
  return [...current.labelledSecrets.values()].filter((secret) => secret.type === type);
}

function encodeData(data: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries([...data].map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
