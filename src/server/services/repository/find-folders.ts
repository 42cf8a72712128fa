import { findIntegrity, type RevisionFiles } from '../../../sources/index.ts';
import type { Asker } from '../../call.ts';
import type { ApplicationServiceOptions } from '../application/application-context.ts';
import { effectiveProject, knownProject } from '../project/project-context.ts';
import { createRepositoryFamilies } from './repository-family.ts';
import { createSourceRules } from './source-calls.ts';

const FOLDERS_MAX = 2_000;
const MANIFEST = /\.(?:ya?ml|json|jsonnet)$/;

interface FoundFolder {
  readonly path: string;
  /** `Helm`, `Kustomize`, `Directory` or `Plugin`. */
  readonly type: string;
}

interface FoldersQuery {
  readonly repo: string;
  readonly revision: string;
  readonly appProject: string;
  readonly appName: string;
}

type FindFolders = (query: FoldersQuery, call: Asker) => Promise<readonly FoundFolder[]>;

/** The folders of a repository that somebody may make an application of: charts and kustomizations, and plain manifests too. */
export function createFolderFinder(context: ApplicationServiceOptions): FindFolders {
  const rules = createSourceRules(context, createRepositoryFamilies(context).read);
  return async (query, call) => {
    rules.requireListable(query, call);
    const source = { repoURL: query.repo, targetRevision: query.revision };
    const options = { project: query.appProject, signal: call.signal };
    const apps = await context.sources.apps(source, options);
    // A plugin for the whole repository, or one that is not of git, has no folders to choose from.
    if (apps.some(({ type }) => type === 'Plugin')) return apps;
    const project = knownProject(context, query.appProject);
    const integrity = project && findIntegrity(effectiveProject(context, project).spec, query.repo, context.settings.current.gpgKeys);
    const { entries } = await context.sources.files(source, { ...options, integrity });
    return listFolders(entries, apps).slice(0, FOLDERS_MAX);
  };
}

/** Those that are found are what they are; of the others each that has something that may be a manifest, unless it is a part of a chart. */
export function listFolders(entries: RevisionFiles['entries'], apps: readonly FoundFolder[]): FoundFolder[] {
  const types = new Map(apps.map(({ path, type }) => [path, type]));
  const charts = apps.filter(({ type }) => type === 'Helm').map(({ path }) => (path === '.' ? '' : `${path}/`));
  for (const [path, { kind }] of entries) {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? '.' : path.slice(0, slash);
    if (kind !== 'file' || !MANIFEST.test(path) || types.has(folder) || path.split('/').some((part) => part.startsWith('.'))) continue;
    if (!charts.some((chart) => path.startsWith(chart))) types.set(folder, 'Directory');
  }
  return [...types].map(([path, type]) => ({ path, type })).sort((one, other) => (one.path < other.path ? -1 : 1));
}
