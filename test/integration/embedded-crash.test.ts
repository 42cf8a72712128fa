import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { openEmbeddedApi } from '../../src/embedded/index.ts';
import type { EmbeddedApi } from '../../src/embedded/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { types } from '../support/embedded.ts';

/** Rounds in all; more of them with EMBEDDED_CRASH_ROUNDS, for a long look. */
const ROUNDS = Number(process.env['EMBEDDED_CRASH_ROUNDS'] ?? 20);
const LANES = 2;
const WRITER = fileURLToPath(new URL('../support/embedded-writer.ts', import.meta.url));
const log = createLogger({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });

/** The last acknowledged value of each object, by kind and name; -1 when its deletion was. */
type Acknowledged = Map<string, number>;

it.each(Array.from({ length: LANES }, (_, lane) => lane))(
  'loses no acknowledged write when it is killed under load (lane %i)',
  { timeout: 30_000 + ROUNDS * 10_000, concurrent: true },
  async (lane) => {
    const folder = mkdtempSync(join(tmpdir(), 'fairway-crash-'));
    const file = join(folder, 'home.db');
    let version = 0;
    const acknowledged: Acknowledged = new Map();
    try {
      for (let round = 0; round < Math.ceil(ROUNDS / LANES); round += 1) {
        const before = acknowledged.size;
        const lastVersion = await killWriter(file, round, acknowledged, 40 + ((round * 97 + lane * 53) % 260));
        expect(acknowledged.size).toBeGreaterThan(before);
        expect(lastVersion).toBeGreaterThan(version);
        version = await verify(file, acknowledged, lastVersion);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Lets a writer run, kills it some time after its first acknowledgement, and notes what it was told; returns the last version. */
async function killWriter(file: string, round: number, acknowledged: Acknowledged, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [WRITER, file, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let last = 0;
  let killing: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') continue;
    killing ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
    const [kind, name, value, version] = line.split(' ');
    // Only whole lines count: the last one may have been cut.
    if (version === undefined || version === '') continue;
    acknowledged.set(`${kind}/${name}`, Number(value));
    last = Math.max(last, Number(version));
  }
  await exited;
  clearTimeout(killing);
  expect(child.signalCode).toBe('SIGKILL');
  return last;
}

async function verify(file: string, acknowledged: Acknowledged, lastVersion: number): Promise<number> {
  const api = await openEmbeddedApi({ file, clock: systemClock, log });
  try {
    expect(api.checkIntegrity()).toEqual([]);
    expect(Number(api.resourceVersion)).toBeGreaterThanOrEqual(lastVersion);
    const stored = new Map<string, number>();
    for (const type of [types.configMaps, types.secrets])
      for (const object of (await api.list(type)).items) stored.set(`${type.kind}/${object.metadata.name}`, wholeValue(object));
    for (const [name, value] of acknowledged) checkOne(name, value, stored.get(name));
    await checkHistory(api);
    return Number(api.resourceVersion);
  } finally {
    await api.close();
  }
}

/** One more write than was acknowledged may have got to the disk, and no less. */
function checkOne(name: string, acknowledged: number, stored: number | undefined): void {
  const last = 5;
  if (acknowledged === -1) expect(stored, name).toBeUndefined();
  else if (acknowledged === last && stored === undefined) expect(Number(name.split('-').at(-1)) % 3, name).toBe(0);
  else expect([acknowledged, acknowledged + 1], name).toContain(stored);
}

function wholeValue({ metadata, data }: KubeObject): number {
  const value = Number(metadata.labels?.['value']);
  expect(metadata.annotations?.['value']).toBe(String(value));
  expect(Buffer.from((data as { value: string }).value, 'base64').toString()).toBe(String(value));
  return value;
}

/** What the history says happened leads to what is there, in versions that only grow. */
async function checkHistory(api: EmbeddedApi): Promise<void> {
  const { items, metadata } = await api.list(types.configMaps);
  const start = Math.max(0, Number(metadata.resourceVersion) - 100);
  const past = await api.list(types.configMaps, { resourceVersion: String(start), resourceVersionMatch: 'Exact' }).catch(() => undefined);
  if (past === undefined) return;
  const names = new Map(past.items.map((item) => [item.metadata.name, item.metadata.resourceVersion]));
  let version = start;
  for await (const { type, object } of api.watch(types.configMaps, {
    resourceVersion: String(start),
    allowBookmarks: true,
    timeoutSeconds: 0,
  })) {
    if (type === 'BOOKMARK') break;
    const { name, resourceVersion } = (object as KubeObject).metadata;
    expect(Number(resourceVersion)).toBeGreaterThan(version);
    version = Number(resourceVersion);
    if (type === 'DELETED') names.delete(name);
    else names.set(name, resourceVersion);
  }
  expect(names).toEqual(new Map(items.map((item) => [item.metadata.name, item.metadata.resourceVersion])));
}
