import { LruMap } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';
import type { LinksResponse } from '../../contract/index.ts';
import type { Application, AppProject } from '../../model/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import type { DeepLink } from '../../settings/index.ts';
import {
  compileExpression,
  compileGoTemplate,
  fromJson,
  notificationFunctions,
  TemplateError,
  type Expression,
  type GoTemplate,
} from '../../template/index.ts';

/** What links may speak about. Secrets must have been masked before. */
export interface LinkContext {
  readonly application?: Application;
  readonly resource?: KubeObject;
  readonly cluster?: Cluster;
  readonly project?: AppProject;
  /** Where the application is looked after, unless it says otherwise itself. */
  readonly serverUrl?: string;
}

type LinkInfo = NonNullable<LinksResponse['items']>[number];

/** A link is for people to click: a condition or an address that takes longer than this is broken. */
const limits = { stepsMax: 100_000, outputCharactersMax: 8_192 };
/** Addresses that run something in the page that shows them; browsers overlook whatever is no letter in front of them, and inside. */
const DANGEROUS = /^(?:javascript|data|vbscript):/i;

interface CompiledLink {
  readonly url: GoTemplate;
  readonly condition: Expression | undefined;
}

const functions = notificationFunctions();
const compiled = new LruMap<string, CompiledLink | TemplateError>(200);

/** The links of the settings that mean what is shown. One that is broken, or broken for this, is left out. */
export function listLinks(links: readonly DeepLink[], context: LinkContext): LinksResponse {
  if (links.length === 0) return {};
  const variables = variablesOf(context);
  return { items: links.flatMap((link) => describeLink(link, variables) ?? []) };
}

function describeLink(link: DeepLink, variables: JsonObject): LinkInfo | undefined {
  const { url, condition } = compile(link) ?? {};
  if (url === undefined) return undefined;
  try {
    if (condition !== undefined && condition.run(variables) !== true) return undefined;
    const address = url.render(fromJson(variables));
    if (DANGEROUS.test(address.replaceAll(/[^\w:]/g, ''))) return undefined;
    const { title, description, 'icon.class': iconClass } = link;
    return { title, url: address, ...(description !== undefined && { description }), ...(iconClass !== undefined && { iconClass }) };
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** Links are read once: the same ones are shown again and again. */
function compile({ url, if: condition = '' }: DeepLink): CompiledLink | undefined {
  const key = JSON.stringify([url, condition]);
  let link = compiled.get(key);
  if (link === undefined) {
    link = compileLink(url, condition);
    compiled.set(key, link);
  }
  return link instanceof TemplateError ? undefined : link;
}

function compileLink(url: string, condition: string): CompiledLink | TemplateError {
  try {
    return {
      url: compileGoTemplate(url, { name: 'deep-link', functions, ...limits }),
      condition: condition === '' ? undefined : compileExpression(condition, limits),
    };
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

function variablesOf({ application, resource, cluster, project, serverUrl = '' }: LinkContext): JsonObject {
  const app = application as unknown as JsonValue | undefined;
  const managedByURL = application?.metadata.annotations?.['argocd.argoproj.io/managed-by-url'] || serverUrl;
  return {
    ...(app !== undefined && { app, application: app, managedByURL }),
    ...(resource && { resource: resource as unknown as JsonValue }),
    ...(cluster && { cluster: describeCluster(cluster) }),
    ...(project && { project: describeProject(project) }),
  };
}

/** Nothing that gives access. */
function describeCluster({ registration }: Cluster): JsonObject {
  const { server, name, namespaces, shard, project, labels, annotations } = registration;
  return {
    server,
    name,
    namespaces,
    ...(shard !== undefined && { shard }),
    project,
    labels,
    annotations,
  };
}

function describeProject({ status: _status, ...project }: AppProject): JsonObject {
  return project as unknown as JsonObject;
}
