import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { openEmbeddedApi } from '../../src/embedded/index.ts';
import type { KubeApi } from '../../src/kube/index.ts';
import { startControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { connectToFairway } from '../../test/support/connect-to-fairway.ts';
import { startFairway } from '../../test/support/fairway.ts';

/** One of the APIs that are measured side by side. */
export interface Contender {
  readonly name: string;
  readonly api: KubeApi;
  /** Processes that serve it, beside the one that asks. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** The peer comes last. All of them wait for the disk before they acknowledge a write. */
export async function startContenders(): Promise<readonly Contender[]> {
  return [await startEmbedded(), await startServed(), await startPeer()];
}

const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

async function startEmbedded(): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-bench-'));
  const api = await openEmbeddedApi({ file: join(folder, 'home.db'), clock: systemClock, log });
  return {
    name: 'in process',
    api,
    pids: [],
    stop: async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServed(): Promise<Contender> {
  const fairway = await startFairway();
  const api = await connectToFairway(fairway);
  return {
    name: '/k8s over HTTP',
    api,
    pids: [fairway.pid],
    stop: async () => {
      await api.close();
      await fairway.stop();
    },
  };
}

async function startPeer(): Promise<Contender> {
  const plane = await startControlPlane({ isDurable: true });
  const api = await connectTo(plane);
  return {
    name: 'etcd + kube-apiserver',
    api,
    pids: findChildren(['etcd', 'kube-apiserver']),
    stop: async () => {
      await api.close();
      await plane.stop();
    },
  };
}

/** The processes that this one has started, by their names; none where the system does not tell. */
function findChildren(names: readonly string[]): readonly number[] {
  try {
    const children = readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.filter((pid) => names.includes(readFileSync(`/proc/${pid}/comm`, 'utf8').trim())).map(Number);
  } catch {
    // Another system: its processor time is not shown.
    return [];
  }
}
