/**
 * Writes to an embedded API as fast as it can until it is killed, and says on its output which writes were acknowledged: a line
 * `<kind> <name> <value> <version>` each, with value -1 for a deletion. Arguments: the database file and the number of the round.
 */
import { writeSync } from 'node:fs';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { openEmbeddedApi } from '../../src/embedded/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { types } from './embedded.ts';

const [file = '', round = '0'] = process.argv.slice(2);
const log = createLogger({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
const api = await openEmbeddedApi({ file, clock: systemClock, log, limits: { historyChangesMax: 200, housekeepingMs: 20 } });
say('ready');

await Promise.all(Array.from({ length: 8 }, (_, writer) => writeForEver(writer)));

async function writeForEver(writer: number): Promise<void> {
  const isSecret = writer % 2 === 1;
  const type = isSecret ? types.secrets : types.configMaps;
  for (let object = 0; ; object += 1) {
    const name = `round-${round}-writer-${writer}-${object}`;
    const made = await api.create(type, body(type.kind, name, 0));
    tell(type.kind, name, 0, made.metadata.resourceVersion);
    for (let value = 1; value <= 5; value += 1) {
      const updated = await api.update(type, body(type.kind, name, value));
      tell(type.kind, name, value, updated.metadata.resourceVersion);
    }
    if (object % 3 !== 0) continue;
    await api.delete(type, { namespace: 'default', name });
    tell(type.kind, name, -1, '0');
  }
}

/** The same value in three places, so that half a write would show. */
function body(kind: string, name: string, value: number): KubeObject {
  const text = Buffer.from(String(value)).toString('base64');
  const metadata = { name, namespace: 'default', labels: { value: String(value) }, annotations: { value: String(value) } };
  return { apiVersion: 'v1', kind, metadata, data: { value: text } };
}

function tell(kind: string, name: string, value: number, version: string | undefined): void {
  say(`${kind} ${name} ${value} ${version ?? ''}`);
}

/** Not through the stream of the process, which keeps in memory what the pipe has no room for: a killed process says that no more. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
