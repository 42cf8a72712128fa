import { statusError } from '../objects/index.ts';
import type { JsonObject, KubeObject, Status } from '../objects/index.ts';
import type { ResourceType, WriteOptions } from '../kube/index.ts';
import type { Controllers } from './controllers/create-controllers.ts';
import { createDiscovery } from './discovery/discover.ts';
import { openApiDocument, openApiHashes } from './discovery/open-api.ts';
import type { EmbeddedApi, LogSource } from './embedded-api.ts';
import type { Kind } from './kinds/kind.ts';
import { answerReview, isReview } from './reviews/answer-review.ts';
import { checkDatabase } from './storage/open-database.ts';
import type { Keyring } from './storage/keyring.ts';
import { jsonText, withoutOwners } from './storage/stored-object.ts';
import { createObject } from './verbs/create.ts';
import { createSubresource, isBinding } from './verbs/create-subresource.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { deleteObject } from './verbs/delete.ts';
import { getObject, getText } from './verbs/get.ts';
import { listObjects, listTexts } from './verbs/list.ts';
import { patchObject } from './verbs/patch.ts';
import { updateObject } from './verbs/update.ts';
import { updateSubresource } from './verbs/update-subresource.ts';
import { asJson, asKubeObject, requireKind, requireSubresource } from './verbs/verb-context.ts';
import type { VerbContext } from './verbs/verb-context.ts';
import { watchObjects } from './watch/watch-objects.ts';
import type { WatchHub } from './watch/watch-hub.ts';

/** The version that the API says it is: the reference one, marked as not the real thing. */
const VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+fairway-embedded',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'fairway/embedded',
};

const PODS: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

export interface EmbeddedParts {
  readonly context: VerbContext;
  readonly hub: WatchHub;
  readonly controllers: Controllers;
  readonly keyring: Keyring;
  readonly bookmarkIntervalMs: number;
}

/** Puts the verbs behind the interface that all Kubernetes APIs have here. */
export function createEmbeddedApi({ context, hub, controllers, keyring, bookmarkIntervalMs }: EmbeddedParts): EmbeddedApi {
  const { store, kinds } = context;
  const discover = createDiscovery(kinds);
  let logSource: LogSource | undefined;
  // An async function turns what a verb throws at once into a rejection.
  const write = async (
    { type, verb, name }: { type: ResourceType; verb: string; name: string },
    options: WriteOptions,
    action: (kind: Kind) => JsonObject,
  ): Promise<KubeObject> => {
    options.signal?.throwIfAborted();
    const kind = requireKind(context, type, verb);
    if (options.subresource !== undefined) requireSubresource(kind, options.subresource, name);
    const result = await store.write(() => action(kind));
    return asKubeObject(options.keepManagedFields === true ? result : withoutOwners(result));
  };
  return {
    kinds,
    discover: () => Promise.resolve({ resources: discover(), failures: [] }),
    openApi: (groupVersion) => Promise.resolve(openApiDocument(kinds, groupVersion, VERSION.gitVersion)),
    openApiHashes: () => openApiHashes(kinds, VERSION.gitVersion),
    version: () => Promise.resolve(VERSION),
    get: async (type, ref, options = {}) => asKubeObject(await getObject(context, requireKind(context, type, 'get'), ref, options)),
    list: async (type, options = {}) => await listObjects(context, requireKind(context, type, 'list'), options),
    getText: async (type, ref) => await getText(context, requireKind(context, type, 'get'), ref),
    listTexts: async (type, options = {}) => await listTexts(context, requireKind(context, type, 'list'), options),
    watch: (type, options = {}) => watchObjects({ context, hub, kind: requireKind(context, type, 'watch'), options, bookmarkIntervalMs }),
    create: async (type, object, options = {}) => {
      const asked = kinds.find(type);
      if (asked !== undefined && isReview(asked))
        return asKubeObject(await answerReview(asked, asJson(object), options, context.clock.nowMs()));
      const { name = '' } = object.metadata;
      if (options.subresource === undefined && !isBinding(type))
        return await write({ type, verb: 'create', name }, options, (kind) => createObject(context, kind, asJson(object), options));
      const [owner, below] = isBinding(type) ? [PODS, { ...options, subresource: 'binding' }] : [type, options];
      return await write({ type: owner, verb: 'get', name }, below, (kind) => createSubresource(context, kind, asJson(object), below));
    },
    update: (type, object, options = {}) =>
      write({ type, verb: 'update', name: object.metadata.name ?? '' }, options, (kind) =>
        isOwnEndpoint(options)
          ? updateSubresource(context, kind, asJson(object), options)
          : updateObject(context, kind, asJson(object), options),
      ),
    patch: (type, ref, patch, options = {}) =>
      write({ type, verb: 'patch', name: ref.name }, options, (kind) => patchObject(context, kind, ref, patch, options)),
    delete: async (type, ref, options = {}) => {
      const kind = requireKind(context, type, 'delete');
      return (await store.write(() => deleteObject(context, kind, ref, options))) as KubeObject | Status;
    },
    deleteCollection: async (type, selection, options = {}) =>
      await deleteCollection(context, requireKind(context, type, 'deletecollection'), selection, options),
    logs: (ref, options = {}) => {
      if (logSource === undefined) throw statusError('BadRequest', 'this API runs no containers, so there are no logs');
      return logSource(ref, options);
    },
    jsonText: (object) => jsonText(asJson(object)),
    onCommit: (listener) => store.onCommit(listener),
    get resourceVersion() {
      return String(store.committedVersion);
    },
    endWatches: (type) => {
      const kind = kinds.find(type);
      if (kind !== undefined) hub.endWatches(kind.resource);
    },
    setLogSource: (source) => {
      logSource = source;
    },
    controllersIdle: () => controllers.idle(),
    keepHouse: () => controllers.keepHouse(),
    forgetRead: () => store.forgetRead(),
    compact: async (version) => {
      await store.read(() => context.history.compact(version));
    },
    checkIntegrity: () => checkDatabase(store.database),
    rotateEncryptionKey: (key) => keyring.rotate(store, key),
    close: async () => {
      await controllers.stop();
      hub.close();
      store.close();
    },
  };
}

/** Subresources that are objects of another kind. */
function isOwnEndpoint({ subresource }: WriteOptions): boolean {
  return subresource !== undefined && subresource !== 'status';
}
