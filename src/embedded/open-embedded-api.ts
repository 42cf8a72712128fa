import { randomInt, randomUUID } from 'node:crypto';
import { ApiError, Code } from '../base/index.ts';
import { createControllers } from './controllers/create-controllers.ts';
import { openCustomKinds } from './custom/custom-kinds.ts';
import { seedDefinitions } from './custom/seed-definitions.ts';
import { withCustomKinds } from './custom/with-custom-kinds.ts';
import { createEmbeddedApi } from './create-embedded-api.ts';
import type { EmbeddedApi, EmbeddedOptions } from './embedded-api.ts';
import { builtinKinds } from './kinds/builtin-kinds.ts';
import { KindRegistry } from './kinds/kind-registry.ts';
import { seedNamespaces } from './seed-namespaces.ts';
import { History } from './storage/history.ts';
import { openKeyring } from './storage/keyring.ts';
import { hasSealedRecords, openDatabase } from './storage/open-database.ts';
import { Store } from './storage/store.ts';
import type { Random, VerbContext } from './verbs/verb-context.ts';
import { WatchHub } from './watch/watch-hub.ts';

const systemRandom: Random = { uuid: () => randomUUID(), below: (limit) => randomInt(limit) };

/** Opens the database, or makes it, and serves it. Throws ApiError where another process has it open or its keys are missing. */
export async function openEmbeddedApi(options: EmbeddedOptions): Promise<EmbeddedApi> {
  const { file, clock, log, limits = {}, random = systemRandom } = options;
  const historyChangesMax = limits.historyChangesMax ?? 20_000;
  const database = openDatabase(file);
  try {
    // Only who has the database may make its key: another process that starts at the same time would make another one.
    const keyring = await openKeyring(file, options.encryptionKey, hasSealedRecords(database));
    const { cacheCharactersMax = 2_000_000 } = limits;
    const store = new Store({ database, sealer: keyring.sealer, clock, log, cacheCharactersMax, onLost: options.onLost });
    checkKeys(store);
    await keyring.resume(store);
    const history = new History(store, clock, { changesMax: historyChangesMax, ageMs: limits.historyAgeMs ?? 3_600_000 });
    const kinds = new KindRegistry(store);
    for (const kind of builtinKinds()) kinds.register(kind);
    const hub = new WatchHub(limits.watchPendingMax ?? 1_000);
    store.onCommit((changes) => hub.publish(changes));
    const context: VerbContext = { store, history, kinds, clock, random };
    await seedNamespaces(context);
    const customKinds = await openCustomKinds(context, hub, log);
    await seedDefinitions(context);
    const housekeepingMs = limits.housekeepingMs ?? 10_000;
    const others = createControllers({ context, log, housekeepingMs, historyChangesMax, enabled: options.controllers ?? {} });
    const controllers = withCustomKinds(others, customKinds);
    return createEmbeddedApi({ context, hub, controllers, keyring, bookmarkIntervalMs: limits.bookmarkIntervalMs ?? 60_000 });
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

function checkKeys(store: Store): void {
  for (const row of store.statements.readKeyIds.all()) {
    const keyId = String(row['key_id']);
    if (!store.sealer.has(keyId))
      throw new ApiError(Code.FailedPrecondition, `the database holds secrets that are sealed with the key ${keyId}, which is not at hand`);
  }
}
