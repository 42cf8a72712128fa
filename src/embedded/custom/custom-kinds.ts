import { hash } from 'node:crypto';
import type { Logger } from '../../base/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { WorkLoop } from '../controllers/work-loop.ts';
import type { Kind, KindRules } from '../kinds/kind.ts';
import { objectAt, textAt, withValueAt } from '../json-path.ts';
import type { Change } from '../storage/store.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { metadataOf, withMetadata } from '../verbs/decode-input.ts';
import { listObjects } from '../verbs/list.ts';
import { replaceObject } from '../verbs/update.ts';
import { asJson, keyOf, requireKind } from '../verbs/verb-context.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import { customKind } from './custom-kind.ts';
import { CLEANUP_FINALIZER, DEFINITIONS, readDefinition } from './definition.ts';
import type { Definition } from './definition.ts';
import { heldNames, TERMINATING, withCondition, withDefinitionStatus } from './definition-status.ts';
import { validateDefinition } from './validate-definition.ts';
import { warnOfDefinition } from './warn-of-definition.ts';

/** More definitions than anyone has. */
const DEFINITIONS_MAX = 10_000;
const FIELD_MANAGER = 'kube-apiserver';

/** The custom kinds, which come, change and go with their CustomResourceDefinitions. */
export interface CustomKinds {
  readonly loop: WorkLoop<string>;
  readonly stop: () => Promise<void>;
}

/** Serves what the stored definitions say, and from then on what becomes of them. */
export async function openCustomKinds(context: VerbContext, hub: WatchHub, log: Logger): Promise<CustomKinds> {
  const { store, kinds } = context;
  const builtin = requireKind(context, DEFINITIONS, 'list');
  const definitions = kinds.register({ ...builtin, rules: { ...builtin.rules, ...definitionRules(context, builtin) } });
  /** The kinds that each definition has put there. */
  const served = new Map<string, readonly Kind[]>();
  /** What each definition said last. */
  const specs = new Map<string, string>();
  const terminating = new Map<number, string>();
  const loop = new WorkLoop<string>('custom kinds', log, (name) => cleanUp(context, definitions, name));

  const update = (object: JsonObject): void => {
    const name = textAt(object, 'metadata', 'name');
    const before = served.get(name) ?? [];
    const next = registerVersions(context, definitions, object);
    const gone = before.filter((old) => !next.some(({ type }) => type.version === old.type.version));
    for (const { type, resource } of gone) {
      kinds.unregister(type);
      hub.endWatches(resource);
    }
    if (next.length > 0) served.set(name, next);
    else served.delete(name);
    const spec = hash('sha256', JSON.stringify(objectAt(object, 'spec')), 'hex');
    // Open watches go by what the definition said when they began; their clients go on with new ones.
    if (specs.get(name) !== spec) for (const { resource } of before) hub.endWatches(resource);
    specs.set(name, spec);
    if (textAt(object, 'metadata', 'deletionTimestamp') === '') return;
    for (const { resource } of next) terminating.set(resource, name);
    loop.add(name, name);
  };
  const remove = (name: string): void => {
    for (const { type, resource } of served.get(name) ?? []) {
      kinds.unregister(type);
      hub.endWatches(resource);
      terminating.delete(resource);
    }
    served.delete(name);
    specs.delete(name);
  };
  const observe = (changes: readonly Change[]): void => {
    for (const { key, type, state } of changes) {
      if (key.resource === definitions.resource) {
        if (type === 'DELETED') remove(key.name);
        else update(state.object);
      } else if (type === 'DELETED') {
        const name = terminating.get(key.resource);
        if (name !== undefined) loop.add(name, name);
      }
    }
  };
  const { items } = await listObjects(context, definitions, {});
  for (const item of items) update(asJson(item));
  const stopObserving = store.onCommit(observe);
  return {
    loop,
    stop: async () => {
      stopObserving();
      await loop.stop();
    },
  };
}

