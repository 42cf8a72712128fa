import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSource, RepoAppDetailsQuery, RepositoryService } from '../../../contract/index.ts';
import { permitsSource, readApplication, sourcesOf, type Application } from '../../../model/index.ts';
import { canonicalJson, type JsonObject } from '../../../objects/index.ts';
import { readRenderSettings } from '../../../sources/index.ts';
import type { Asker, Call } from '../../call.ts';
import { applicationObject } from '../application/find-application.ts';
import { mayDo, permissionDenied } from '../authorise.ts';
import { effectiveProject, knownProject } from '../project/project-context.ts';
import { urlOf } from './describe-repository.ts';
import { findStored, scopeOf } from './find-repositories.ts';
import { withoutPassword } from './public-url.ts';
import { requireVisible, type RepositoryServiceOptions } from './repository-context.ts';
import type { RepositoryFamily } from './repository-family.ts';
import { requirePlainUrl } from './require-plain-url.ts';

type SourceCalls = Pick<RepositoryService<Call>, 'ListRefs' | 'ListOCITags' | 'GetHelmCharts' | 'ListApps' | 'GetAppDetails'>;

/** Which repository is looked into, and for which application. */
interface ListQuery {
  readonly repo?: string;
  readonly appName?: string;
  readonly appProject?: string;
}

interface SourceRules {
  /** Who may see the repository as the project reaches it. One that nobody has configured may be a public one. */
  readonly requireReadable: (url: string, project: string, call: Asker) => void;
  /** Who may look for applications in it: those who may create or change the one that they name. */
  readonly requireListable: (query: ListQuery, call: Asker) => void;
  readonly mayTouchApplication: (call: Asker, action: string, project: string, name: string) => boolean;
  /** Where a project does not allow a repository, nobody reads it with the credentials that the project has. */
  readonly requirePermitted: (repoURL: string, name: string) => void;
}

/** Who may look at what of repositories. */
export function createSourceRules(context: RepositoryServiceOptions, family: RepositoryFamily): SourceRules {
  const rules: SourceRules = {
    requireReadable(url, project, call) {
      requirePlainUrl(url);
      const own = project === '' ? undefined : findStored(family, { url, project });
      const used = own ?? findStored(family, { url, project: '' });
      // An address finds its Secret in several spellings; whoever is denied the one is not let in with another. Both count: what is read
      // is what was asked for, with the Secret's credentials, and a server that heeds capitals may have something else there.
      if (used !== undefined) requireVisible(context, call, scopeOf(family, used));
      if (used === undefined || urlOf(used) !== url) requireVisible(context, call, { url, project: own === undefined ? '' : project });
    },
    requireListable({ repo = '', appName = '', appProject = '' }, call) {
      rules.requireReadable(repo, appProject, call);
      if (!['create', 'update'].some((action) => rules.mayTouchApplication(call, action, appProject, appName))) throw permissionDenied();
      rules.requirePermitted(repo, appProject);
    },
    mayTouchApplication: (call, action, project, name) =>
      mayDo(context.policy, call, { resource: 'applications', action, object: applicationObject(context, project, splitName(name)) }),
    requirePermitted(repoURL, name) {
      const project = knownProject(context, name);
      if (project !== undefined && permitsSource(effectiveProject(context, project), { repoURL }, context.surroundingsOf(name))) return;
      throw new ApiError(Code.PermissionDenied, `repository '${withoutPassword(repoURL)}' not permitted in project '${name}'`);
    },
  };
  return rules;
}

/** What repositories hold. */
export function createSourceCalls(context: RepositoryServiceOptions, family: RepositoryFamily): SourceCalls {
  const { sources } = context;
  const { requireReadable, requireListable, mayTouchApplication, requirePermitted } = createSourceRules(context, family);

  return {
    async ListRefs({ repo = '', appProject = '' }, call) {
      requireReadable(repo, appProject, call);
      const { branches, tags } = await sources.refs(repo, { project: appProject, signal: call.signal });
      return { branches: [...branches], tags: [...tags] };
    },
    async ListOCITags({ repo = '', appProject = '' }, call) {
      requireReadable(repo, appProject, call);
      return { tags: await sources.ociTags(repo, { project: appProject, signal: call.signal }) };
    },
    async GetHelmCharts({ repo = '', appProject = '' }, call) {
      requireReadable(repo, appProject, call);
      return { items: await sources.helmCharts(repo, { project: appProject, signal: call.signal }) };
    },
    async ListApps(query, call) {
      requireListable(query, call);
      const { repo = '', revision = '', appProject = '' } = query;
      const source = { repoURL: repo, targetRevision: revision };
      return { items: await sources.apps(source, { project: appProject, signal: call.signal }) };
    },
    async GetAppDetails(query, call) {
      const { appName = '', appProject = '' } = query;
      if (query.source === undefined) throw new ApiError(Code.InvalidArgument, 'missing payload in request');
      // What a message leaves out is not there, whatever its type says.
      const source: ApplicationSource = { ...query.source, repoURL: (query.source as Partial<ApplicationSource>).repoURL ?? '' };
      requireReadable(source.repoURL, appProject, call);
      if (!mayTouchApplication(call, 'get', appProject, appName)) throw permissionDenied();
      const object = context.applications.get(placeOf(context, appName));
      if (object === undefined) {
        if (!mayTouchApplication(call, 'create', appProject, appName)) throw permissionDenied();
        requirePermitted(source.repoURL, appProject);
      } else requireOwnSource(readApplication(object), query, source);
      const { name: applicationName } = splitName(appName);
      const settings = readRenderSettings(context.settings.current);
      return await sources.details(source, { project: appProject, applicationName, settings, signal: call.signal });
    },
  };
}

/** Of an application that exists only its own sources are told about: those of today, and those that it was deployed from. */
function requireOwnSource(application: Application, { appProject = '' }: RepoAppDetailsQuery, source: ApplicationSource): void {
  const { spec, status } = application;
  const deployed = (status?.history ?? []).flatMap(({ source: one, revision, sources = [], revisions = [] }) => [
    ...(one === undefined ? [] : [{ ...one, targetRevision: revision ?? '' }]),
    ...sources.map((each, index) => ({ ...each, targetRevision: revisions[index] ?? '' })),
  ]);
  const wanted = textOf(source);
  const isOwn = [...sourcesOf(application), ...deployed].some((one) => textOf(one) === wanted);
  if (!isOwn || (spec.project || 'default') !== appProject) throw permissionDenied();
}

/** What is empty says the same as what is not there. */
function textOf(source: ApplicationSource): string {
  const said = Object.entries(source).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return canonicalJson(Object.fromEntries(said) as JsonObject);
}

/** Outside the namespace of the control plane, applications are named with theirs. */
function splitName(name: string): { readonly namespace: string; readonly name: string } {
  const slash = name.indexOf('/');
  return slash < 0 ? { namespace: '', name } : { namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

function placeOf({ namespace: control }: RepositoryServiceOptions, name: string): { readonly namespace: string; readonly name: string } {
  const { namespace, name: own } = splitName(name);
  return { namespace: namespace || control, name: own };
}
