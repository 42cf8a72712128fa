/** A store of what a scripted API lists and watches. */
import { createLogger } from '../../src/base/index.ts';
import { createObjectStore, type ListOptions, type ObjectList, type ObjectStore, type ResourceType } from '../../src/kube/index.ts';
import { statusError, type KubeObject } from '../../src/objects/index.ts';
import { ManualTimers, settle } from './manual-timers.ts';
import { ScriptedWatch, scriptedKubeApi } from './scripted-kube-api.ts';

export interface ScriptedStore {
  readonly store: ObjectStore;
  readonly timers: ManualTimers;
  readonly watches: readonly ScriptedWatch[];
  /** The watch tells of this, and the store has heard it. */
  readonly tell: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject) => Promise<void>;
  /** The watch breaks off, and all is listed anew. */
  readonly listAgain: () => Promise<void>;
}

/** The first list has been read where it was answered at once. */
export async function openScriptedStore(
  type: ResourceType,
  list: (options: ListOptions) => ObjectList | Promise<ObjectList>,
): Promise<ScriptedStore> {
  const timers = new ManualTimers();
  const watches: ScriptedWatch[] = [];
  const api = scriptedKubeApi({
    list: async (options) => list(options),
    watch(options) {
      const watch = new ScriptedWatch(options);
      watches.push(watch);
      return watch;
    },
  });
  const store = createObjectStore({
    api,
    type,
    log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    timers,
  });
  store.start();
  await settle();
  return {
    store,
    timers,
    watches,
    async tell(kind, object) {
      watches.at(-1)?.send(kind, object);
      await settle();
    },
    async listAgain() {
      watches.at(-1)?.fail(statusError('Expired', 'too old resource version'));
      await timers.advance(5_000);
    },
  };
}
