import type { Logger } from '../base/index.ts';
import type { UpOptions } from '../cli/index.ts';
import { installDefinitions } from '../settings/index.ts';
import { openClusterHome, type ClusterChoice, type ClusterHome } from './open-cluster-home.ts';
import { openEmbeddedHome, type EmbeddedHome } from './open-embedded-home.ts';
import { toStartError } from './start-error.ts';

export interface OpenHomeOptions {
  readonly options: UpOptions;
  readonly dataDir: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Called once where the disk of the embedded API has failed, and nothing can be kept any more. */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** Undefined for the embedded API. */
export function chooseCluster({ kubeconfig, context, inCluster }: UpOptions): ClusterChoice | undefined {
  if (inCluster) return { kind: 'in-cluster' };
  return kubeconfig === undefined ? undefined : { kind: 'kubeconfig', file: kubeconfig, context };
}

/** Opens the home of a server, with our kinds served. Throws StartError when that cannot be. */
export async function openHome(input: OpenHomeOptions): Promise<EmbeddedHome | ClusterHome> {
  const { options, dataDir, version, environment, log, onLost } = input;
  const { namespace } = options;
  const cluster = chooseCluster(options);
  if (cluster === undefined) return openEmbeddedHome({ dataDir, namespace, log, workloads: 'simulated', onLost });
  const home = await openClusterHome({ cluster, namespace, version, environment, log, readOnly: options.shadow });
  // Whoever is shadowed has installed theirs.
  if (home.readOnly === true) return home;
  try {
    await installDefinitions({ api: home.api, log });
    return home;
  } catch (error) {
    await home.close();
    throw toStartError(error, `cannot use the cluster at ${home.server}`);
  }
}
