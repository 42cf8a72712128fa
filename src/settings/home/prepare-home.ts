import { ApiError, Code, type Clock, type Logger, type Timers } from '../../base/index.ts';
import type { KubeApi, ResourceType } from '../../kube/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import { configMapNames, configMapType, partOfLabel, partOfValue, projectType } from '../home-objects.ts';
import { modifyObject, type Home } from '../modify-object.ts';
import { systemRandom, type SettingsRandom } from '../random.ts';
import { defaultExclusions } from './default-exclusions.ts';
import { ensureNamespace } from './ensure-namespace.ts';
import type { CertificateMaker } from './prepare-certificate.ts';
import { prepareMainSecret, type MadeSecrets } from './prepare-main-secret.ts';

export interface PrepareHomeOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: SettingsRandom;
  readonly timers?: Timers;
  /** bcrypt, as existing installations store it. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** The admin password of a first start; random when not given. Has no effect when there is one already. */
  readonly firstPassword?: string | undefined;
  /** The admin account of an earlier installation, taken over where there is none yet. */
  readonly formerAdmin?: FormerAdmin | undefined;
  /** For a server that needs a certificate and was given none. */
  readonly certificate?: CertificateMaker | undefined;
}

/** What an installation that kept its admin account elsewhere knows of it. */
export interface FormerAdmin {
  /** bcrypt. */
  readonly passwordHash: string;
  /** Seconds since the epoch. */
  readonly passwordChangedAt: number;
  readonly signingKey: Uint8Array;
  /** The random password of its first start, where it is still known. */
  readonly initialPassword: string | undefined;
}

export interface PreparedHome extends MadeSecrets {
  /** What was made or completed, such as `ConfigMap argocd-cm`; empty where everything was there. */
  readonly written: readonly string[];
}

/**
 * Makes what an installation needs and does not have yet, and leaves alone what is there. Safe when several replicas start at once:
 * they end up with one signing key and one password.
 */
export async function prepareHome(options: PrepareHomeOptions): Promise<PreparedHome> {
  const { api, namespace, log, random = systemRandom, timers } = options;
  const home: Home = { api, namespace, randomNumber: () => random.number(), ...(timers && { timers }) };
  const written: string[] = [];
  const note = (kind: string, name: string): void => {
    written.push(`${kind} ${name}`);
    log.info('made what was missing', { kind, name });
  };
  for (const name of Object.values(configMapNames)) {
    const data = name === configMapNames.general ? { 'resource.exclusions': defaultExclusions } : {};
    if (await ensureObject(home, configMapType, name, () => makeConfigMap(namespace, name, data))) note('ConfigMap', name);
  }
  const made = await prepareMainSecret({ ...options, random, home, note });
  if (await ensureObject(home, projectType, 'default', () => makeDefaultProject(namespace))) note('AppProject', 'default');
  return { ...made, written };
}

/** Returns whether it was made. */
async function ensureObject(home: Home, type: ResourceType, name: string, make: () => KubeObject): Promise<boolean> {
  const change = (existing: KubeObject | undefined) => (existing === undefined ? make() : undefined);
  const attempt = async () => (await modifyObject(home, { type, name, change })).written;
  try {
    return await attempt();
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
  // A new object is not found where its namespace is not there, or its kind.
  await ensureNamespace(home.api, home.namespace);
  try {
    return await attempt();
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
    throw new ApiError(Code.FailedPrecondition, `the API does not serve ${type.plural}.${type.group}`, { cause: error });
  }
}

function makeConfigMap(namespace: string, name: string, data: Readonly<Record<string, string>>): KubeObject {
  const labels = { 'app.kubernetes.io/name': name, [partOfLabel]: partOfValue };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data };
}

/** Allows everything, as existing installations expect of it. */
function makeDefaultProject(namespace: string): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  };
}
