import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/index.ts';
import { createHttpKubeApi } from '../kube/index.ts';
import { openDataFolder } from './data-folder.ts';
import type { Home } from './home.ts';
import { readLocalKubeconfig } from './local-kubeconfig.ts';
import { openClusterHome } from './open-cluster-home.ts';
import { openEmbeddedHome } from './open-embedded-home.ts';
import { chooseCluster, type OpenHomeOptions } from './open-home.ts';
import { FolderInUse, StartError } from './start-error.ts';

/**
 * The home for a command that comes and goes: the cluster, or the embedded API through the server that runs with the data folder, or, where none does, by opening the
 * database for the while, or with `canMake` by making it. Throws StartError when that cannot be.
 */
export async function openCommandHome(given: OpenHomeOptions & { readonly canMake?: boolean }): Promise<Home> {
  const { options, dataDir, version, environment, log, canMake = false } = given;
  const { namespace } = options;
  const cluster = chooseCluster(options);
  if (cluster !== undefined) return openClusterHome({ cluster, namespace, version, environment, log });
  if (!canMake && !existsSync(join(dataDir, 'fairway.db')))
    throw new StartError(`there is nothing in the data folder ${dataDir}; start fairway first`);
  try {
    const folder = await openDataFolder(dataDir);
    const home = await openEmbeddedHome({ dataDir, namespace, log, workloads: 'none' });
    return {
      ...home,
      async close() {
        await home.close();
        folder.release();
      },
    };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
  }
  const local = await readLocalKubeconfig(dataDir);
  if (local === undefined)
    throw new StartError(`the server that has the data folder ${dataDir} is not ready, or keeps its objects elsewhere`);
  const { server, token, certificate } = local;
  const api = createHttpKubeApi({
    server,
    credentials: {
      identity: { type: 'token', token },
      trust: { insecure: false, ...(certificate !== undefined && { authority: { pem: certificate } }) },
      disableCompression: true,
    },
    clock: systemClock,
    log,
    userAgent: `fairway/${version}`,
  });
  return { kind: 'embedded', api, namespace, close: () => api.close() };
}
