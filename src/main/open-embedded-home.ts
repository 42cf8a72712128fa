import { join } from 'node:path';
import { systemClock, type Logger } from '../base/index.ts';
import { openEmbeddedApi, startWorkloads, type EmbeddedApi, type EmbeddedOptions } from '../embedded/index.ts';
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
  /** Called once where the disk has failed, and nothing can be kept any more. */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** Opens the API in this process, on the database of the data folder. Throws StartError when that cannot be. */
export async function openEmbeddedHome({ dataDir, namespace, log, workloads, onLost }: EmbeddedHomeOptions): Promise<EmbeddedHome> {
  const api = await openDatabase({ file: join(dataDir, 'fairway.db'), clock: systemClock, log, ...(onLost && { onLost }) });
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

async function openDatabase(options: EmbeddedOptions): Promise<EmbeddedApi> {
  try {
    return await openEmbeddedApi(options);
  } catch (error) {
    throw new StartError(`cannot open the database ${options.file}: ${describeSystemError(error)}`);
  }
}