function registerVersions({ store, kinds }: VerbContext, definitions: Kind, object: JsonObject): readonly Kind[] {
  const definition = readDefinition(object);
  if (!definition.isEstablished) return [];
  const key = keyOf(definitions, { name: definition.name });
  return definition.versions
    .filter(({ isServed }) => isServed)
    .map((version) => {
      // Schemas as they were written are large and seldom asked for: they are read again then.
      const readSchema = (): JsonObject =>
        readDefinition(store.lookup(key)?.object ?? {}).versions.find(({ name }) => name === version.name)?.schema ?? {};
      return kinds.register(customKind(definition, version, readSchema));
    });
}

function definitionRules(context: VerbContext, { rules }: Kind): KindRules {
  const definitionKind = (): Kind => requireKind(context, DEFINITIONS, 'list');
  const complete = (object: JsonObject, nowMs: number): JsonObject =>
    withDefinitionStatus(object, othersOf(context, definitionKind(), object), nowMs);
  return {
    ...(rules.setDefaults && { setDefaults: rules.setDefaults }),
    prepareCreate: (object, { nowMs }) => complete(object, nowMs),
    prepareUpdate: (object, _before, { nowMs }) => complete(object, nowMs),
    validate: validateDefinition,
    warn: warnOfDefinition,
    finalizersOnDelete: [CLEANUP_FINALIZER],
  };
}

/** The names that the other definitions of the same group hold. Definitions are few. */
function othersOf({ store }: VerbContext, definitions: Kind, object: JsonObject): ReturnType<typeof heldNames>[] {
  const group = textAt(object, 'spec', 'group');
  const name = textAt(object, 'metadata', 'name');
  return store.statements.readNames
    .all(definitions.resource, '', '', DEFINITIONS_MAX)
    .map((row) => String(row['name']))
    .filter((other) => other !== name && other.endsWith(`.${group}`))
    .flatMap((other) => {
      const found = store.lookup(keyOf(definitions, { name: other }))?.object;
      return found === undefined || textAt(found, 'spec', 'group') !== group ? [] : [heldNames(found)];
    });
}

/** Deletes the objects of a definition that is being deleted; it goes when none is left. */
async function cleanUp(context: VerbContext, definitions: Kind, name: string): Promise<void> {
  const { store, clock } = context;
  const before = await store.read(() => store.lookup(keyOf(definitions, { name }))?.object);
  if (before === undefined || metadataOf(before).finalizers?.includes(CLEANUP_FINALIZER) !== true) return;
  if (metadataOf(before).deletionTimestamp === undefined) return;
  await change(context, definitions, name, (object) => withCondition(object, TERMINATING, clock.nowMs()), 'status');
  const instances = instanceKind(context, readDefinition(before));
  if (instances !== undefined) {
    await deleteCollection(context, instances, {}, {});
    // Something holds the rest; its end brings us back here.
    if ((await store.read(() => store.counts.count(instances.resource, undefined))) > 0) return;
  }
  await change(context, definitions, name, (object) => {
    const { finalizers = [], ...metadata } = metadataOf(object);
    const kept = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    return withMetadata(object, { ...metadata, ...(kept.length > 0 && { finalizers: kept }) });
  });
}

/** A kind through which the objects of a definition are reached; where no version is served, they are there all the same. */
function instanceKind({ kinds }: VerbContext, definition: Definition): Kind | undefined {
  const { group, names, versions } = definition;
  const served = versions
    .map((version) => kinds.find({ group, version: version.name, plural: names.plural }))
    .find((kind) => kind !== undefined);
  const stored = versions.find(({ isStored }) => isStored);
  return served ?? (stored && kinds.resolve(customKind(definition, stored, () => stored.schema ?? {})));
}

async function change(
  context: VerbContext,
  definitions: Kind,
  name: string,
  edit: (object: JsonObject) => JsonObject,
  subresource?: 'status',
): Promise<void> {
  const options = { fieldManager: FIELD_MANAGER, ...(subresource !== undefined && { subresource }) };
  try {
    await context.store.write(() => {
      const before = context.store.lookup(keyOf(definitions, { name }))?.object;
      if (before === undefined) return;
      const after = withValueAt(edit(before), ['metadata', 'resourceVersion'], undefined);
      replaceObject(context, definitions, { before, after, options });
    });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}
