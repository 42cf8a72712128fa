import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { refuseSubmodules } from '../app-path.ts';
import { buildEnvironment, substitute, usesEnvironment } from '../build-environment.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { findProgram } from '../process/find-program.ts';
import { idsOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import { listDigest, resultKey } from '../result-cache.ts';
import type { RenderResult } from '../result-cache.ts';
import type { RenderRequest } from '../sources.ts';
import { findOne, findValueFiles } from './find-value-files.ts';
import type { FileBase, ValueFile } from './find-value-files.ts';
import { planTemplate } from './plan-template.ts';
import type { Helm } from './plan-template.ts';

/** Sources that others take files from, by `$name`. */
export type ReferencedPlaces = ReadonlyMap<string, Pick<Place, 'listing'>>;

interface ChartFiles {
  readonly values: readonly ValueFile[];
  readonly parameters: readonly (readonly [string, ValueFile])[];
}

const DEFAULT_SCHEMES = ['https', 'http'];
const NEEDS_DEPENDENCIES = /found in Chart\.yaml, but missing in charts\/ directory|dependencies? (?:is|are) (?:out of sync|missing)/;

export function createHelmRenderer(context: RenderContext) {
  return async function render(
    request: RenderRequest,
    source: ApplicationSource,
    place: Place,
    referenced: ReferencedPlaces,
  ): Promise<RenderResult> {
    const helm = source.helm ?? {};
    refuseSubmodules(place.listing, place.folder);
    const program = findProgram('helm', context.places.helm, context.places.searchPath);
    const version = await context.tools.version('helm', program, ['version', '--template={{.Version}}']);
    const files = findFiles(request, helm, place, referenced);
    const key = resultKey([rulesVersion, 'Helm', version, inputsOf(request, helm, place, files)]);
    const known = context.results.get(key);
    if (known !== undefined) return known;
    const { output, command } = await template(context, { request, helm, place, referenced, files, program });
    const { objects, json } = await context.reader.read([{ name: 'helm template', form: 'stream', bytes: output }]);
    return context.results.set(key, { objects, commands: [command] }, json.length);
  };
}

/** All files that are named, before anything is read. */
function findFiles(request: RenderRequest, helm: Helm, place: Place, referenced: ReferencedPlaces): ChartFiles {
  const environment = buildEnvironment(request);
  const own: FileBase = { reference: '', listing: place.listing, folder: place.folder };
  const references = new Map([...referenced].map(([reference, { listing }]) => [reference, { reference, listing, folder: '' }] as const));
  const schemes = request.settings?.helmValuesFileSchemes ?? DEFAULT_SCHEMES;
  const options = { own, references, schemes, ignoreMissing: helm.ignoreMissingValueFiles === true };
  // A name of another source starts like a variable, and is none.
  const expand = (path: string): string => (references.has(path.split('/')[0] ?? '') ? path : expandPath(path, environment));
  try {
    return {
      values: findValueFiles((helm.valueFiles ?? []).map(expand), options),
      parameters: (helm.fileParameters ?? []).map(({ name = '', path = '' }) => [name, findOne(expand(path), options)] as const),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    throw new ApiError(error.code, `error resolving helm value files: error resolving value file path: ${error.message}`);
  }
}

/** Only what is a variable of ours is replaced: `$values/x` names a source. */
function expandPath(path: string, environment: ReadonlyMap<string, string>): string {
  return /\$\{?ARGOCD_/.test(path) ? substitute(path, environment) : path;
}

interface TemplateRun {
  readonly request: RenderRequest;
  readonly helm: Helm;
  readonly place: Place;
  readonly referenced: ReferencedPlaces;
  readonly files: ChartFiles;
  readonly program: string;
}

async function template(context: RenderContext, run: TemplateRun): Promise<{ output: Buffer; command: string }> {
  const { request, helm, place, files, program } = run;
  return await withRoots(context, run, async (roots) => {
    const pathOf = ({ base, place: file }: ValueFile): string => join(roots.get(base.reference) ?? '', file);
    return await withPrivateFolder(context.privateFolder, async (scratch) => {
      const plan = planTemplate(request, helm, {
        valueFiles: files.values.map(pathOf),
        parameterFiles: files.parameters.map(([name, file]) => [name, pathOf(file)]),
        inlineValues: await writeInlineValues(helm, scratch),
      });
      const folder = join(roots.get('') ?? '', place.folder);
      const hidden = [...roots.values(), scratch];
      const env = { HELM_PLUGINS: join(scratch, 'plugins'), KUBECONFIG: '/dev/null', GOMEMLIMIT: '1GiB' };
      const output = await runHelm(() =>
        context.tools.run({ name: 'helm', program, ...plan, folder, hidden, env, signal: request.signal }),
      );
      const command = hidden.reduce((text, path) => text.replaceAll(path, '.'), ['helm', ...plan.shownArgs].join(' '));
      return { output, command };
    });
  });
}

async function runHelm(run: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    if (NEEDS_DEPENDENCIES.test(error.message))
      throw new ApiError(
        Code.Unimplemented,
        `dependencies of charts are not fetched yet: put them into the charts folder with \`helm dependency build\`: ${error.message}`,
      );
    throw new ApiError(error.code, `failed to execute helm template command: failed running helm: ${error.message}`);
  }
}

/** The checked-out revisions of the source itself and of those that it takes files from. */
async function withRoots<Result>(
  context: RenderContext,
  { request, place, referenced }: TemplateRun,
  use: (roots: ReadonlyMap<string, string>) => Promise<Result>,
): Promise<Result> {
  const open = async (
    places: readonly (readonly [string, Pick<Place, 'listing'>])[],
    roots: ReadonlyMap<string, string>,
  ): Promise<Result> => {
    const [next, ...rest] = places;
    if (next === undefined) return await use(roots);
    const [reference, each] = next;
    return await withFiles(context, each, request.signal, (root) => open(rest, new Map([...roots, [reference, root]])));
  };
  return await open([['', place], ...referenced], new Map());
}

async function writeInlineValues({ values = '', valuesObject }: Helm, folder: string): Promise<string | undefined> {
  const text = valuesObject === undefined || valuesObject === null ? values : JSON.stringify(valuesObject);
  if (text === '') return undefined;
  const path = join(folder, 'values.yaml');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** Everything that the result depends on. */
function inputsOf(request: RenderRequest, helm: Helm, { listing, folder }: Place, { values, parameters }: ChartFiles): JsonValue {
  const file = ({ base, place, id }: ValueFile): string[] => [base.reference, place, id ?? ''];
  const substituted = (helm.parameters ?? []).map(({ value = '' }) => value);
  return [
    folder,
    idsOf(listing, [folder]),
    helm as unknown as JsonValue,
    values.map(file),
    parameters.map(([name, each]) => [name, ...file(each)]),
    [request.application.name, request.destinationNamespace, request.kubeVersion ?? '', listDigest(request.apiVersions ?? [])],
    usesEnvironment(substituted) ? [...buildEnvironment(request)].map((entry) => [...entry]) : [],
  ];
}
