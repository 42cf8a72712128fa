import type { KubeApi, ResourceType } from '../../kube/index.ts';
import { applicationSetType, applicationType, matchesNamespace } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { configMapNames, configMapType, projectType, secretType } from '../home-objects.ts';
import { isOurs } from '../home-state.ts';
import { readObject } from '../modify-object.ts';
import { readConfigMapData } from '../object-data.ts';
import { readTable } from '../read-table.ts';
import { parameterTable, type ParameterSettings } from '../tables/parameter-settings.ts';
import { portableObject } from './portable-object.ts';
import { withoutPlainSecrets } from './plain-secrets.ts';

export interface ExportOptions {
  readonly api: KubeApi;
  /** Of the control plane. */
  readonly namespace: string;
  /** Whether Secrets, and settings that hold a secret in plain, are part of it. */
  readonly secrets: boolean;
  /** Patterns of the other namespaces in which applications may be; what argocd-cmd-params-cm says where they are not given. */
  readonly applicationNamespaces: readonly string[] | undefined;
  readonly applicationsetNamespaces: readonly string[] | undefined;
  /** Told what was left out, in a sentence. */
  readonly warn: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Everything that an installation consists of, without what belongs to the place where it is now. In an order in which it can be
 * applied: settings, Secrets, projects, applications, application sets.
 */
export async function* exportHome(options: ExportOptions): AsyncIterable<KubeObject> {
  const { api, namespace, secrets, warn, signal } = options;
  const portable = (object: KubeObject) => portableObject(object, namespace);
  const listOwn = async (type: ResourceType) => sorted((await api.list(type, { namespace, ...(signal && { signal }) })).items);
  for (const object of (await listOwn(configMapType)).filter(isOurs)) {
    yield portable(secrets ? object : withoutPlainSecrets(object, warn));
  }
  if (secrets) for (const object of (await listOwn(secretType)).filter(isOurs)) yield portable(object);
  for (const object of await listOwn(projectType)) yield portable(object);
  const parameters = await readParameters(options);
  for (const [type, patterns] of [
    [applicationType, options.applicationNamespaces ?? parameters.applicationNamespaces],
    [applicationSetType, options.applicationsetNamespaces ?? parameters.appsetNamespaces],
  ] as const) {
    for (const object of patterns.length === 0 ? await listOwn(type) : await listWithOthers(options, type, patterns))
      yield portable(object);
  }
}

async function readParameters({ api, namespace }: ExportOptions): Promise<ParameterSettings> {
  const object = await readObject({ api, namespace, randomNumber: () => 0 }, configMapType, configMapNames.parameters);
  const data = readConfigMapData(object);
  return readTable({ table: parameterTable, object: configMapNames.parameters, data, previous: undefined }).values;
}

/** Those of the control plane's namespace, and of others that fit a pattern. */
async function listWithOthers(
  { api, namespace, signal }: ExportOptions,
  type: ResourceType,
  patterns: readonly string[],
): Promise<readonly KubeObject[]> {
  const { items } = await api.list(type, { ...(signal && { signal }) });
  const isTheirs = (other: string) => other === namespace || patterns.some((pattern) => matchesNamespace(pattern, other));
  return sorted(items.filter(({ metadata }) => isTheirs(metadata.namespace ?? '')));
}

/** The same objects give the same text, whichever API they come from. */
function sorted(objects: readonly KubeObject[]): readonly KubeObject[] {
  const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return objects.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}
