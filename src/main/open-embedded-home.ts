import { join } from 'node:path';
import { systemClock, type Logger } from '../base/index.ts';
import { openEmbeddedApi, startWorkloads, type EmbeddedApi } from '../embedded/index.ts';
import type { Home } from './home.ts';
import { describeSystemError, StartError } from './start-error.ts';

export interface EmbeddedHome extends Home {
  readonly kind: 'embedded';
  readonly api: EmbeddedApi;
}

export interface EmbeddedHomeOptions {
  readonly dataDir: string;
  readonly namespace: string;
  readonly log: Logger;
  /** Whether workloads look alive; a command that only reads and writes objects needs none of that. */
  readonly workloads: 'simulated' | 'none';
}

/** Opens the API in this process, on the database of the data folder. Throws StartError when that cannot be. */
export async function openEmbeddedHome({ dataDir, namespace, log, workloads }: EmbeddedHomeOptions): Promise<EmbeddedHome> {
  const api = await openDatabase(join(dataDir, 'fairway.db'), log);
  const simulation = workloads === 'simulated' ? await startWorkloads({ api, clock: systemClock, log }) : undefined;
  return {
    kind: 'embedded',
    api,
    namespace,
    forget: () => api.forgetRead(),
    async close() {
      await simulation?.stop();
      await api.close();
    },
  };
}

async function openDatabase(file: string, log: Logger): Promise<EmbeddedApi> {
  try {
    return await openEmbeddedApi({ file, clock: systemClock, log });
  } catch (error) {
    throw new StartError(`cannot open the database ${file}: ${describeSystemError(error)}`);
  }
}
