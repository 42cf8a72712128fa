import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { pickVersion } from '../../template/index.ts';
import { checkSchemas } from '../helm/check-schemas.ts';
import type { SchemaLimits } from '../helm/check-schemas.ts';
import { buildEnvironment } from '../build-environment.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { withPrivateFolder } from '../private-folder.ts';
import type { RenderTools } from '../process/render-tools.ts';
import type { RenderRequest } from '../sources.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { escapePattern } from './expand-components.ts';
import { findKustomizationName } from './find-kustomizations.ts';
import type { ScannedFolder } from './find-kustomizations.ts';
import { copyOptions, layOutFolders, makeOwnFile } from './lay-out-folders.ts';
import { hasEdits, planEdits } from './plan-edits.ts';

export interface KustomizeRequest {
  readonly request: RenderRequest;
  readonly kustomize: NonNullable<ApplicationSource['kustomize']>;
  readonly listing: TreeListing;
  /** Of the application, from the root of the revision. */
  readonly folder: string;
  /** Where the revision is checked out. */
  readonly root: string;
  readonly program: string;
  /** What it says of itself. */
  readonly version: string;
  /** For charts inside, if the installation's build options switch them on. */
  readonly helm: string;
  readonly tools: RenderTools;
  readonly reader: ManifestReader;
  /** Where private folders are made. */
  readonly privateFolder: string;
  /** Where charts may be that Helm is run on. */
  readonly chartFolders: readonly Pick<ScannedFolder, 'mount' | 'folder'>[];
  readonly limits: SchemaLimits;
  /** All folders that take part, where some of them are elsewhere. */
  readonly scanned?: readonly ScannedFolder[];
}

const HELM_COMMAND = '--helm-command=';
const CHART_DEPTH_MAX = 3;

/** What `kustomize build` writes, and the commands that led to it. */
export async function renderKustomize(options: KustomizeRequest): Promise<{ readonly output: Buffer; readonly commands: string[] }> {
  const { request, kustomize, scanned, root, reader } = options;
  for (const { mount, folder: each } of options.chartFolders) await checkSchemasBelow(join(mount.root, each), options.limits);
  if (scanned === undefined && !hasEdits(kustomize)) return await build(options, root, []);
  return await withPrivateFolder(options.privateFolder, async (copy) => {
    if (scanned === undefined) await copyForEditing(options, copy);
    else await layOutFolders(scanned, copy, { reader, readsBeside: mayReadBeside(request) });
    return await build(options, copy, hasEdits(kustomize) ? await edit(options, copy) : []);
  });
}

async function build(
  options: KustomizeRequest,
  root: string,
  commands: readonly string[],
): Promise<{ output: Buffer; commands: string[] }> {
  const { request, folder, program, tools, scanned = [] } = options;
  const args = ['build', join(root, folder), ...buildOptions(options)];
  // Where the helm of this machine is concerns nobody.
  const shownArgs = args.map((arg) => (arg.startsWith(HELM_COMMAND) ? `${HELM_COMMAND}helm` : arg));
  const hidden = [root, options.root, ...scanned.map(({ mount }) => mount.root)];
  const output = await tools.run({ name: 'kustomize', program, args, shownArgs, folder: root, hidden, signal: request.signal });
  const shown = ['kustomize', 'build', folder === '' ? '.' : `./${folder}`, ...shownArgs.slice(2)].join(' ');
  return { output, commands: [...commands, shown] };
}

/** Whether the installation's build options let Kustomize read files from outside the folders of the kustomizations. */
export function mayReadBeside({ settings }: Pick<RenderRequest, 'settings'>): boolean {
  return (settings?.kustomizeBuildOptions ?? '').includes('load-restrictor');
}

/** Charts are in the home that a kustomization names, in its folder `charts`, and each may be in a folder with its version. */
async function checkSchemasBelow(start: string, limits: SchemaLimits): Promise<void> {
  // Each folder once: links that lead to where they are would have it looked at again for all of them, and these again.
  const seen = new Set<string>();
  let level: readonly ChartPlace[] = [{ path: start, real: await realPathOf(start) }];
  for (let depth = 0; depth <= CHART_DEPTH_MAX; depth += 1) {
    const below: ChartPlace[] = [];
    for (const place of level) {
      if (seen.has(place.real)) continue;
      seen.add(place.real);
      if (existsSync(join(place.path, 'Chart.yaml'))) await checkSchemas(place.path, limits);
      // A folder that looks like a chart may be the home of others.
      if (depth < CHART_DEPTH_MAX) for (const each of await listFoldersIn(place)) below.push(each);
    }
    level = below;
  }
}

