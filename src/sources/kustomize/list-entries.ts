import { ApiError, Code } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { foldCase, foldFields } from './kustomization-file.ts';

/** Something that a kustomization names: a file, a folder, or what is elsewhere. */
export interface Entry {
  readonly text: string;
  /** Kustomize fetches only some of what it takes in. */
  readonly mayBeRemote: boolean;
  /** Whether it may be the very text that is meant; all others are paths, whatever they look like. */
  readonly mayBeText?: boolean;
  /** Whether Helm gets its path as part of a list, where some signs have a meaning. */
  readonly isInList?: boolean;
}

/** Fields whose entries are files, folders or other repositories. */
export const remoteFields = ['resources', 'bases', 'components'] as const;
/** Fields whose entries say what Kustomize is to do: files or folders of them, or the very texts. */
export const pluginFields = ['generators', 'transformers', 'validators'] as const;

const PATH_FIELDS = ['crds', 'configurations'] as const;
/** Strings in the second are of a time when they were the same as the first. */
const TEXT_FIELDS = ['patchesStrategicMerge', 'patches'] as const;
const PATCH_FIELDS = ['patches', 'patchesJson6902', 'replacements'] as const;
const GENERATOR_FIELDS = ['configMapGenerator', 'secretGenerator'] as const;
const CHART_FIELDS = ['helmCharts', 'helmChartInflationGenerator'] as const;
const CHART_KIND = foldCase('HelmChartInflationGenerator');
const MERGE_KIND = foldCase('PatchStrategicMergeTransformer');
/** The names of charts and their versions become parts of paths. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;
const LIST_SIGNS = /[",\r\n]/;

/** All that a kustomization names, but for what its plugins name. */
export function listEntries(kustomization: JsonObject): Entry[] {
  const local = PATH_FIELDS.flatMap((field) => texts(kustomization[field]));
  for (const field of PATCH_FIELDS) local.push(...objects(kustomization[field]).flatMap((patch) => text(patch['path'])));
  for (const field of GENERATOR_FIELDS) local.push(...objects(kustomization[field]).flatMap(listSources));
  const [openapi, globals] = [kustomization['openapi'], kustomization['helmGlobals']];
  if (isJsonObject(openapi)) local.push(...text(foldFields(openapi)['path']));
  const charts = CHART_FIELDS.flatMap((field) => objects(kustomization[field]));
  if (isJsonObject(globals)) charts.push(foldFields(globals));
  const taken = remoteFields.flatMap((field) => texts(kustomization[field]));
  return [
    ...taken.map((entry) => ({ text: entry, mayBeRemote: true })),
    ...local.map(here),
    ...TEXT_FIELDS.flatMap((field) => texts(kustomization[field])).map(hereOrText),
    ...charts.flatMap(listChart),
  ];
}

/** All that the object of a generator, a transformer or a validator names, wherever in it that is. */
export function listPluginEntries(plugin: JsonObject): Entry[] {
  const fields = foldFields(plugin);
  const kind = typeof fields['kind'] === 'string' ? foldCase(fields['kind']) : '';
  if (kind === CHART_KIND) return listChart(fields);
  const merged = kind === MERGE_KIND ? texts(fields['paths']) : [];
  return [...listNested(plugin).map(here), ...merged.map(hereOrText)];
}

/** Whether Helm would take a path in a list for several, or for another. */
export function splitsInList(path: string): boolean {
  return LIST_SIGNS.test(path);
}

function here(entry: string): Entry {
  return { text: entry, mayBeRemote: false };
}

function hereOrText(entry: string): Entry {
  return { ...here(entry), mayBeText: true };
}

/** Where a name is there in several letter cases, each counts: nobody knows which of them Kustomize would take. */
function listNested(value: JsonValue | undefined): string[] {
  if (isJsonArray(value)) return value.flatMap(listNested);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const key = foldCase(name);
    return [...listNested(entry), ...(key === 'path' ? text(entry) : []), ...listSources({ [key]: entry })];
  });
}

function listSources({ files, filesources, envs, envsources, env }: JsonObject): string[] {
  const named = [...texts(files), ...texts(filesources)].map((file) => file.slice(file.indexOf('=') + 1));
  return [...named, ...texts(envs), ...texts(envsources), ...text(env)];
}

/** Charts are fetched by Helm, from anywhere, and what is said of them becomes arguments and paths. */
function listChart(chart: JsonObject): Entry[] {
  for (const value of Object.values(chart))
    if (typeof value === 'string' && value.startsWith('-'))
      throw new ApiError(
        Code.Unknown,
        'a value of helmCharts in the kustomization starts with a dash, which Helm would take for an option',
      );
  for (const field of ['repo', 'chartrepo', 'chartrepourl'])
    if (text(chart[field]).length > 0)
      throw new ApiError(Code.Unimplemented, 'charts that a kustomization fetches from a repository are not supported yet');
  for (const field of ['confighome', 'helmhome', 'helmbin'])
    if (text(chart[field]).length > 0)
      throw new ApiError(
        Code.Unimplemented,
        'a home or a program for Helm in a kustomization is not supported: it could bring programs along',
      );
  for (const field of ['name', 'chartname', 'version', 'chartversion'])
    for (const name of text(chart[field]))
      if (!NAME.test(name))
        throw new ApiError(Code.Unknown, `${JSON.stringify(name)} in the kustomization is no name or version of a chart`);
  const more = texts(chart['additionalvaluesfiles']);
  const split = more.find(splitsInList);
  if (split !== undefined)
    throw new ApiError(Code.Unknown, `${JSON.stringify(split)} of helmCharts in the kustomization would be several files to Helm`);
  return [
    ...[...text(chart['charthome']), ...text(chart['valuesfile']), ...text(chart['values'])].map(here),
    ...more.map((entry) => ({ ...here(entry), isInList: true })),
  ];
}

function text(value: JsonValue | undefined): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

export function texts(value: JsonValue | undefined): string[] {
  return isJsonArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject).map(foldFields) : [];
}
