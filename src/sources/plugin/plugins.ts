import { createReadStream } from 'node:fs';
import { basename, posix } from 'node:path';
import { ApiError, Code, createSemaphore, LruMap } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import type { ApplicationSource, JsonObject, ParameterAnnouncement } from '../../contract/index.ts';
import { idsOfGeneratePaths } from '../generate-paths.ts';
import { holdOf, idsOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resultKey } from '../results/result-cache.ts';
import type { RenderResult } from '../results/result-cache.ts';
import type { PluginSettings, RenderRequest } from '../sources.ts';
import { createAbsentPlugins } from './absent-plugins.ts';
import { packFiles } from './pack-files.ts';
import type { PackedFiles } from './pack-files.ts';
import { PluginCallError } from './plugin-call.ts';
import { withPluginClient } from './plugin-client.ts';
import type { PluginClient } from './plugin-client.ts';
import { pluginEnvironment } from './plugin-environment.ts';
import type { EnvironmentEntry } from './plugin-environment.ts';
import { findPluginSocket, listPluginSockets } from './plugin-sockets.ts';
import type { PluginSocket } from './plugin-sockets.ts';
import { findSentFolder } from './sent-folder.ts';
import { createSharedArchives } from './shared-archives.ts';
import type { ArchiveLease } from './shared-archives.ts';

export interface PluginsOptions extends RenderContext {
  readonly timers: Timers;
  readonly settings: PluginSettings;
  /** Variables by which git in a plugin signs in to the repository; throws an ApiError where that cannot be done with variables. */
  readonly credentialVariables: (access: RepositoryAccess) => Promise<readonly EnvironmentEntry[]>;
}

/** An application's folder, and what a plugin is told about it. */
export interface PluginSubject {
  readonly request: RenderRequest;
  readonly source: ApplicationSource;
  readonly place: Place;
  readonly access: RepositoryAccess;
}

/** Manifests that programs beside Fairway make: configuration management plugins, which listen on Unix sockets in one folder. */
export interface Plugins {
  /** Those that listen now, by name. */
  names(): Promise<readonly string[]>;
  /** Whether a plugin says that a folder is for it. */
  recognises(subject: PluginSubject): Promise<boolean>;
  render(subject: PluginSubject): Promise<RenderResult>;
  /** Which parameters the plugin takes. */
  announce(subject: PluginSubject): Promise<ParameterAnnouncement[]>;
}

interface Verdict {
  readonly isMatch: boolean;
  readonly wantsCredentials: boolean;
}

/** One plugin and one subject, with all that is sent. */
interface Task extends PluginSubject {
  readonly socket: PluginSocket;
  readonly environment: readonly EnvironmentEntry[];
  /** The folder that is sent, from the root of the revision. */
  readonly sent: string;
  /** Names all of it. */
  readonly key: string;
}

const VERDICTS_MAX = 10_000;
const CHUNK_BYTES = 64 << 10;
const WAITING_MAX = 10_000;
/** Where a thousand applications are rendered at once, the folder of sockets is not read a thousand times. */
const SOCKETS_KEEP_MS = 200;

