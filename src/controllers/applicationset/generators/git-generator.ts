import { ApiError, Code } from '../../../base/index.ts';
import { compileDoubleStar, permitsApplicationNamespace, readProject, type ApplicationSet } from '../../../model/index.ts';
import { findIntegrity, type IntegrityPolicy, type RevisionFiles } from '../../../sources/index.ts';
import { isTemplate } from '../../../template/index.ts';
import { withPrefix } from './describe-error.ts';
import { describeFile, describePath, readObjects } from './git-parameters.ts';
import type { Generator, GeneratorContext, GeneratorRequest, GeneratorSpec, ParameterSet } from './generator.ts';
import { compilePathspec, compileShellPattern, type MatchPath } from './match-paths.ts';
import { createPace, type Pace, type Pacer } from './pace.ts';
import { createParsedFiles, type ParsedFile, type ParsedFiles } from './parsed-files.ts';
import { countAll, createRoom } from './room.ts';
import { withValues } from './values.ts';

type GitSpec = GeneratorSpec<'git'>;
type GitRequest = GeneratorRequest<'git'>;
type Patterns = readonly { readonly path: string; readonly exclude?: boolean }[];

const reading = { what: 'the paths and files of the git generator', verb: 'read' };

/** One set for each folder, or for each object in files, of a repository. */
export function createGitGenerator(
  context: Pick<GeneratorContext, 'sources' | 'projects' | 'settings' | 'namespace' | 'timers' | 'log'>,
): Generator<'git'> {
  const parsed = createParsedFiles();
  // A matrix may ask for the same repository many times in one run: the server is asked once.
  const asked = new WeakMap<ApplicationSet, Set<string>>();
  const isFirst = ({ applicationSet, spec: { repoURL, revision } }: GitRequest): boolean => {
    const known = asked.get(applicationSet) ?? new Set<string>();
    asked.set(applicationSet, known);
    const key = `${repoURL} ${revision}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  };
  return {
    generate: (request) =>
      withPrefix('error generating params from git: ', async () => {
        const { spec, goTemplate } = request;
        const hasFolders = (spec.directories ?? []).length > 0;
        if (!hasFolders && (spec.files ?? []).length === 0) throw new ApiError(Code.InvalidArgument, 'ApplicationSet is empty');
        const { appsetNewGlobbing } = context.settings.current.parameters;
        // What is matched by git itself ends at a submodule; what is matched in a checkout does not.
        const withSubmodules = hasFolders || appsetNewGlobbing;
        const files = await openRevision(context, { ...request, fresh: request.fresh && isFirst(request) }, withSubmodules);
        const options = { goTemplate, prefix: spec.pathParamPrefix ?? '' };
        const pacer = createPace(context.timers, request.signal, reading);
        const sets = hasFolders
          ? (await listFolders(context, files, spec.directories ?? [], pacer)).map((folder) => describePath(folder, undefined, options))
          : await describeFiles(context, files, spec, { parsed, options, pacer });
        return sets.map((set) => withValues(set, spec.values, request));
      }),
    requeueAfterMs: ({ requeueAfterSeconds }) =>
      requeueAfterSeconds === undefined || requeueAfterSeconds === null
        ? context.settings.current.parameters.appsetRequeueAfterMs
        : Number(requeueAfterSeconds) * 1_000,
  };
}

async function openRevision(
  { sources, projects, settings, namespace }: Pick<GeneratorContext, 'sources' | 'projects' | 'settings' | 'namespace'>,
  { spec, applicationSet, fresh, signal }: GitRequest,
  withSubmodules: boolean,
): Promise<RevisionFiles> {
  const { repoURL } = spec;
  const named = applicationSet.spec.template.spec.project;
  // Whose repository it is cannot be told before its files are read: only what belongs to no project is asked then.
  const isOpen = isTemplate(named);
  let project = isOpen ? '' : named || 'default';
  let integrity: IntegrityPolicy | undefined;
  if (!isOpen) {
    const object = projects.get({ namespace, name: project });
    if (object === undefined)
      throw new ApiError(Code.NotFound, `error getting project ${project}: appprojects.argoproj.io "${project}" not found`);
    const owner = readProject(object);
    integrity = findIntegrity(owner.spec, repoURL, settings.current.gpgKeys);
    // Anybody may name any project: what belongs to it is for the namespaces that it is for, as with applications.
    if (!permitsApplicationNamespace(owner, applicationSet.metadata.namespace ?? '', namespace)) project = '';
  }
  return sources.files({ repoURL, targetRevision: spec.revision || 'HEAD' }, { project, fresh, signal, integrity, withSubmodules });
}

async function listFolders(
  { settings, log }: Pick<GeneratorContext, 'settings' | 'log'>,
  { entries }: RevisionFiles,
  patterns: Patterns,
  { pace }: Pacer,
): Promise<readonly string[]> {
  const { hiddenFoldersIncluded } = settings.current.parameters;
  const matches = compileAll(patterns, compileShellPattern, (pattern) =>
    log.warn('a pattern of an application set cannot be read', { pattern }),
  );
  const folders: string[] = [];
  for (const [path, { kind }] of entries) {
    if ((kind !== 'folder' && kind !== 'submodule') || (!hiddenFoldersIncluded && isHidden(path))) continue;
    if (await matches(path, pace)) folders.push(path);
  }
  return folders.sort(inWalkOrder);
}

interface FileOptions {
  readonly parsed: ParsedFiles;
  readonly pacer: Pacer;
  readonly options: { readonly goTemplate: boolean; readonly prefix: string };
}

async function describeFiles(
  { settings }: Pick<GeneratorContext, 'settings'>,
  files: RevisionFiles,
  spec: GitSpec,
  { parsed, options, pacer }: FileOptions,
): Promise<readonly ParameterSet[]> {
  const { appsetNewGlobbing } = settings.current.parameters;
  const matches = compileAll(spec.files ?? [], appsetNewGlobbing ? compileDoubleStar : compilePathspec, refusePattern);
  const paths: string[] = [];
  for (const [path, { kind }] of files.entries)
    if ((kind === 'file' || kind === 'symlink') && (await matches(path, pacer.pace))) paths.push(path);
  paths.sort();
  const known = new Map(paths.map((path) => [path, parsed.get(idOf(files, path))]));
  const texts = await pacer.waitFor(() => files.read(paths.filter((path) => known.get(path) === undefined)));
  const room = createRoom();
  const sets: ParameterSet[] = [];
  for (const path of paths) {
    let file = known.get(path);
    if (file === undefined) {
      file = readFile(path, spec.repoURL, texts.get(path) ?? '');
      // What a link leads to may change while the link does not.
      if (files.entries.get(path)?.kind === 'file') parsed.set(idOf(files, path), file);
    }
    room.take(file.values);
    for (const object of file.objects) sets.push(describeFile(object, path, options));
    const turn = pacer.pace();
    if (turn !== undefined) await turn;
  }
  return sets;
}

function readFile(path: string, url: string, text: string): ParsedFile {
  try {
    const objects = readObjects(text);
    return { objects, values: countAll(objects), characters: text.length };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, `unable to process file '${path}' from repository '${url}': ${error.message}`);
  }
}

function idOf({ entries }: RevisionFiles, path: string): string {
  return entries.get(path)?.id ?? '';
}

/** Without it there would be fewer applications, or more, than somebody meant. */
function refusePattern(pattern: string): never {
  throw new ApiError(Code.InvalidArgument, `the pattern ${JSON.stringify(pattern)} cannot be read`);
}

/** Others have their turn between two patterns: there may be many of both paths and patterns, and each pair takes as long as they are. */
type MatchPaced = (path: string, pace: Pace) => Promise<boolean>;

/** What one of the patterns includes and none excludes. A pattern that cannot be read counts as if it were not there. */
function compileAll(
  patterns: Patterns,
  compile: (pattern: string) => MatchPath | undefined,
  onUnreadable: (pattern: string) => void,
): MatchPaced {
  const compiled = patterns.flatMap(({ path, exclude = false }) => {
    const matches = compile(path);
    if (matches === undefined) onUnreadable(path);
    return matches === undefined ? [] : [{ matches, exclude }];
  });
  const included = compiled.flatMap(({ matches, exclude }) => (exclude ? [] : [matches]));
  const excluded = compiled.flatMap(({ matches, exclude }) => (exclude ? [matches] : []));
  return async (path, pace) => (await matchesAny(included, path, pace)) && !(await matchesAny(excluded, path, pace));
}

async function matchesAny(patterns: readonly MatchPath[], path: string, pace: Pace): Promise<boolean> {
  for (const matches of patterns) {
    if (matches(path)) return true;
    const turn = pace();
    if (turn !== undefined) await turn;
  }
  return false;
}

function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** A folder, then what is in it, then its next sibling. */
function inWalkOrder(one: string, other: string): number {
  const [left, right] = [one.replaceAll('/', '\0'), other.replaceAll('/', '\0')];
  return left < right ? -1 : left > right ? 1 : 0;
}