interface ChartPlace {
  /** By the links that Helm goes, too: where they lead to, names need not be UTF-8, and nothing is found under what these read as. */
  readonly path: string;
  /** Where it really is, a character for each byte. */
  readonly real: string;
}

async function listFoldersIn({ path, real }: ChartPlace): Promise<ChartPlace[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders: ChartPlace[] = [];
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) folders.push({ path: below, real: `${real}/${Buffer.from(entry.name).toString('latin1')}` });
    else if (entry.isSymbolicLink()) folders.push({ path: below, real: await realPathOf(below) });
  }
  return folders;
}

async function realPathOf(path: string): Promise<string> {
  const bytes = await realpath(path, { encoding: 'buffer' }).catch(() => Buffer.from(path));
  return bytes.toString('latin1');
}

/** Those of the installation, which only its administrators set; charts inside see the destination's version. */
function buildOptions({ request, kustomize, helm, version }: KustomizeRequest): string[] {
  const options = (request.settings?.kustomizeBuildOptions ?? '').split(/\s+/).filter((word) => word !== '');
  if (!options.includes('--enable-helm')) return options;
  const withHelm = [...options, `${HELM_COMMAND}${helm}`];
  // Older ones do not know what is added here.
  if (pickVersion('>=5.3.0-0', [version]) === undefined) return withHelm;
  const kubeVersion = kustomize.kubeVersion || request.kubeVersion || '';
  const apiVersions = kustomize.apiVersions?.length ? kustomize.apiVersions : (request.apiVersions ?? []);
  return [
    ...withHelm,
    ...(kubeVersion === '' ? [] : [`--helm-kube-version=${kubeVersion}`]),
    ...apiVersions.map((version) => `--helm-api-versions=${version}`),
  ];
}

async function edit(options: KustomizeRequest, copy: string): Promise<string[]> {
  const { request, kustomize, folder, program, tools } = options;
  const place = join(copy, folder);
  const commands: string[] = [];
  const run = async (args: string[]): Promise<void> => {
    await tools.run({ name: 'kustomize', program, args, folder: place, hidden: [copy], signal: request.signal });
    commands.push(['kustomize', ...args].join(' '));
  };
  for (const args of planEdits(kustomize, buildEnvironment(request))) await run(args);
  if ((kustomize.patches?.length ?? 0) > 0) await addPatches(options, copy);
  const components = presentComponents(options);
  if (components.length > 0) await run(['edit', 'add', 'component', '--', ...components.map(escapePattern)]);
  return commands;
}

function presentComponents({ kustomize, listing, folder }: KustomizeRequest): string[] {
  const { components = [], ignoreMissingComponents = false } = kustomize;
  if (!ignoreMissingComponents) return [...components];
  // Kustomize takes steps upwards before it follows links.
  return components.filter((component) => resolveInTree(listing, join(folder, component)).found);
}

async function addPatches({ kustomize, listing, folder, reader }: KustomizeRequest, copy: string): Promise<void> {
  const name = findKustomizationName(listing, folder);
  if (name === undefined) throw new ApiError(Code.Unknown, 'kustomization file not found in the path');
  const path = join(copy, folder, name);
  const value = await reader.readValue({ name, form: 'stream', bytes: await readFile(path) });
  const kustomization: JsonObject = isJsonObject(value) ? value : {};
  const before: readonly JsonValue[] = isJsonArray(kustomization['patches']) ? kustomization['patches'] : [];
  // No more of them than is known: whatever else is in an application was not looked at.
  const added = (kustomize.patches ?? []).map(({ path, patch, target, options }) => ({ path, patch, target, options }));
  const patches = [...before, ...(JSON.parse(JSON.stringify(added)) as JsonValue[])];
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ ...kustomization, patches }, undefined, 2));
}

/**
 * A place where the kustomization of the application can be changed. Its folder is a copy; all that lies beside it and above it are links
 * to the revision, which nobody changes.
 */
async function copyForEditing({ root, listing, folder }: KustomizeRequest, copy: string): Promise<void> {
  const steps = folder === '' ? [] : folder.split('/');
  let at = '';
  for (const step of steps) {
    for (const name of await readdir(join(root, at))) if (name !== step) await symlink(join(root, at, name), join(copy, at, name));
    at = join(at, step);
    if (at !== folder) await mkdir(join(copy, at));
  }
  await cp(join(root, folder), join(copy, folder), copyOptions({ root, listing }));
  await makeOwnFile(root, copy, folder);
}