export function createPlugins(options: PluginsOptions): Plugins {
  const { limits, timers, settings, results, reader } = options;
  const semaphore = createSemaphore({ runningMax: limits.pluginsMax, waitingMax: WAITING_MAX });
  const archives = createSharedArchives(options.privateFolder);
  const verdicts = new LruMap<string, Verdict>(VERDICTS_MAX);
  const absent = createAbsentPlugins(timers);
  let listed: { readonly untilMs: number; readonly sockets: Promise<PluginSocket[]> } | undefined;

  function listSockets(): Promise<PluginSocket[]> {
    const nowMs = timers.nowMs();
    if (listed === undefined || nowMs >= listed.untilMs)
      listed = { untilMs: nowMs + SOCKETS_KEEP_MS, sockets: listPluginSockets(settings.socketFolder) };
    return listed.sockets;
  }

  function plan(subject: PluginSubject, socket: PluginSocket): Task {
    const { request, source, place } = subject;
    const environment = pluginEnvironment(request, source.plugin ?? undefined);
    const declared = request.manifestGeneratePaths ?? '';
    const sent = settings.usesGeneratePaths() ? findSentFolder(place.folder, declared) : '';
    // It is sent more than what the application says it is made from, which is what counts.
    const contents = [idsOfGeneratePaths(place, declared) ?? idsOf(place.listing, [sent]), [...settings.excluded()]];
    const variables = environment.map(({ name, value }) => [name, value]);
    const key = resultKey([rulesVersion, 'Plugin', socket.name, socket.identity, place.folder, sent, contents, variables]);
    return { ...subject, socket, environment, sent, key };
  }

  /** Lends a connection and the packed files, which are packed when they are first needed. */
  async function withPlugin<Result>(task: Task, use: (client: PluginClient, requests: Requests) => Promise<Result>): Promise<Result> {
    const { request, place, socket } = task;
    const work = semaphore.tryRun(() =>
      withFiles(options, place, request.signal, async (root) => {
        const contents = { listing: place.listing, root, folder: task.sent, excluded: settings.excluded() };
        let lease: ArchiveLease | undefined;
        const pack = (): Promise<PackedFiles> => {
          const key = resultKey([place.listing.tree, task.sent, [...contents.excluded]]);
          lease ??= archives.take(key, (archive) => packFiles({ ...contents, archive }));
          return lease.packed;
        };
        const client = {
          socket: socket.path,
          timers,
          limitMs: limits.toolMs,
          answerBytesMax: limits.toolOutputBytesMax,
          signal: request.signal,
        };
        try {
          return await withPluginClient(client, (calls) => use(calls, (more = []) => streamRequests(task, pack, more)));
        } finally {
          await lease?.release();
        }
      }),
    );
    if (work === undefined) throw new ApiError(Code.ResourceExhausted, 'too many plugins wait for their turn');
    return await work;
  }

  async function judge(task: Task, isNamed: boolean): Promise<Verdict> {
    const key = `${task.key} ${isNamed}`;
    const known = task.request.hard === true ? undefined : verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = await withPlugin(task, async (client, requests) => {
      const { isDiscoveryConfigured = false, provideGitCreds = false } = await client.call('CheckPluginConfiguration', [{}]);
      // One that recognises nothing itself is for whoever names it.
      if (isDiscoveryConfigured !== true) return { isMatch: isNamed, wantsCredentials: provideGitCreds === true };
      const { isSupported = false } = await client.call('MatchRepository', requests());
      return { isMatch: isSupported === true, wantsCredentials: provideGitCreds === true };
    });
    verdicts.set(key, verdict);
    return verdict;
  }

  async function findNamed(subject: PluginSubject, name: string): Promise<{ task: Task; verdict: Verdict }> {
    const notFound = (cause = ''): ApiError =>
      new ApiError(
        Code.Unknown,
        `could not find cmp-server plugin with name ${JSON.stringify(name)} supporting the given repository${cause}`,
      );
    const socket = await findPluginSocket(settings.socketFolder, name);
    if (socket === undefined) throw notFound();
    const task = plan(subject, socket);
    const verdict = await judge(task, true).catch((error: unknown) => {
      throw error instanceof PluginCallError ? notFound(`: ${error.message}`) : error;
    });
    if (!verdict.isMatch) throw notFound();
    return { task, verdict };
  }

  /**
   * The first plugin, by name, that recognises a folder. One that cannot be asked is not taken for one that says no: what it usually
   * makes would then be missing, and what is missing gets deleted. Nor is one that listened a while ago.
   */
  async function findByDiscovery(subject: PluginSubject): Promise<{ task: Task; verdict: Verdict } | undefined> {
    const sockets = await listSockets();
    const [missing] = absent.look(sockets.map(({ name }) => name));
    if (missing !== undefined)
      throw new ApiError(
        Code.Unavailable,
        `the plugin ${JSON.stringify(missing)} cannot be asked about the folder: its socket is gone; is it being started anew?`,
      );
    for (const socket of sockets) {
      const task = plan(subject, socket);
      const verdict = await judge(task, false).catch((error: unknown) => {
        if (!(error instanceof PluginCallError)) throw error;
        throw new ApiError(
          Code.Unavailable,
          `the plugin ${JSON.stringify(socket.name)} cannot be asked about the folder: ${error.message}`,
        );
      });
      if (verdict.isMatch) return { task, verdict };
    }
    return undefined;
  }

  async function find(subject: PluginSubject): Promise<{ task: Task; verdict: Verdict }> {
    const name = subject.source.plugin?.name ?? '';
    const found = name === '' ? await findByDiscovery(subject) : await findNamed(subject, name);
    if (found === undefined) throw new ApiError(Code.Unknown, 'could not find plugin supporting the given repository');
    return found;
  }

  async function generate(subject: PluginSubject): Promise<RenderResult> {
    const { task, verdict } = await find(subject);
    const key = resultKey([task.key, verdict.wantsCredentials ? subject.access.owner : '']);
    // A plugin may take what it needs from elsewhere: what it made does not hold for ever.
    const hold = holdOf(subject.request, { takesFromElsewhere: true });
    const known = subject.request.hard === true ? undefined : await results.get(key, hold);
    if (known !== undefined) return known;
    const credentials = verdict.wantsCredentials ? await options.credentialVariables(subject.access) : [];
    const { manifests } = await withPlugin(task, (client, requests) => client.call('GenerateManifest', requests(credentials))).catch(
      (error: unknown) => {
        if (!(error instanceof PluginCallError)) throw error;
        throw new ApiError(Code.Unknown, `error generating manifests in cmp: ${withoutValues(error.message, credentials)}`);
      },
    );
    const texts = Array.isArray(manifests) ? manifests.filter((text) => typeof text === 'string') : [];
    const { objects, json } = await reader.read([{ name: `plugin ${task.socket.name}`, form: 'stream', bytes: joinDocuments(texts) }]);
    return await results.set(key, { objects, commands: [], json, hold });
  }

  return {
    names: async () => (await listSockets()).map(({ name }) => name),
    recognises: async (subject) => (await findByDiscovery(subject)) !== undefined,
    async render(subject) {
      try {
        return await generate(subject);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { name } = subject.request.application;
        throw new ApiError(error.code, `CMP processing failed for application ${JSON.stringify(name)}: ${error.message}`, { cause: error });
      }
    },
    async announce(subject) {
      const { task } = await find(subject);
      try {
        const answer = await withPlugin(task, (client, requests) => client.call('GetParametersAnnouncement', requests()));
        return (answer['parameterAnnouncements'] ?? []) as unknown as ParameterAnnouncement[];
      } catch (error) {
        if (!(error instanceof PluginCallError)) throw error;
        throw new ApiError(Code.Unknown, `error executing parameter announcement in cmp: ${error.message}`);
      }
    },
  };
}

