import { ApiError, Code } from '../../base/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import {
  lastAppliedAnnotation,
  managedByAnnotation,
  managedByValue,
  refreshAnnotation,
  secretTypeLabel,
  type Registration,
} from './registration.ts';

/** What is to be registered of a cluster. */
export interface RegistrationEntry extends Omit<Registration, 'secretName' | 'resourceVersion' | 'config'> {
  /** With the credentials. */
  readonly config: JsonObject;
}

/** What a new Secret is made from, or one that is there: all its data, labels and annotations are replaced. */
export type RegistrationSecret = Pick<KubeObject, 'metadata'> & { readonly type?: string };

/** The Secret that says so. Throws ApiError where it cannot. */
export function formatRegistration(entry: RegistrationEntry, secret: RegistrationSecret): KubeObject {
  const { server, name, config, namespaces, clusterResources, project, shard, labels, annotations, refreshRequestedAt } = entry;
  if (Object.hasOwn(annotations, lastAppliedAnnotation)) {
    throw new ApiError(Code.InvalidArgument, `annotation ${lastAppliedAnnotation} cannot be set`);
  }
  const data: Readonly<Record<string, string>> = {
    server,
    name: name === '' ? server : name,
    config: JSON.stringify(config),
    ...(namespaces.length > 0 && { namespaces: namespaces.join(',') }),
    ...(clusterResources && { clusterResources: 'true' }),
    ...(shard !== undefined && { shard: String(shard) }),
    ...(project !== '' && { project }),
  };
  const { [refreshAnnotation]: _old, ...kept } = annotations;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...secret.metadata,
      labels: { ...labels, [secretTypeLabel]: 'cluster' },
      annotations: {
        ...kept,
        ...(refreshRequestedAt !== undefined && { [refreshAnnotation]: refreshRequestedAt }),
        ...keptMark(secret.metadata),
      },
    },
    type: secret.type ?? 'Opaque',
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
}

/** Whether a Secret is ours to delete is decided when it is made: one that came by hand stays a thing of those who wrote it. */
function keptMark({ resourceVersion, annotations = {} }: KubeObject['metadata']): Readonly<Record<string, string>> {
  if (resourceVersion === undefined) return { [managedByAnnotation]: managedByValue };
  const mark = annotations[managedByAnnotation];
  return mark === undefined ? {} : { [managedByAnnotation]: mark };
}
