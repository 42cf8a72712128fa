import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import type { RenderRequest } from '../sources.ts';
import { checkSchemas } from './check-schemas.ts';
import { buildDependencies } from './dependencies/build-dependencies.ts';
import type { DependencyContext } from './dependencies/build-dependencies.ts';
import type { ReferencedPlaces, ValueFile } from './find-value-files.ts';
import { planTemplate } from './plan-template.ts';
import type { Helm } from './plan-template.ts';
import type { RemoteFile } from './remote-values.ts';

export type TemplateContext = RenderContext & DependencyContext;

export interface ChartFiles {
  readonly values: readonly ValueFile[];
  readonly parameters: readonly (readonly [string, ValueFile])[];
  /** Those that were fetched, by address. */
  readonly remote: ReadonlyMap<string, RemoteFile>;
}

export interface TemplateRun {
  readonly request: RenderRequest;
  readonly helm: Helm;
  readonly place: Place;
  readonly referenced: ReferencedPlaces;
  readonly files: ChartFiles;
  readonly program: string;
  /** Whether it is known that its dependencies have to be fetched. */
  readonly withDependencies: boolean;
}

const NEEDS_DEPENDENCIES = /found in Chart\.yaml, but missing in charts\/ directory|dependencies? (?:is|are) (?:out of sync|missing)/;

/** What `helm template` writes, and whether the chart had to be completed first. */
export async function runTemplate(
  context: TemplateContext,
  run: TemplateRun,
): Promise<{ readonly output: Buffer; readonly command: string; readonly hadDependencies: boolean }> {
  const { request, helm, place, program } = run;
  return await withRoots(context, run, async (roots) => {
    const root = roots.get('') ?? '';
    return await withPrivateFolder(context.privateFolder, async (scratch) => {
      const plan = planTemplate(request, helm, await writeFiles(run, roots, scratch));
      const hidden = [...roots.values(), scratch];
      const env = { HELM_PLUGINS: join(scratch, 'plugins'), KUBECONFIG: '/dev/null', GOMEMLIMIT: '1GiB' };
      const template = async (folder: string): Promise<Buffer> => {
        if (helm.skipSchemaValidation !== true) await checkSchemas(folder, context.limits);
        return await context.tools.run({ name: 'helm', program, ...plan, folder, hidden, env, signal: request.signal });
      };
      const completed = async (): Promise<Buffer> => {
        const { project } = request.application;
        const passCredentials = helm.passCredentials === true;
        const fresh = request.hard === true;
        const build = { place, root, reader: context.reader, project, passCredentials, fresh, signal: request.signal };
        await buildDependencies(context, build, join(scratch, 'chart'));
        return await describe(() => template(join(scratch, 'chart')));
      };
      const { output, hadDependencies } = await complete(() => template(join(root, place.folder)), completed, run.withDependencies);
      const command = hidden.reduce((text, path) => text.replaceAll(path, '.'), ['helm', ...plan.shownArgs].join(' '));
      return { output, command, hadDependencies };
    });
  });
}

/** As it is; and where it says that charts are missing, with them. */
async function complete(
  asItIs: () => Promise<Buffer>,
  completed: () => Promise<Buffer>,
  isIncomplete: boolean,
): Promise<{ readonly output: Buffer; readonly hadDependencies: boolean }> {
  if (isIncomplete) return { output: await completed(), hadDependencies: true };
  try {
    return { output: await asItIs(), hadDependencies: false };
  } catch (error) {
    if (!(error instanceof ApiError) || !NEEDS_DEPENDENCIES.test(error.message))
      return await describe(() => Promise.reject(error as Error));
  }
  return { output: await completed(), hadDependencies: true };
}

async function describe<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    throw new ApiError(error.code, `failed to execute helm template command: failed running helm: ${error.message}`);
  }
}

async function writeFiles({ helm, files }: TemplateRun, roots: ReadonlyMap<string, string>, scratch: string) {
  const remote = new Map<string, string>();
  for (const [url, { content }] of files.remote) {
    const path = join(scratch, `remote-${remote.size}`);
    await writeFile(path, content, { mode: 0o600 });
    remote.set(url, path);
  }
  const pathOf = ({ base, place, url }: ValueFile): string =>
    url === undefined ? join(roots.get(base.reference) ?? '', place) : (remote.get(url) ?? '');
  return {
    valueFiles: files.values.map(pathOf),
    parameterFiles: files.parameters.map(([name, file]) => [name, pathOf(file)] as const),
    inlineValues: await writeInlineValues(helm, scratch),
  };
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