/** The messages of one call, with more variables where the call needs them. */
type Requests = (more?: readonly EnvironmentEntry[]) => AsyncGenerator<JsonObject>;

/** First what is about to be sent, then the packed files piece by piece. */
async function* streamRequests(
  { place, sent, environment }: Task,
  pack: () => Promise<PackedFiles>,
  more: readonly EnvironmentEntry[],
): AsyncGenerator<JsonObject> {
  const { archive, checksum, sizeBytes } = await pack();
  const appRelPath = posix.relative(`/${sent}`, `/${place.folder}`);
  const env = [...environment, ...more].map(({ name, value }) => ({ name, value }));
  const metadata: JsonObject = {
    appName: basename(place.folder),
    appRelPath: appRelPath === '' ? '.' : appRelPath,
    checksum,
    size: sizeBytes,
    env,
  };
  yield { metadata };
  for await (const chunk of createReadStream(archive, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>)
    yield { file: { chunk: chunk.toString('base64') } };
}

/** Each text may be several documents; where one ends the next begins. */
function joinDocuments(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `---\n${text}\n`).join(''), 'utf8');
}

function withoutValues(text: string, entries: readonly EnvironmentEntry[]): string {
  let shown = text;
  for (const { value } of entries) if (value.length > 3) shown = shown.replaceAll(value, '******');
  return shown;
}
