import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { openEmbeddedApi } from '../../src/embedded/index.ts';
import type { KubeApi } from '../../src/kube/index.ts';
import { connectToFairway } from '../../test/support/connect-to-fairway.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { median } from '../support/interleave.ts';
import { readResidentMb } from '../support/processors.ts';
import { runClients } from './run-clients.ts';
import { createConfigMap, NAMESPACE, types } from './sample-objects.ts';

const OBJECTS = 100_000;
const PAGE = 500;
const PAGES = 60;
const GOAL_MS = 20;

/** A home with very many objects: a page of a list, in the process and over HTTP. */
export async function measureLargeHome(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairway-bench-'));
  const file = join(dataDir, 'fairway.db');
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });
  try {
    const api = await openEmbeddedApi({ file, clock: systemClock, log });
    await api.create(types.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const { wallMs } = await runClients({ calls: OBJECTS, clients: 64, pids: [] }, (index) =>
      api.create(types.configMaps, createConfigMap(`map-${index}`)),
    );
    const inProcess = await measurePages(api);
    await api.close();
    const fairway = await startFairway({ dataDir });
    const remote = await connectToFairway(fairway);
    const restMb = readResidentMb(fairway.pid);
    const served = await measurePages(remote);
    await remote.close();
    await fairway.stop();
    console.log(
      `${OBJECTS} ConfigMaps in ${(statSync(file).size / 1e6).toFixed(0)} MB, stored in ${(wallMs / 1_000).toFixed(1)} s; ` +
        `the program that opens them takes ${restMb.toFixed(0)} MB. A page of ${PAGE}:`,
    );
    console.table([describe('in process', inProcess), describe('/k8s over HTTP', served)]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Pages one after the other, so that none was read before. */
async function measurePages(api: KubeApi): Promise<readonly number[]> {
  const durations: number[] = [];
  let token: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const begin = performance.now();
    const options = { namespace: NAMESPACE, limit: PAGE, ...(token !== undefined && { continue: token }) };
    token = (await api.list(types.configMaps, options)).metadata.continue;
    durations.push(performance.now() - begin);
  }
  return durations;
}

function describe(name: string, durations: readonly number[]): object {
  const middle = median(durations);
  return {
    API: name,
    'median ms': Number(middle.toFixed(1)),
    'slowest ms': Number(Math.max(...durations).toFixed(1)),
    goal: middle < GOAL_MS ? `reached (< ${GOAL_MS} ms)` : `below goal (${GOAL_MS} ms)`,
  };
}
