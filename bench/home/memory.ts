import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectToFairway } from '../../test/support/connect-to-fairway.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { readResidentMb } from '../support/processors.ts';
import { runClients } from './run-clients.ts';
import { createApplications, types } from './sample-objects.ts';

const APPLICATIONS = 1_000;
const GOAL_MB = 150;
const POLL_MS = 1_000;
/** So many looks without a new low, and it is taken to rest. */
const STILL = 20;
const LOOKS_MAX = 90;

const SOURCE = fileURLToPath(new URL('../../src/main/fairway.ts', import.meta.url));
/** The installed command, which runs what `npm run build` has made. */
const COMMAND = fileURLToPath(new URL('../../bin/fairway.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/main/fairway.js', import.meta.url));

/** The whole program with a thousand applications stored: after they came in, and after a new start. */
export async function measureMemory(): Promise<void> {
  const programs = [{ form: 'from source', program: SOURCE }, ...(existsSync(BUILT) ? [{ form: 'as installed', program: COMMAND }] : [])];
  const rows: object[] = [];
  for (const { form, program } of programs) {
    const dataDir = mkdtempSync(join(tmpdir(), 'fairway-bench-'));
    try {
      const run = (name: string, stores = false) => measureRun(`${form}, ${name}`, { program, dataDir, stores });
      rows.push(await run('empty'));
      rows.push(await run(`after ${APPLICATIONS} applications came in`, true));
      rows.push(await run(`started with ${APPLICATIONS} applications`));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  console.log('Memory of the whole program at rest');
  console.table(rows);
}

interface MemoryRun {
  readonly program: string;
  readonly dataDir: string;
  readonly stores: boolean;
}

async function measureRun(name: string, { program, dataDir, stores }: MemoryRun): Promise<object> {
  const fairway = await startFairway({ dataDir, program });
  try {
    if (stores) {
      const api = await connectToFairway(fairway);
      const applications = createApplications(APPLICATIONS, 'argocd');
      await runClients({ calls: APPLICATIONS, clients: 8, pids: [] }, (index) => api.create(types.applications, applications[index]!));
      await api.close();
    }
    const restMb = await settle(fairway.pid);
    const goal = restMb < GOAL_MB ? `reached (< ${GOAL_MB} MB)` : `below goal (${GOAL_MB} MB)`;
    return { program: name, MB: Number(restMb.toFixed(0)), goal };
  } finally {
    await fairway.stop();
  }
}

/** The memory when it has stopped to become less. */
async function settle(pid: number): Promise<number> {
  let lowest = Infinity;
  let still = 0;
  let last = NaN;
  for (let look = 0; look < LOOKS_MAX && still < STILL; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    last = readResidentMb(pid);
    still = last < lowest - 1 ? 0 : still + 1;
    lowest = Math.min(lowest, last);
  }
  return last;
}
