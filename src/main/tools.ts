import { homedir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../base/index.ts';
import { installPrograms } from '../sources/index.ts';
import { describeSystemError, StartError } from './start-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where what can be had again is kept between runs; the launcher keeps its own there too. */
export function findCacheFolder({ FAIRWAY_CACHE, XDG_CACHE_HOME, LOCALAPPDATA }: Environment): string {
  if (FAIRWAY_CACHE) return FAIRWAY_CACHE;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'fairway');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'fairway');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'fairway', 'Cache');
  return join(homedir(), '.cache', 'fairway');
}

export async function runToolsInstall(names: readonly string[], environment: Environment): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const cache = findCacheFolder(environment);
  try {
    await installPrograms({ cache, names, environment, say });
  } catch (error) {
    if (error instanceof ApiError) throw new StartError(error.message);
    const isOfSystem = error instanceof Error && 'syscall' in error;
    throw isOfSystem ? new StartError(`cannot keep tools in ${cache}: ${describeSystemError(error)}`) : error;
  }
}
