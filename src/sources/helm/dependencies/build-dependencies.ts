import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../../base/index.ts';
import { pickVersion } from '../../../template/index.ts';
import type { Charts } from '../../charts/charts.ts';
import type { Place } from '../../render-context.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import type { DependencySettings } from '../../sources.ts';
import { resolveInTree } from '../../trees/tree-listing.ts';
import { copyChart } from './copy-chart.ts';
import { findDependencyAccess } from './find-dependency-access.ts';
import { readChartVersion, readDependencies } from './read-dependencies.ts';
import type { ChartFileOptions, Dependency } from './read-dependencies.ts';

export interface DependencyContext {
  readonly charts: Charts;
  readonly accessTo: (url: string, project: string) => RepositoryAccess;
  readonly dependencies: DependencySettings;
}

export interface DependencyBuild extends ChartFileOptions {
  readonly place: Place;
  readonly project: string;
  readonly passCredentials: boolean;
  /** Asks for the newest versions, even if that was done a moment ago. */
  readonly fresh: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Puts into a copy of a chart what it depends on, as `helm dependency build` does it, but fetched by ourselves: the tool has no network.
 */
export async function buildDependencies(context: DependencyContext, build: DependencyBuild, copy: string): Promise<void> {
  const refused: string[] = [];
  try {
    const dependencies = await readDependencies(build.place, build);
    await copyChart(build.place, build.root, copy);
    await mkdir(join(copy, 'charts'), { recursive: true, mode: 0o700 });
    for (const dependency of dependencies) {
      if (dependency.repository === '') continue;
      if (dependency.repository.startsWith('file://')) await takeFromTree(build, dependency, copy);
      else await fetchDependency(context, build, { dependency, copy, refused });
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    if (refused.length > 0)
      throw new ApiError(Code.PermissionDenied, `helm repos ${refused.join(', ')} are not permitted in project '${build.project}'`);
    throw new ApiError(
      Code.Unknown,
      `error building helm chart dependencies: failed to build helm dependencies: failed to build dependencies: ${error.message}`,
    );
  }
}

async function fetchDependency(
  context: DependencyContext,
  { project, passCredentials, fresh, signal }: DependencyBuild,
  { dependency, copy, refused }: { readonly dependency: Dependency; readonly copy: string; readonly refused: string[] },
): Promise<void> {
  const { name } = dependency;
  const { access, isRefused } = findDependencyAccess(context, dependency, project);
  if (isRefused) refused.push(access.url);
  const version = await context.charts.resolve(access, { chart: name, revision: dependency.version || '*', fresh, signal });
  const { parts } = await context.charts.open({ access, chart: name, version, project, passCredentials, signal });
  for (const part of parts)
    if ('archive' in part) await copyFile(part.archive, join(copy, 'charts', `${name}-${version.replaceAll(/[^0-9A-Za-z.+-]/g, '')}.tgz`));
  // It was reached without what the project must not use.
  if (isRefused) refused.pop();
}

/** A chart beside this one; it stays in the repository, whatever its path says. */
async function takeFromTree(build: DependencyBuild, { name, version, repository }: Dependency, copy: string): Promise<void> {
  const { listing } = build.place;
  const resolved = resolveInTree(listing, dependencyPath(build.place, repository));
  if (!resolved.found && resolved.reason === 'outside')
    throw new ApiError(Code.Unknown, `file '${repository}' resolved to outside repository root`);
  if (!resolved.found || resolved.entry.kind !== 'folder') throw new ApiError(Code.Unknown, `directory ${repository} not found`);
  const place = { listing, folder: resolved.path };
  const own = await readChartVersion(place, build);
  if (own === undefined) throw new ApiError(Code.Unknown, `no chart found in ${repository}`);
  if (version !== '' && pickVersion(version, [own]) === undefined)
    throw new ApiError(Code.Unknown, `can't get a valid version for dependency ${name}`);
  await rm(join(copy, 'charts', name), { recursive: true, force: true });
  await copyChart(place, build.root, join(copy, 'charts', name));
}

/** From the root of the revision. */
export function dependencyPath({ folder }: Place, repository: string): string {
  const path = repository.slice('file://'.length);
  // An absolute path is one of this machine, and leads out of the repository however it goes on.
  return path.startsWith('/') ? '..' : `${folder}/${path}`;
}
