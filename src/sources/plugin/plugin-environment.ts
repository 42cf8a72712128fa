import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import { buildEnvironment, substitute } from '../build-environment.ts';
import type { RenderRequest } from '../sources.ts';

type Plugin = NonNullable<ApplicationSource['plugin']>;
export type EnvironmentEntry = { readonly name: string; readonly value: string };

/** The most that one variable may hold, and all of them together: more does not start on Linux. */
const VALUE_BYTES_MAX = 128 << 10;
const ALL_BYTES_MAX = 1 << 20;

/**
 * The variables for the commands of a plugin: those of the build, those that the application sets, with a prefix so that none of them
 * is one that a program heeds, and its parameters.
 */
export function pluginEnvironment(request: RenderRequest, plugin: Plugin | undefined): EnvironmentEntry[] {
  const build = new Map([
    ...buildEnvironment(request),
    ['KUBE_VERSION', request.kubeVersion ?? ''],
    ['KUBE_API_VERSIONS', (request.apiVersions ?? []).join(',')],
  ]);
  const entries = [...build].map(([name, value]) => ({ name, value }));
  if (plugin !== undefined) {
    for (const { name = '', value = '' } of plugin.env ?? []) entries.push({ name: `ARGOCD_ENV_${name}`, value: substitute(value, build) });
    entries.push(...parameterEntries(plugin.parameters ?? []));
  }
  checkEntries(entries);
  return entries;
}

function parameterEntries(parameters: NonNullable<Plugin['parameters']>): EnvironmentEntry[] {
  const entries: EnvironmentEntry[] = [{ name: 'ARGOCD_APP_PARAMETERS', value: JSON.stringify(parameters) }];
  for (const { name = '', string: text, array, map } of parameters) {
    if (text !== undefined) entries.push({ name: variable(name), value: text });
    for (const [index, value] of (array ?? []).entries()) entries.push({ name: variable(`${name}_${index}`), value });
    for (const [key, value] of Object.entries(map ?? {})) entries.push({ name: variable(`${name}_${key}`), value });
  }
  return entries;
}

function variable(name: string): string {
  return `PARAM_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
}

/** No program can be started with what is refused here. */
function checkEntries(entries: readonly EnvironmentEntry[]): void {
  let total = 0;
  for (const { name, value } of entries) {
    const shown = JSON.stringify(name.slice(0, 100));
    if (/[=\0]/.test(name) || value.includes('\0'))
      throw new ApiError(Code.InvalidArgument, `the plugin's variable ${shown} has a name or value that no environment can hold`);
    // The list of API versions is ours, and long; nobody is to blame for it.
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > VALUE_BYTES_MAX)
      throw new ApiError(Code.InvalidArgument, `the plugin's variable ${shown} is larger than ${VALUE_BYTES_MAX} bytes`);
    total += bytes;
  }
  if (total > ALL_BYTES_MAX) throw new ApiError(Code.InvalidArgument, `the plugin's variables are larger than ${ALL_BYTES_MAX} bytes`);
}
