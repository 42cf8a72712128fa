import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { pickVersion } from '../../../template/index.ts';
import type { ManifestReader } from '../../manifests/manifest-reader.ts';
import type { Place } from '../../render-context.ts';
import { resolveInTree } from '../../trees/tree-listing.ts';

/** A chart that another one needs. */
export interface Dependency {
  readonly name: string;
  /** A version or a range of them; the very one where a lock file says so. */
  readonly version: string;
  /** Empty where it is in the charts folder already. */
  readonly repository: string;
}

export interface ChartFileOptions {
  /** Where the revision is checked out. */
  readonly root: string;
  readonly reader: ManifestReader;
}

const FILE_BYTES_MAX = 1 << 20;
const DEPENDENCIES_MAX = 200;
/** What becomes part of a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/;

/** What a chart depends on, at the versions of its lock file where there is one. */
export async function readDependencies(place: Place, options: ChartFileOptions): Promise<Dependency[]> {
  const chart = await readChartFile(place, 'Chart.yaml', options);
  const isOld = chart?.['apiVersion'] === 'v1' || chart?.['apiVersion'] === undefined;
  const wanted = parseDependencies((isOld ? await readChartFile(place, 'requirements.yaml', options) : undefined) ?? chart);
  const lock = await readChartFile(place, isOld ? 'requirements.lock' : 'Chart.lock', options);
  if (lock === undefined || wanted.length === 0) return wanted;
  const locked = parseDependencies(lock);
  return wanted.map((dependency, index) => {
    const found = locked[index];
    const isSame = found?.name === dependency.name && found.repository === dependency.repository;
    if (!isSame || (dependency.version !== '' && pickVersion(dependency.version, [found.version]) === undefined))
      throw new ApiError(
        Code.Unknown,
        'the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies',
      );
    return found;
  });
}

/** The version that a chart says it has; undefined where there is no chart. */
export async function readChartVersion(place: Place, options: ChartFileOptions): Promise<string | undefined> {
  const version = (await readChartFile(place, 'Chart.yaml', options))?.['version'];
  return typeof version === 'string' ? version : undefined;
}

async function readChartFile(
  { listing, folder }: Place,
  name: string,
  { root, reader }: ChartFileOptions,
): Promise<JsonObject | undefined> {
  const path = folder === '' ? name : `${folder}/${name}`;
  // A lock file that is a link has been used to have other files overwritten.
  if (name.endsWith('.lock') && listing.entries.get(path)?.kind === 'symlink')
    throw new ApiError(Code.Unknown, `the ${name} file is a symlink`);
  const resolved = resolveInTree(listing, path);
  if (!resolved.found || resolved.entry.kind !== 'file') return undefined;
  if (resolved.entry.sizeBytes > FILE_BYTES_MAX) throw new ApiError(Code.Unknown, `${name} is larger than ${FILE_BYTES_MAX} bytes`);
  const value = await reader.readValue({ name, form: 'stream', bytes: await readFile(join(root, resolved.path)) });
  return isJsonObject(value) ? value : undefined;
}

function parseDependencies(file: JsonObject | undefined): Dependency[] {
  const list = file?.['dependencies'];
  const dependencies = (isJsonArray(list) ? list : []).flatMap(parseDependency);
  if (dependencies.length > DEPENDENCIES_MAX) throw new ApiError(Code.Unknown, `a chart may have ${DEPENDENCIES_MAX} dependencies`);
  return dependencies;
}

function parseDependency(value: JsonValue): Dependency[] {
  if (!isJsonObject(value)) return [];
  const { name, version, repository } = value;
  if (typeof name !== 'string' || !NAME.test(name)) throw new ApiError(Code.Unknown, 'a dependency of the chart has no valid name');
  return [
    {
      name,
      version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
      repository: typeof repository === 'string' ? repository.trim() : '',
    },
  ];
}
