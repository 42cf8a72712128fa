/**
 * Holds the control plane that the test files of one run share. Started by the first of them, in the background; ends when it is
 * told to, or by itself when the run has ended without a word. Its argument is the run's folder.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../run-folder.ts';
import { startControlPlane } from './control-plane.ts';
import type { ControlPlane } from './control-plane.ts';

const LOOK_EVERY_MS = 500;

const folder = process.argv[2] ?? '';
const runner = Number(readFileSync(join(folder, 'main.pid'), 'utf8'));

const starting = startControlPlane();
let ending = false;
const end = (): void => {
  if (ending) return;
  ending = true;
  void starting.then(stopQuickly).finally(() => process.exit(0));
};
process.once('SIGTERM', end).once('SIGINT', end);
setInterval(() => {
  if (isAlive(runner)) return;
  rmSync(folder, { recursive: true, force: true });
  end();
}, LOOK_EVERY_MS);

try {
  const cluster = await starting;
  publish('cluster.json', JSON.stringify({ url: cluster.url, folder: cluster.folder }));
} catch (error) {
  publish('cluster.failed', error instanceof Error ? error.message : 'unknown failure');
  process.exit(1);
}

/** Nobody needs the data any more, and an API server that is asked politely takes seconds over its farewells. */
async function stopQuickly(cluster: ControlPlane): Promise<void> {
  await cluster.killApiServer();
  await cluster.stop();
}

/** Whoever sees the file sees all of it. */
function publish(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.part`), text);
  renameSync(join(folder, `${name}.part`), join(folder, name));
}
