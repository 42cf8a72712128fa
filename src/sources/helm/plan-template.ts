import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import { buildEnvironment, substitute } from '../build-environment.ts';
import type { RenderRequest } from '../sources.ts';

export type Helm = NonNullable<ApplicationSource['helm']>;

/** Paths of files that were looked up already. */
export interface TemplateFiles {
  readonly valueFiles: readonly string[];
  /** By the name of the parameter. */
  readonly parameterFiles: readonly (readonly [string, string])[];
  /** The values that the source itself brings. */
  readonly inlineValues: string | undefined;
}

export interface TemplateCommand {
  readonly args: readonly string[];
  /** For people: API versions left out, since there are hundreds. */
  readonly shownArgs: readonly string[];
}

type Flag = readonly [name: string, value: string];

const SHOWN_INLINE_VALUES = '<temp file with values from source.helm.values/valuesObject>';

/**
 * The arguments of `helm template`. Each flag is one word with its value: Helm reads the flags that all its commands know once before, and would
 * take a value that begins with a dash for one of them.
 */
export function planTemplate(request: RenderRequest, helm: Helm, files: TemplateFiles): TemplateCommand {
  if (!['', 'v3', 'v4'].includes(helm.version ?? '')) throw new ApiError(Code.Unknown, `helm version '${helm.version}' is not supported`);
  const namespace = helm.namespace || request.destinationNamespace;
  const kubeVersion = numericVersion(helm.kubeVersion || request.kubeVersion || '');
  const flags: readonly Flag[] = [
    ['--name-template', helm.releaseName || releaseName(request)],
    ...optional('--namespace', namespace),
    ...optional('--kube-version', kubeVersion),
    ...parameterFlags(request, helm),
    ...files.parameterFiles.map(([name, path]): Flag => ['--set-file', `${escapeName(name)}=${escapePath(path)}`]),
    ...files.valueFiles.map((path): Flag => ['--values', path]),
  ];
  const apiVersions = helm.apiVersions?.length ? helm.apiVersions : (request.apiVersions ?? []);
  const tail = [
    ...(helm.skipCrds === true ? [] : ['--include-crds']),
    ...(helm.skipSchemaValidation === true ? ['--skip-schema-validation'] : []),
    ...(helm.skipTests === true ? ['--skip-tests'] : []),
  ];
  const inline = optional('--values', files.inlineValues ?? '');
  const shownInline = inline.map(([name]): Flag => [name, SHOWN_INLINE_VALUES]);
  const given = [...flags, ...inline, ...apiVersions.map((version): Flag => ['--api-versions', version])];
  return {
    args: ['template', '.', ...given.map(([name, value]) => `${name}=${name === '--values' ? quoteField(value) : value}`), ...tail],
    shownArgs: [
      'template',
      '.',
      ...[...flags, ...shownInline].flat(),
      ...(apiVersions.length === 0 ? [] : ['<api versions removed>']),
      ...tail,
    ],
  };
}

function optional(name: string, value: string): Flag[] {
  return value === '' ? [] : [[name, value]];
}

/** Of several parameters with one name the last one counts. */
function parameterFlags(request: RenderRequest, { parameters = [] }: Helm): Flag[] {
  const environment = buildEnvironment(request);
  const byName = new Map(parameters.map((parameter) => [parameter.name ?? '', parameter]));
  return [...byName].map(([name, { value = '', forceString = false }]) => [
    forceString ? '--set-string' : '--set',
    `${name}=${escapeCommas(substitute(value, environment))}`,
  ]);
}

/** A comma would begin another parameter; lists in braces have theirs on purpose. */
function escapeCommas(value: string): string {
  if (/^\{.*\}$/s.test(value)) return value;
  return value.replace(/(\\?),/g, '\\,');
}

/** In the name of a file's parameter nothing begins a path, or another parameter: Helm would read any file of this machine. */
function escapeName(name: string): string {
  return name.replace(/\\([^])|[\\=,]/g, (written, escaped: string | undefined) => (escaped === undefined ? `\\${written}` : written));
}

/** Helm takes what stands after a backslash as it is, so that `..\/` would lead out of the repository. */
function escapePath(path: string): string {
  return path.replace(/[\\,]/g, '\\$&');
}

/** Helm reads value files as fields with commas between them: one path must not become several. */
function quoteField(path: string): string {
  return /[",\r\n]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
}

/** The name of the application without its namespace. */
function releaseName({ application }: RenderRequest): string {
  return application.name.slice(application.name.lastIndexOf('_') + 1);
}

/** `v1.31.0+k3s1` is `1.31.0` to charts. */
function numericVersion(version: string): string {
  if (version === '') return '';
  const match = /^v?(\d+(?:\.\d+){0,2})(?:[-+].*)?$/.exec(version);
  if (match === null) throw new ApiError(Code.Unknown, `could not parse kubernetes version ${version}: Invalid Semantic Version`);
  return match[1] ?? '';
}
