import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwShortage } from '../shortage.ts';

/** A plugin that listens. */
export interface PluginSocket {
  /** Its name, with its version behind a dash where it has one. */
  readonly name: string;
  readonly path: string;
  /** Changes when the plugin is started anew: it may be another version then. */
  readonly identity: string;
}

const ENDING = '.sock';
const PLUGINS_MAX = 100;

/** The plugins that have a socket in a folder, by name. A folder that is not there has none. */
export async function listPluginSockets(folder: string): Promise<PluginSocket[]> {
  if (folder === '') return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throwShortage(error);
    return [];
  });
  const names = entries.filter((entry) => entry.isSocket() && entry.name.endsWith(ENDING)).map((entry) => entry.name);
  const found = await Promise.all(
    names
      .sort()
      .slice(0, PLUGINS_MAX)
      .map((name) => describe(folder, name.slice(0, -ENDING.length))),
  );
  return found.flat();
}

/** The plugin of that name; names come from applications, and lead nowhere but into the folder. */
export async function findPluginSocket(folder: string, name: string): Promise<PluginSocket | undefined> {
  if (folder === '' || name.includes('/') || name.includes('\0') || name.startsWith('.')) return undefined;
  return (await describe(folder, name))[0];
}

async function describe(folder: string, name: string): Promise<PluginSocket[]> {
  const path = join(folder, `${name}${ENDING}`);
  const state = await stat(path).catch(() => undefined);
  if (state?.isSocket() !== true) return [];
  return [{ name, path, identity: `${state.ino}:${state.mtimeMs}` }];
}
