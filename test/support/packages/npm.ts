/** The npm at hand, run in a folder of a test: with a cache of its own and no setting of an outer npm. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, runProgram } from './run-program.ts';

export interface NpmOptions {
  folder: string;
  /** Where npm keeps its cache, so that nothing on this machine can stand in for what a test serves. */
  cache: string;
  registry?: string;
}

/** Environment in which npm, also one started by our launcher, asks only the given registry. */
export function npmEnvironment({ cache, registry = 'http://127.0.0.1:1' }: Omit<NpmOptions, 'folder'>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!execpath$)/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_cache: cache,
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
    npm_config_userconfig: join(cache, 'no-npmrc'),
  };
}

export async function runNpm(args: readonly string[], options: NpmOptions): Promise<Outcome> {
  mkdirSync(options.cache, { recursive: true });
  const script = process.env['npm_execpath'];
  const isScript = script?.endsWith('npm-cli.js') === true;
  const [command, first] = isScript ? [process.execPath, [script]] : ['npm', []];
  return runProgram(command, [...first, ...args], { cwd: options.folder, env: npmEnvironment(options) });
}
