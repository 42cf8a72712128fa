import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from './wait-until.ts';

export interface PluginServers {
  /** Where their sockets are. */
  readonly socketFolder: string;
  /** What they logged. */
  readonly logged: () => string;
  close(): Promise<void>;
}

/** What stands below `spec` in a plugin's file, and its name. */
export interface PluginFile {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The stock server for each plugin; `program` is the tool `cmp-server`. */
export async function startPluginServers(program: string, plugins: readonly PluginFile[]): Promise<PluginServers> {
  const folder = await mkdtemp(join(tmpdir(), 'plugins-'));
  const socketFolder = join(folder, 'sockets');
  await mkdir(socketFolder);
  let logged = '';
  const children = await Promise.all(
    plugins.map(async ({ name, spec }) => {
      const place = join(folder, name);
      await mkdir(join(place, 'work'), { recursive: true });
      const file = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ConfigManagementPlugin', metadata: { name }, spec };
      // JSON is YAML.
      await writeFile(join(place, 'plugin.yaml'), JSON.stringify(file));
      const child = spawn(program, ['--config-dir-path', place], {
        env: {
          PATH: process.env['PATH'],
          HOME: place,
          ARGOCD_PLUGINSOCKFILEPATH: socketFolder,
          ARGOCD_CMP_WORKDIR: join(place, 'work'),
          TMPDIR: join(place, 'work'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (logged += chunk.toString('utf8')));
      return child;
    }),
  );
  await waitUntil(async () => (await readdir(socketFolder)).length === plugins.length);
  return {
    socketFolder,
    logged: () => logged,
    async close() {
      for (const child of children) {
        if (child.exitCode !== null || !child.kill('SIGKILL')) continue;
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
