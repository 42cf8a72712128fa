import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError, Code } from '../../base/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { ArchiveError, readTar } from '../charts/read-tar.ts';

const SCHEMA = 'values.schema.json';
const SCHEMA_BYTES_MAX = 4 << 20;
const DEPTH_MAX = 20;
const CHARTS_MAX = 2_000;
/** Keywords whose value Helm follows to another document. */
const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef', '$schema'];
/** By name and over the network, which Helm does not have; an address of this machine it would reach nevertheless. */
const ELSEWHERE = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#][^\\\s]*)?$/i;

export interface SchemaLimits {
  readonly treeFilesMax: number;
  readonly chartBytesMax: number;
}

/**
 * Refuses a chart whose schemas, or those of the charts in it, lead to files or addresses of this machine: Helm would read them, and say
 * what it found.
 */
export async function checkSchemas(folder: string, limits: SchemaLimits): Promise<void> {
  let charts = 0;

  function enter(depth: number): void {
    charts += 1;
    if (charts > CHARTS_MAX || depth > DEPTH_MAX) throw new ApiError(Code.Unknown, 'the chart holds too many others, or too deep');
  }

  async function checkFolder(place: string, depth: number): Promise<void> {
    enter(depth);
    const schema = join(place, SCHEMA);
    const size = (await stat(schema).catch(() => undefined))?.size;
    if (size !== undefined) checkSchema(size > SCHEMA_BYTES_MAX ? undefined : await readFile(schema));
    for (const bytes of await readdir(join(place, 'charts'), { encoding: 'buffer' }).catch(() => [])) {
      // It would be looked for under another name, and Helm reads it under its own.
      if (!isUtf8(bytes)) throw new ApiError(Code.Unknown, 'a chart in the folder charts cannot be used: its name is not UTF-8');
      const name = bytes.toString('utf8');
      const path = join(place, 'charts', name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory() === true) await checkFolder(path, depth + 1);
      else if (found?.isFile() === true && name.endsWith('.tgz')) await checkArchive(await readFile(path), depth + 1);
    }
  }

  async function checkArchive(packed: Buffer, depth: number): Promise<void> {
    enter(depth);
    const files = await unpack(packed, limits);
    for (const { path, content } of files) {
      if (/(?:^|[/\\])values\.schema\.json$/.test(path)) checkSchema(content.length > SCHEMA_BYTES_MAX ? undefined : content);
      if (path.endsWith('.tgz')) await checkArchive(content, depth + 1);
    }
  }

  await checkFolder(folder, 0);
}

async function unpack(packed: Buffer, { treeFilesMax, chartBytesMax }: SchemaLimits) {
  try {
    const archive = await promisify(gunzip)(packed, { maxOutputLength: chartBytesMax * 2 });
    return readTar(archive, { filesMax: treeFilesMax, bytesMax: chartBytesMax, links: false }).files;
  } catch (error) {
    const reason = error instanceof ArchiveError ? error.message : 'it is no gzip archive, or larger than allowed';
    throw new ApiError(Code.Unknown, `a chart in the folder charts cannot be used: ${reason}`);
  }
}

function checkSchema(content: Buffer | undefined): void {
  let schema: JsonValue | undefined;
  try {
    schema = content === undefined ? undefined : (JSON.parse(content.toString('utf8')) as JsonValue);
  } catch {
    // Said below, as for one that is too large.
  }
  if (schema === undefined)
    throw new ApiError(Code.Unknown, `${SCHEMA} of the chart cannot be read as JSON, or is larger than ${SCHEMA_BYTES_MAX} bytes`);
  const waiting = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, entry] of Object.entries(value as JsonObject)) {
      waiting.push(entry);
      if (REFERENCES.includes(name) && typeof entry === 'string' && !entry.startsWith('#') && !ELSEWHERE.test(entry))
        throw new ApiError(
          Code.Unknown,
          `${JSON.stringify(name)} of ${SCHEMA} of the chart leads to ${JSON.stringify(entry.slice(0, 200))}: only what is in the schema itself can be referred to`,
        );
    }
  }
}
