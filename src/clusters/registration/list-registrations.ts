import { inClusterName, inClusterServer, normalizeServer } from '../../model/index.ts';
import { Sealed, type LabelledSecret, type Snapshot } from '../../settings/index.ts';
import { readRegistration } from './read-registration.ts';
import type { Registration } from './registration.ts';

export interface Registrations {
  readonly clusters: readonly Registration[];
  /** The Secrets that register nothing, and why. */
  readonly unusable: readonly UnusableSecret[];
}

/** Server and name are what it says, as far as it says any. */
export interface UnusableSecret {
  readonly secretName: string;
  readonly reason: string;
  readonly server: string;
  readonly name: string;
}

/** The Secrets of one version are read once, however often settings change. */
const readings = new WeakMap<LabelledSecret, ReturnType<typeof readRegistration>>();

/**
 * Every registered cluster by the name of its Secret; the cluster around Fairway comes last where no Secret names it. One that does and
 * cannot be used is not made up for: it may hold lesser rights and fewer namespaces than Fairway itself has there.
 */
export function listRegistrations({ labelledSecrets, general }: Snapshot): Registrations {
  const clusters = new Map<string, Registration>();
  const unusable: UnusableSecret[] = [];
  const secrets = [...labelledSecrets.values()].filter(({ type }) => type === 'cluster').toSorted(bySecretName);
  for (const secret of secrets) {
    const read = readings.get(secret) ?? readRegistration(secret);
    readings.set(secret, read);
    if ('unusable' in read) unusable.push(unusableSecret(secret, read.unusable));
    else if (clusters.has(read.server)) unusable.push(unusableSecret(secret, 'another Secret registers the same server'));
    else clusters.set(read.server, read);
  }
  if (!general.inClusterEnabled) clusters.delete(inClusterServer);
  else if (!secrets.some(namesHome)) clusters.set(inClusterServer, aroundFairway);
  return { clusters: [...clusters.values()], unusable };
}

function namesHome({ data }: LabelledSecret): boolean {
  return normalizeServer(data.get('server')?.reveal().trim() ?? '') === inClusterServer;
}

const aroundFairway: Registration = {
  server: inClusterServer,
  name: inClusterName,
  secretName: undefined,
  resourceVersion: '',
  config: new Sealed(''),
  namespaces: [],
  clusterResources: false,
  project: '',
  shard: undefined,
  labels: {},
  annotations: {},
  refreshRequestedAt: undefined,
};

function unusableSecret({ name: secretName, data }: LabelledSecret, reason: string): UnusableSecret {
  const [server = '', name = ''] = ['server', 'name'].map((key) => data.get(key)?.reveal());
  return { secretName, reason, server: normalizeServer(server.trim()), name };
}

function bySecretName(left: LabelledSecret, right: LabelledSecret): number {
  return left.name < right.name ? -1 : 1;
}
